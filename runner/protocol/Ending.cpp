// The answers that end the process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signal handlers, and formatting without library calls.

#include "runner/protocol/Ending.h"
#include "runner/sandbox/SignalCalls.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

using namespace memshape;

namespace {

int Answers = STDOUT_FILENO;
int StatusAtEnd = RunnerEnded;
/// A plain array, because a signal handler writes it too.
char Held[32 << 10];
volatile std::size_t HeldBytes = 0;
const char *volatile Running = "the runner";
volatile std::int64_t Attempted = -1, Wrapped = -1;
volatile std::uint32_t Building = 0;
std::int64_t (*WorkDone)() = nullptr;

/// In nanoseconds of processor time, which is the same on a busy machine; 0: no limit. The timer may fire before the
/// end of the current run; it then finds that there is time left. Setting it for each evaluation would take longer than
/// many of them.
volatile std::int64_t RunningEnds = 0, TimerAt = 0;

std::int64_t now() {
  timespec Now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Now);
  return Now.tv_sec * 1'000'000'000 + Now.tv_nsec;
}

/// Sets the timer to so many nanoseconds after Start.
void setTimer(std::int64_t Start, std::int64_t Nanoseconds) {
  const std::int64_t Microseconds = std::max<std::int64_t>(1, (Nanoseconds + 999) / 1000);
  itimerval Timer = {};
  Timer.it_value.tv_sec = time_t(Microseconds / 1'000'000);
  Timer.it_value.tv_usec = suseconds_t(Microseconds % 1'000'000);
  TimerAt = Start + Nanoseconds;
  setitimer(ITIMER_PROF, &Timer, nullptr);
}

/// A line of text of bounded length.
class Line {
public:
  Line &operator<<(const char *Text) {
    const std::size_t Length = std::strlen(Text);
    if (Length < sizeof(Text_) - Used) {
      std::memcpy(Text_ + Used, Text, Length);
      Used += Length;
    }
    return *this;
  }
  Line &operator<<(std::uint64_t Number) {
    char Digits[24];
    char *At = Digits + sizeof(Digits) - 1;
    *At = 0;
    do
      *--At = char('0' + Number % 10);
    while (Number /= 10);
    return *this << At;
  }
  std::string_view text() const { return {Text_, Used}; }

private:
  char Text_[1024];
  std::size_t Used = 0;
};

Line begin(const char *Status) {
  Line Text;
  Text << "{\"status\": \"" << Status << "\", \"message\": \"";
  return Text;
}

[[noreturn]] void send(Line &Text) {
  if (Building)
    Text << ", \"building\": " << std::uint64_t(Building);
  if (Wrapped >= 0)
    Text << ", \"wraps\": [" << std::uint64_t(Wrapped) << "]";
  if (const std::int64_t Microseconds = WorkDone ? WorkDone() : 0; Microseconds > 0)
    Text << ", \"work_us\": " << std::uint64_t(Microseconds);
  Text << "}\n";
  writeHeldAnswers();
  writeAnswer(Text.text());
  _exit(StatusAtEnd);
}

/// Whether the timer was set for an earlier run, and there is time left.
bool wasEarly() {
  TimerAt = 0;
  const std::int64_t Ends = RunningEnds, Now = now();
  if (Ends && Now < Ends)
    setTimer(Now, Ends - Now);
  return !Ends || Now < Ends;
}

bool (*OpensMemory)(const void *) = nullptr;

void onSignal(int Number, siginfo_t *Info, void *Context) {
  if (Number == SIGSEGV && Info->si_code == SEGV_ACCERR && OpensMemory && OpensMemory(Info->si_addr))
    return;
  if (const int Kept = errno; Number == SIGPROF && wasEarly()) {
    errno = Kept;
    return;
  }
  if (Number == SIGSYS)
    switch (answerSignalCall(*Info, Context)) {
    case SignalCall::Refused: return;
    case SignalCall::Abort: Number = SIGABRT; break;
    case SignalCall::None: break;
    }
  const char *What = "failed";
  switch (Number) {
  case SIGPROF:
  case SIGXCPU: {
    Line Text = begin("limit");
    Text << Running << " did not end within its limit of processor time\"";
    send(Text);
  }
  case SIGSEGV: What = "faulted: it accessed an invalid address, or the stack overflowed"; break;
  case SIGBUS: What = "faulted: it accessed an address without memory"; break;
  case SIGFPE: What = "faulted: a division by zero or a quotient too large"; break;
  case SIGILL:
    What = "faulted: it executed an instruction that this processor lacks, or a place marked as unreachable";
    break;
  case SIGABRT: What = "was ended by abort in a library"; break;
  case SIGSYS: What = "made a system call that is not allowed"; break;
  }
  Line Text = begin("error");
  Text << Running << " " << What << "\"";
  if (Attempted >= 0)
    Text << ", \"attempted\": " << std::uint64_t(Attempted);
  send(Text);
}

} // namespace

