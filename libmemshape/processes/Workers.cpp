// Independent work on all processors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/processes/Workers.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <fstream>
#include <mutex>
#include <sched.h>
#include <system_error>
#include <thread>

namespace memshape {

static constexpr std::size_t MostWorkers = 8;

/// Number of processors whose time a container may use (cgroup v2: "QUOTA PERIOD", in microseconds, or "max PERIOD").
static std::size_t quota() {
  std::ifstream File("/sys/fs/cgroup/cpu.max");
  double Quota = 0, Period = 0;
  return File >> Quota >> Period && Quota > 0 && Period > 0 ? static_cast<std::size_t>(std::ceil(Quota / Period))
                                                            : MostWorkers;
}

std::size_t availableWorkers() {
  cpu_set_t Set;
  const std::size_t Processors = ::sched_getaffinity(0, sizeof(Set), &Set) == 0
                                     ? static_cast<std::size_t>(CPU_COUNT(&Set))
                                     : std::thread::hardware_concurrency();
  return std::clamp<std::size_t>(std::min(Processors, quota()), 1, MostWorkers);
}

void forEachAtOnce(const std::vector<std::size_t> &Order, std::size_t AtOnce,
                   const std::function<void(std::size_t)> &Do) {
  std::atomic<std::size_t> Next{0};
  std::mutex Noting;
  std::exception_ptr Thrown;
  const auto Work = [&] {
    try {
      for (std::size_t At; (At = Next.fetch_add(1)) < Order.size();)
        Do(Order[At]);
    } catch (...) { // as where the memory of this process is used up
      Next = Order.size();
      const std::lock_guard Alone(Noting);
      Thrown = std::current_exception();
    }
  };
  // This thread works as well.
  std::vector<std::thread> Others;
  for (std::size_t I = 1; I < std::min(AtOnce, Order.size()); ++I)
    try {
      Others.emplace_back(Work);
    } catch (const std::system_error &) {
      break; // the existing threads do the work
    }
  Work();
  for (std::thread &Other : Others)
    Other.join();
  if (Thrown)
    std::rethrow_exception(Thrown);
}

} // namespace memshape
