//===- SignalCalls.h - Signals that are sent in the box ------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A filter knows numbers, not who is who: it cannot tell a process that signals itself from one that signals others. So
// it lets none of these calls pass, and has them end in a SIGSYS of the caller, whose handler asks here.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SANDBOX_SIGNALCALLS_H
#define MEMSHAPE_SANDBOX_SIGNALCALLS_H

#include <csignal>

namespace memshape {

enum class SignalCall {
  None,  ///< another call, or no call of this machine's
  Abort, ///< abort(): the process sends itself SIGABRT
  Refused
};

/// What a SIGSYS is about. Where it is Refused, the call is made to answer EPERM, and the handler may return.
SignalCall answerSignalCall(const siginfo_t &Info, void *Context);

} // namespace memshape

#endif // MEMSHAPE_SANDBOX_SIGNALCALLS_H
