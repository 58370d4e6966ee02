// Sending signals inside the box.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/sandbox/SignalCalls.h"

#include <cerrno>
#include <linux/audit.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

using namespace memshape;

SignalCall memshape::answerSignalCall(const siginfo_t &Info, void *Context) {
#if defined(__x86_64__)
  constexpr unsigned Native = AUDIT_ARCH_X86_64;
  greg_t *Registers = static_cast<ucontext_t *>(Context)->uc_mcontext.gregs;
  greg_t &Result = Registers[REG_RAX];
  const long Arguments[] = {long(Registers[REG_RDI]), long(Registers[REG_RSI]), long(Registers[REG_RDX])};
#elif defined(__aarch64__)
  constexpr unsigned Native = AUDIT_ARCH_AARCH64;
  auto *Registers = static_cast<ucontext_t *>(Context)->uc_mcontext.regs;
  auto &Result = Registers[0]; // this register holds the first argument, and later the result
  const long Arguments[] = {long(Registers[0]), long(Registers[1]), long(Registers[2])};
#else
  return SignalCall::None;
#endif
#if defined(__x86_64__) || defined(__aarch64__)
  if (Info.si_code != 1 /* SYS_SECCOMP */ || Info.si_arch != Native)
    return SignalCall::None;
  bool ToItself = false;
  long Signal = 0;
  switch (Info.si_syscall) {
  case SYS_kill:
    ToItself = Arguments[0] == getpid();
    Signal = Arguments[1];
    break;
  case SYS_tkill:
    ToItself = Arguments[0] == syscall(SYS_gettid);
    Signal = Arguments[1];
    break;
  case SYS_tgkill:
    ToItself = Arguments[0] == getpid() && Arguments[1] == syscall(SYS_gettid);
    Signal = Arguments[2];
    break;
  default: return SignalCall::None;
  }
  if (ToItself && Signal == SIGABRT)
    return SignalCall::Abort;
  Result = -EPERM;
  return SignalCall::Refused;
#endif
}
