//===- Apart.cpp - Work in a copy of the compiler's process ---------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     child to parent, through a pipe:    'P' length bytes     a part
//                                         'F' length bytes     what a fatal error of LLVM says
//                                         'E' 0                the end of the work
//
//===----------------------------------------------------------------------===//

#include "memshape/Apart.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace memshape {

static constexpr char PartTag = 'P', FatalTag = 'F', EndTag = 'E';
static constexpr uint64_t LargestPart = uint64_t(1) << 33;

/// In a child: where the parent reads.
static int ToParent = -1;

static bool writeAll(int To, const char *Bytes, size_t Size) {
  while (Size) {
    ssize_t Written = write(To, Bytes, Size);
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written <= 0)
      return false;
    Bytes += Written;
    Size -= size_t(Written);
  }
  return true;
}

static bool readAll(int From, char *Bytes, size_t Size) {
  while (Size) {
    ssize_t Read = read(From, Bytes, Size);
    if (Read < 0 && errno == EINTR)
      continue;
    if (Read <= 0)
      return false;
    Bytes += Read;
    Size -= size_t(Read);
  }
  return true;
}

static void send(char Tag, StringRef Bytes) {
  const uint64_t Size = Bytes.size();
  char Head[1 + sizeof Size] = {Tag};
  memcpy(Head + 1, &Size, sizeof Size);
  if (!writeAll(ToParent, Head, sizeof Head) || !writeAll(ToParent, Bytes.data(), Bytes.size()))
    _exit(1); // the parent has closed the pipe
}

static void endWithReason(void *, const char *Reason, bool) {
  send(FatalTag, Reason);
  _exit(1);
}

/// When the compiler ends by an error, it removes its output files and asks its user to report a bug. Disables this in
/// the child.
static void disableCrashReports() {
  for (int Signal : {SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGPIPE,
                     SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ})
    signal(Signal, SIG_DFL);
  sigset_t None;
  sigemptyset(&None);
  sigprocmask(SIG_SETMASK, &None, nullptr);
  remove_fatal_error_handler();
  install_fatal_error_handler(endWithReason);
  remove_bad_alloc_error_handler();
  install_bad_alloc_error_handler(endWithReason);
}

/// When the system lacks memory or time, the child ends rather than the compiler.
static void limitChild(unsigned Seconds, pid_t Parent) {
  const rlimit NoCore = {0, 0}, Processor = {Seconds, Seconds};
  setrlimit(RLIMIT_CORE, &NoCore);
  setrlimit(RLIMIT_CPU, &Processor);
  if (int Score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); Score >= 0) {
    writeAll(Score, "1000", 4);
    close(Score);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != Parent)
    _exit(1);
}

[[noreturn]] static void work(function_ref<void(HandOver)> Work, unsigned Seconds, pid_t Parent) {
  disableCrashReports();
  limitChild(Seconds, Parent);
  if (int Nowhere = open("/dev/null", O_RDWR | O_CLOEXEC); Nowhere >= 0) {
    dup2(Nowhere, STDOUT_FILENO);
    dup2(Nowhere, STDERR_FILENO);
  }
  Work([](StringRef Part) { send(PartTag, Part); });
  send(EndTag, "");
  _exit(0); // without destructors, which would write or remove files of the parent
}

static std::string problemOf(int Status, unsigned Seconds) {
  if (WIFSIGNALED(Status) && (WTERMSIG(Status) == SIGXCPU || WTERMSIG(Status) == SIGKILL))
    return "it was killed: it took more than " + std::to_string(Seconds) + " s, or the machine ran out of memory";
  if (WIFSIGNALED(Status))
    return std::string("it crashed: ") + strsignal(WTERMSIG(Status));
  return "it ended with status " + std::to_string(WIFEXITED(Status) ? WEXITSTATUS(Status) : Status);
}

Apart runApart(function_ref<void(HandOver)> Work, unsigned Seconds) {
  Apart Result;
  int Ends[2];
  if (pipe2(Ends, O_CLOEXEC) != 0) {
    Result.Problem = std::string("no pipe: ") + strerror(errno);
    return Result;
  }
  const pid_t Parent = getpid(), Child = fork();
  if (Child == 0) {
    close(Ends[0]);
    ToParent = Ends[1];
    work(Work, Seconds, Parent);
  }
  const int Refused = errno;
  close(Ends[1]);
  if (Child < 0) {
    close(Ends[0]);
    Result.Problem = std::string("no process: ") + strerror(Refused);
    return Result;
  }
  std::string Fatal;
  bool Ended = false;
  uint64_t Size;
  for (char Head[1 + sizeof Size]; !Ended && readAll(Ends[0], Head, sizeof Head);) {
    memcpy(&Size, Head + 1, sizeof Size);
    if (Size > LargestPart)
      break; // the child has sent something invalid
    std::string Bytes(Size, '\0');
    if (!readAll(Ends[0], Bytes.data(), Size))
      break;
    Ended = Head[0] == EndTag;
    if (Head[0] == PartTag)
      Result.Parts.push_back(std::move(Bytes));
    if (Head[0] == FatalTag)
      Fatal = std::move(Bytes);
  }
  close(Ends[0]);
  int Status = 0;
  while (waitpid(Child, &Status, 0) < 0)
    if (errno != EINTR)
      break; // another part of the process waits for all children
  if (!Ended)
    Result.Problem = Fatal.empty() ? problemOf(Status, Seconds) : StringRef(Fatal).split('\n').first.str();
  return Result;
}

void makeApart(size_t Count, function_ref<std::string(size_t)> Make, function_ref<void(size_t, std::string)> Take,
               function_ref<Retry(size_t, const std::string &)> Failed) {
  for (size_t Next = 0; Next < Count;) {
    Apart Made = runApart([&](HandOver Give) {
      for (size_t Number = Next; Number < Count; ++Number)
        Give(Make(Number));
    });
    for (std::string &Part : Made.Parts)
      Take(Next++, std::move(Part));
    if (Next < Count && Failed(Next, Made.Problem) == Retry::No)
      ++Next;
  }
}

} // namespace memshape