void memshape::setAnswers(int Descriptor, int EndingStatus) {
  Answers = Descriptor;
  StatusAtEnd = EndingStatus;
  TimerAt = 0; // a child has no timer yet
}

bool memshape::writeAnswer(std::string_view Text) {
  while (!Text.empty()) {
    const ssize_t Written = write(Answers, Text.data(), Text.size());
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written <= 0)
      return false;
    Text.remove_prefix(std::size_t(Written));
  }
  return true;
}

bool memshape::holdAnswer(std::string_view Text) {
  if (Text.size() > sizeof(Held) - HeldBytes && !writeHeldAnswers())
    return false;
  if (Text.size() > sizeof(Held))
    return writeAnswer(Text);
  std::memcpy(Held + HeldBytes, Text.data(), Text.size());
  HeldBytes = HeldBytes + Text.size();
  return true;
}

bool memshape::writeHeldAnswers() {
  const std::size_t Bytes = HeldBytes;
  HeldBytes = 0;
  return writeAnswer({Held, Bytes});
}

void memshape::endWith(const char *Status, const char *Message) {
  Line Text = begin(Status);
  Text << Message << "\"";
  send(Text);
}

void memshape::endWith(const char *Status, const char *Message, std::uint32_t Reason) {
  Line Text = begin(Status);
  Text << Message << "\", \"reason\": " << std::uint64_t(Reason);
  send(Text);
}

void memshape::endWithSite(const char *Status, const char *Before, std::uint64_t Bytes, const char *After,
                           std::int64_t Site) {
  Line Text = begin(Status);
  Text << Before << Bytes << After;
  if (Site < 0)
    Text << " (a library called for real)\", \"site\": -1";
  else
    Text << " (site " << std::uint64_t(Site) << ")\", \"site\": " << std::uint64_t(Site);
  send(Text);
}

void memshape::catchSignals() {
  constexpr std::size_t StackBytes = 64 << 10;
  stack_t Stack = {};
  Stack.ss_sp = mmap(nullptr, StackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  Stack.ss_size = StackBytes;
  if (Stack.ss_sp != MAP_FAILED)
    sigaltstack(&Stack, nullptr);
  struct sigaction Action = {};
  Action.sa_sigaction = onSignal;
  Action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigfillset(&Action.sa_mask);
  for (int Number : {SIGPROF, SIGXCPU, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS})
    sigaction(Number, &Action, nullptr);
  signal(SIGPIPE, SIG_IGN); // a write then fails with EPIPE
}

void memshape::onForbiddenWrite(bool (*Opens)(const void *)) { OpensMemory = Opens; }

void memshape::tellWorkBy(std::int64_t (*Microseconds)()) { WorkDone = Microseconds; }

void memshape::nowAttempting(std::uint32_t Unknown) { Attempted = Unknown; }

void memshape::nowWrapped(std::uint32_t Number) { Wrapped = Number; }

void memshape::nowBuilding(std::uint32_t Argument) { Building = Argument; }

void memshape::nowRunning(const char *What, double SecondsAllowed) {
  Running = What;
  Attempted = Wrapped = -1;
  Building = 0;
  if (SecondsAllowed <= 0) {
    RunningEnds = 0;
    return;
  }
  const std::int64_t Start = now(), Allowed = std::int64_t(SecondsAllowed * 1e9);
  RunningEnds = Start + Allowed;
  if (!TimerAt || TimerAt > RunningEnds)
    setTimer(Start, Allowed);
}
