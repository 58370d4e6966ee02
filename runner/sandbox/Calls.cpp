// The list of system calls of each box.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What skeletons, replays and the libraries that they call need: memory, threads, time, signals to themselves, and
// reading files. The rule for a new entry: whatever its arguments, nothing outside the process changes. Memory may be
// executable, because loaders and code generators need that; foreign code gains nothing by it.

#include "runner/sandbox/BoxParts.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <initializer_list>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <termios.h>
#include <unistd.h>
#include <utility>

using namespace memshape;

namespace {

/// For computing: memory, time, signals to oneself, open descriptors, and one's own identity.
constexpr int Computing[] = {
    SCMP_SYS(mmap),
    SCMP_SYS(munmap),
    SCMP_SYS(mprotect),
    SCMP_SYS(mremap),
    SCMP_SYS(brk),
    SCMP_SYS(madvise),
    SCMP_SYS(mincore),
    SCMP_SYS(futex),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(set_tid_address),
    SCMP_SYS(rseq),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(getcpu),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_getres),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(time),
    SCMP_SYS(times),
    SCMP_SYS(getrusage),
    SCMP_SYS(getrlimit),
    SCMP_SYS(nanosleep),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(getitimer),
    SCMP_SYS(setitimer),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(rt_sigpending),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(read),
    SCMP_SYS(readv),
    SCMP_SYS(pread64),
    SCMP_SYS(preadv),
    SCMP_SYS(write),
    SCMP_SYS(writev),
    SCMP_SYS(lseek),
    SCMP_SYS(close),
    SCMP_SYS(close_range),
    SCMP_SYS(dup),
    SCMP_SYS(dup2),
    SCMP_SYS(dup3),
    SCMP_SYS(fstat),
    SCMP_SYS(fstatfs),
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(getppid),
    SCMP_SYS(getpgrp),
    SCMP_SYS(getuid),
    SCMP_SYS(geteuid),
    SCMP_SYS(getgid),
    SCMP_SYS(getegid),
    SCMP_SYS(getresuid),
    SCMP_SYS(getresgid),
    SCMP_SYS(getgroups),
    SCMP_SYS(capget),
    SCMP_SYS(uname),
    SCMP_SYS(sysinfo),
    SCMP_SYS(getrandom),
    SCMP_SYS(arch_prctl), // x86: registers of the thread, and which of them the process uses
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
};

/// For libraries: running and waiting of threads, facts about the machine, and finding files.
constexpr int InLibraries[] = {
    SCMP_SYS(sched_getparam),
    SCMP_SYS(sched_getscheduler),
    SCMP_SYS(sched_get_priority_max),
    SCMP_SYS(sched_get_priority_min),
    SCMP_SYS(get_mempolicy),
    SCMP_SYS(mbind),
    SCMP_SYS(set_mempolicy),
    SCMP_SYS(membarrier),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(select),
    SCMP_SYS(pselect6),
    SCMP_SYS(pipe),
    SCMP_SYS(pipe2),
    SCMP_SYS(eventfd2),
    SCMP_SYS(stat),
    SCMP_SYS(lstat),
    SCMP_SYS(newfstatat),
    SCMP_SYS(statx),
    SCMP_SYS(statfs),
    SCMP_SYS(access),
    SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2),
    SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),
    SCMP_SYS(getcwd),
    SCMP_SYS(getdents),
    SCMP_SYS(getdents64),
    SCMP_SYS(fadvise64),
};

/// For the process that opens libraries: it waits for children, and shuts smaller boxes.
constexpr int WhileLoading[] = {
    SCMP_SYS(wait4),
    SCMP_SYS(waitid),
    SCMP_SYS(capset),
    SCMP_SYS(landlock_create_ruleset),
    SCMP_SYS(landlock_add_rule),
    SCMP_SYS(landlock_restrict_self),
};

