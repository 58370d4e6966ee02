// Work in a copy of the compiler's process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     child to parent, through a pipe:    'P' length bytes     a part
//                                         'F' length bytes     what a fatal error of LLVM says
//                                         'E' 0                the end of the work

#include "memshape/Apart.h"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace memshape {

static constexpr char PartTag = 'P', FatalTag = 'F', EndTag = 'E';

/// In a child: where the parent reads, and what it says where memory is lacking, when none is left to make a text.
static int ToParent = -1;
static char TooLarge[96];

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

static void endTooLarge(void *, const char *, bool) {
  send(FatalTag, TooLarge);
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
  install_bad_alloc_error_handler(endTooLarge);
  std::set_new_handler([] { endTooLarge(nullptr, nullptr, false); });
}

/// Bytes of this process: of its address space, or those in memory that it shares with no file. 0: nobody says.
static uint64_t bytesOfProcess(bool InMemory) {
  uint64_t Pages[3] = {}; // address space, in memory, of these shared
  if (FILE *Said = fopen("/proc/self/statm", "re")) {
    if (fscanf(Said, "%" SCNu64 " %" SCNu64 " %" SCNu64, &Pages[0], &Pages[1], &Pages[2]) != 3)
      Pages[0] = Pages[1] = Pages[2] = 0;
    fclose(Said);
  }
  return (InMemory ? Pages[1] - std::min(Pages[1], Pages[2]) : Pages[0]) * uint64_t(sysconf(_SC_PAGESIZE));
}

/// Lowers what this process may take, once more where another limit holds already.
static rlim_t lower(int Resource, rlim_t To) {
  rlimit Limit;
  if (getrlimit(__rlimit_resource_t(Resource), &Limit) != 0)
    return To;
  Limit.rlim_cur = std::min(Limit.rlim_cur, To);
  setrlimit(__rlimit_resource_t(Resource), &Limit);
  return Limit.rlim_cur;
}

/// When the system lacks memory or time, the child ends rather than the compiler.
static void limitChild(ApartLimits Limits, pid_t Parent) {
  lower(RLIMIT_CORE, 0);
  lower(RLIMIT_CPU, Limits.Seconds);
  alarm(10 * Limits.Seconds); // for work that waits instead
  if (const uint64_t Has = bytesOfProcess(/*InMemory=*/false))
    Limits.Bytes = std::max<uint64_t>(lower(RLIMIT_AS, Has + Limits.Bytes), Has) - Has;
  snprintf(TooLarge, sizeof TooLarge, "too large: it takes more than %" PRIu64 " MB beside the compiler",
           Limits.Bytes >> 20);
  if (int Score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); Score >= 0) {
    writeAll(Score, "1000", 4);
    close(Score);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != Parent)
    _exit(1);
}

[[noreturn]] static void work(function_ref<void(HandOver)> Work, ApartLimits Limits, pid_t Parent) {
  disableCrashReports();
  limitChild(Limits, Parent);
  if (int Nowhere = open("/dev/null", O_RDWR | O_CLOEXEC); Nowhere >= 0) {
    dup2(Nowhere, STDOUT_FILENO);
    dup2(Nowhere, STDERR_FILENO);
  }
  Work([](StringRef Part) { send(PartTag, Part); });
  send(EndTag, "");
  _exit(0); // without destructors, which would write or remove files of the parent
}

static std::string problemOf(int Status, unsigned Seconds) {
  if (WIFSIGNALED(Status) && (WTERMSIG(Status) == SIGXCPU || WTERMSIG(Status) == SIGALRM))
    return "it took more than " + std::to_string(Seconds) + " s";
  if (WIFSIGNALED(Status) && WTERMSIG(Status) == SIGKILL)
    return "it was killed: the machine ran out of memory";
  if (WIFSIGNALED(Status))
    return std::string("it crashed: ") + strsignal(WTERMSIG(Status));
  return "it ended with status " + std::to_string(WIFEXITED(Status) ? WEXITSTATUS(Status) : Status);
}

ApartLimits limitsApart(uint64_t CompilersSeconds, uint64_t CompilersBytes) {
  constexpr uint64_t LeastSeconds = 60, TimesSeconds = 10, LeastBytes = uint64_t(512) << 20, TimesBytes = 2;
  return {unsigned(LeastSeconds + TimesSeconds * CompilersSeconds), std::max(LeastBytes, TimesBytes * CompilersBytes)};
}

ApartLimits limitsApart() {
  rusage Used = {};
  getrusage(RUSAGE_SELF, &Used);
  return limitsApart(uint64_t(Used.ru_utime.tv_sec), bytesOfProcess(/*InMemory=*/true));
}

Apart runApart(function_ref<void(HandOver)> Work, ApartLimits Limits) {
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
    work(Work, Limits, Parent);
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
    if (Size > Limits.Bytes)
      break; // the child never had that
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
    Result.Problem = Fatal.empty() ? problemOf(Status, Limits.Seconds) : StringRef(Fatal).split('\n').first.str();
  return Result;
}

void makeApart(size_t Count, function_ref<std::string(size_t)> Make, function_ref<void(size_t, std::string)> Take,
               function_ref<Retry(size_t, const std::string &)> Failed) {
  ApartLimits Limits = limitsApart();
  for (size_t Next = 0; Next < Count; Limits.Seconds = std::max(1u, Limits.Seconds / 2)) {
    Apart Made = runApart(
        [&](HandOver Give) {
          for (size_t Number = Next; Number < Count; ++Number)
            Give(Make(Number));
        },
        Limits);
    for (std::string &Part : Made.Parts)
      Take(Next++, std::move(Part));
    if (Next < Count && Failed(Next, Made.Problem) == Retry::No)
      ++Next;
  }
}

} // namespace memshape
