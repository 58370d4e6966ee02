// The memory that an evaluation fills.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linux has no resource limit for resident memory, so the parent reads it at intervals. A processor fills fresh pages
// at some GB/s, so reading every 2 ms leaves an error of some MB.

#include "runner/protocol/ChildWatch.h"
#include "runner/sandbox/ProcessTree.h"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <sys/wait.h>

using namespace memshape;

/// A child that has used no processor time for this long waits for something that never comes, even on a busy machine.
static constexpr std::int64_t LongestSleep = 10'000'000'000; // ns

static std::int64_t nanoseconds(clockid_t Clock) {
  timespec Now = {};
  return clock_gettime(Clock, &Now) == 0 ? Now.tv_sec * 1'000'000'000 + Now.tv_nsec : -1;
}

bool memshape::waitWithin(pid_t Child, std::uint64_t ResidentBytes, int &Status, bool &Asleep) {
  constexpr long LongestWait = 2'000'000; // ns
  clockid_t Used = {};
  const bool Timed = clock_getcpuclockid(Child, &Used) == 0;
  std::int64_t Last = -1, Since = nanoseconds(CLOCK_MONOTONIC);
  for (long Wait = 50'000;; Wait = std::min(2 * Wait, LongestWait)) {
    const pid_t Ended = waitpid(Child, &Status, ResidentBytes ? WNOHANG : 0);
    if (Ended == Child)
      return true;
    if (Ended < 0 && errno != EINTR) {
      Status = 0;
      return true;
    }
    if (Ended < 0)
      continue;
    if (privateBytes(Child) > ResidentBytes)
      return false;
    if (const std::int64_t Spent = Timed ? nanoseconds(Used) : -1; Spent != Last) {
      Last = Spent;
      Since = nanoseconds(CLOCK_MONOTONIC);
    } else if (Timed && nanoseconds(CLOCK_MONOTONIC) - Since > LongestSleep) {
      Asleep = true;
      return false;
    }
    const timespec Pause = {0, Wait};
    nanosleep(&Pause, nullptr);
  }
}