/// These reach other processes: see SignalCalls.h.
constexpr int SendingSignals[] = {SCMP_SYS(kill), SCMP_SYS(tkill), SCMP_SYS(tgkill)};

constexpr scmp_arg_cmp equals(unsigned Argument, scmp_datum_t Value) { return {Argument, SCMP_CMP_EQ, Value, 0}; }
constexpr scmp_arg_cmp differs(unsigned Argument, scmp_datum_t Value) { return {Argument, SCMP_CMP_NE, Value, 0}; }
/// Of the bits in Mask, those of Value are set and no others.
constexpr scmp_arg_cmp bits(unsigned Argument, scmp_datum_t Mask, scmp_datum_t Value) {
  return {Argument, SCMP_CMP_MASKED_EQ, Mask, Value};
}
/// Where the kernel expects an int, it reads the lower half of the register.
constexpr scmp_arg_cmp isInt(unsigned Argument, scmp_datum_t Value) { return bits(Argument, 0xffffffff, Value); }

#if defined(__s390__)
constexpr unsigned CloneFlags = 1;
#else
constexpr unsigned CloneFlags = 0;
#endif

/// The rules of one filter. After a failure it stays failed.
class Rules {
public:
  Rules() : Context(seccomp_init(SCMP_ACT_ERRNO(ENOSYS))), Good(Context != nullptr) {
    // Calls of another ABI, such as x32: no library of this program makes them.
    note(Context ? seccomp_attr_set(Context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_TRAP) : -1);
    // When the kernel takes the filter, in each child again, it looks every call up once; a tree is faster for that.
    note(Context ? seccomp_attr_set(Context, SCMP_FLTATR_CTL_OPTIMIZE, 2) : -1);
  }
  ~Rules() {
    if (Context)
      seccomp_release(Context);
  }
  Rules(const Rules &) = delete;
  Rules &operator=(const Rules &) = delete;

  /// Where all of When hold.
  void add(std::uint32_t Action, int Call, std::initializer_list<scmp_arg_cmp> When = {}) {
    // Negative: this architecture has no such call.
    if (Good && Call >= 0)
      note(seccomp_rule_add_array(Context, Action, Call, unsigned(When.size()), When.begin()));
  }
  void allow(int Call, std::initializer_list<scmp_arg_cmp> When = {}) { add(SCMP_ACT_ALLOW, Call, When); }
  template <std::size_t N> void allowAll(const int (&Calls)[N]) {
    for (int Call : Calls)
      allow(Call);
  }

  CallFilter program() const {
    CallFilter Program;
    // libseccomp writes to a descriptor; a pipe's buffer is larger than the longest program.
    int Ends[2];
    if (!Good || pipe2(Ends, O_CLOEXEC) != 0)
      return Program;
    const bool Written = seccomp_export_bpf(Context, Ends[1]) == 0;
    close(Ends[1]);
    Program.resize(BPF_MAXINSNS);
    const ssize_t Bytes = Written ? read(Ends[0], Program.data(), Program.size() * sizeof(Program[0])) : 0;
    Program.resize(Bytes > 0 ? std::size_t(Bytes) / sizeof(Program[0]) : 0);
    close(Ends[0]);
    return Program;
  }

private:
  void note(int Status) { Good = Good && Status == 0; }

  scmp_filter_ctx Context;
  bool Good;
};

/// Allows threads, but no processes. clone3 hides its flags behind a pointer; without it the C library uses clone.
void allowThreads(Rules &To) {
  constexpr scmp_datum_t Needed = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD;
  constexpr scmp_datum_t NewSpaces =
      CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
  To.allow(SCMP_SYS(clone), {bits(CloneFlags, Needed | NewSpaces | CLONE_PTRACE, Needed)});
}

/// Allows only what fork() of the C library requests: a child that signals its end to its parent alone.
void allowChildren(Rules &To) {
  To.allow(SCMP_SYS(clone), {equals(CloneFlags, CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | scmp_datum_t(SIGCHLD))});
}

