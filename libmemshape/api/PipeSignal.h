// Writing to children that may have ended.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <csignal>
#include <ctime>

namespace memshape::v1 {

/// While it lives, SIGPIPE does not reach this thread: a child that has ended shows as a failed write. The caller's
/// program keeps its own way with that signal.
class PipeSignal {
public:
  PipeSignal() {
    sigemptyset(&Pipe);
    sigaddset(&Pipe, SIGPIPE);
    sigset_t Pending;
    sigpending(&Pending);
    WasPending = sigismember(&Pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &Pipe, &Before);
  }
  ~PipeSignal() {
    // What was raised here is taken back before it is let through.
    const timespec NoTime{0, 0};
    if (!WasPending)
      while (sigtimedwait(&Pipe, nullptr, &NoTime) == SIGPIPE) {
      }
    pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  }
  PipeSignal(const PipeSignal &) = delete;
  PipeSignal &operator=(const PipeSignal &) = delete;

private:
  sigset_t Pipe, Before;
  bool WasPending = false;
};

} // namespace memshape::v1
