// Sending signals inside the box.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A filter sees the arguments of a call, but does not know process ids: it cannot tell a process that signals itself
// from one that signals others. So such calls raise SIGSYS instead, and the handler decides here.

#pragma once

#include <csignal>

namespace memshape {

enum class SignalCall {
  None,  ///< another call, or no call of this machine's
  Abort, ///< abort(): the process sends itself SIGABRT
  Refused
};

/// What a SIGSYS is about. If it is Refused, the call is made to fail with EPERM, and the handler may return.
SignalCall answerSignalCall(const siginfo_t &Info, void *Context);

} // namespace memshape