/// openat2 is left out because it hides its flags behind a pointer, too.
void allowReading(Rules &To) {
  // O_ASYNC would send signals to the owner of a descriptor.
  constexpr scmp_datum_t Refused = O_ACCMODE | O_CREAT | O_TRUNC | O_ASYNC;
  for (auto [Call, Flags] : {std::pair(SCMP_SYS(open), 1U), std::pair(SCMP_SYS(openat), 2U)}) {
    To.allow(Call, {bits(Flags, Refused, O_RDONLY)});
    for (scmp_datum_t Writing : {O_WRONLY, O_RDWR, O_CREAT, O_TRUNC})
      To.add(SCMP_ACT_ERRNO(EACCES), Call, {bits(Flags, Writing, Writing)});
  }
}

void allowDescriptorControl(Rules &To) {
  for (scmp_datum_t Command : {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL})
    To.allow(SCMP_SYS(fcntl), {isInt(1, Command)});
  To.allow(SCMP_SYS(fcntl), {isInt(1, F_SETFL), bits(2, O_ASYNC, 0)});
  for (scmp_datum_t Request : {TCGETS, TIOCGWINSZ, FIONREAD, FIOCLEX})
    To.allow(SCMP_SYS(ioctl), {isInt(1, Request)});
}

void allowProcessControl(Rules &To, Box Which) {
  constexpr int NameMemory = 0x53564d41; // PR_SET_VMA, which headers before Linux 5.17 lack
  for (scmp_datum_t Option :
       {PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, PR_CAPBSET_READ, PR_GET_SECCOMP, PR_GET_NO_NEW_PRIVS, NameMemory})
    To.allow(SCMP_SYS(prctl), {isInt(0, Option)});
  if (Which == Box::Loading)
    for (scmp_datum_t Option : {PR_SET_NO_NEW_PRIVS, PR_SET_PDEATHSIG})
      To.allow(SCMP_SYS(prctl), {isInt(0, Option)});
  // Limits are read by anyone, and set by the runner: of address space and descriptors while it loads, of processor
  // time before each evaluation.
  To.allow(SCMP_SYS(prlimit64), {equals(0, 0), equals(2, 0)});
  To.allow(SCMP_SYS(prlimit64), {equals(0, 0), isInt(1, RLIMIT_CPU)});
  if (Which == Box::Loading)
    for (scmp_datum_t Resource : {RLIMIT_AS, RLIMIT_NOFILE})
      To.allow(SCMP_SYS(prlimit64), {equals(0, 0), isInt(1, Resource)});
}

/// A smaller box inside this one.
void allowShutting(Rules &To) {
  To.allow(SCMP_SYS(seccomp), {isInt(0, SECCOMP_SET_MODE_FILTER), isInt(1, SECCOMP_FILTER_FLAG_TSYNC)});
}

/// A thread may choose its own processors. Doing that for another thread, by its number, pretends to succeed: the
/// number may belong to another process, and no figure depends on where a thread runs.
void allowPlacing(Rules &To) {
  To.allow(SCMP_SYS(sched_setaffinity), {equals(0, 0)});
  To.add(SCMP_ACT_ERRNO(0), SCMP_SYS(sched_setaffinity), {differs(0, 0)});
}

} // namespace

CallFilter memshape::makeFilter(Box Which) {
  Rules All;
  All.allowAll(Computing);
  allowDescriptorControl(All);
  allowProcessControl(All, Which);
  for (int Call : SendingSignals)
    All.add(SCMP_ACT_TRAP, Call);
  if (Which != Box::Slicing) {
    All.allowAll(InLibraries);
    allowThreads(All);
    allowPlacing(All);
  }
  if (Which == Box::Loading || Which == Box::Evaluating)
    allowReading(All);
  if (Which == Box::Loading) {
    All.allowAll(WhileLoading);
    allowShutting(All);
    allowChildren(All);
  }
  return All.program();
}
