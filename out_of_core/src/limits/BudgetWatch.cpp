// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BudgetWatch.h"

#include <cerrno>
#include <poll.h>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>

namespace memshape::out_of_core {

using namespace std::chrono_literals;

BudgetWatch::BudgetWatch(const std::string &Root, std::function<void(bool, Pressure::Time)> Call)
    : Signs(Root), Look(std::move(Call)), Ends(::eventfd(0, EFD_CLOEXEC)) {
  if (Ends < 0)
    throw std::system_error(errno, std::generic_category(), "eventfd");
  Thread = std::thread([this] { watch(); });
}

BudgetWatch::~BudgetWatch() {
  const std::uint64_t One = 1;
  while (::write(Ends, &One, sizeof One) < 0 && errno == EINTR)
    ;
  Thread.join();
}

void BudgetWatch::watch() {
  for (;;) {
    Signs.wait(100ms, Ends);
    pollfd End{Ends, POLLIN, 0};
    if (::poll(&End, 1, 20) > 0) // signs may come faster than a look is worth
      return;
    const Pressure::Time Now = std::chrono::steady_clock::now();
    Look(Signs.look(Now), Now);
  }
}

} // namespace memshape::out_of_core
