// memshape-skeleton.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a skeleton and evaluates it at the shapes that standard input names: docs/formats.md, section 4. memshape
// starts it, and kills it when it takes too long.

#include "runner/evaluation/Evaluation.h"
#include "runner/evaluation/LibraryPages.h"
#include "runner/evaluation/Symbols.h"
#include "runner/loading/Loading.h"
#include "runner/protocol/ChildWatch.h"
#include "runner/protocol/Dialogue.h"
#include "runner/protocol/Ending.h"
#include "runner/sandbox/Box.h"
#include "runner/sandbox/Guard.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <exception>
#include <memshape/SkeletonAbi.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace memshape;

namespace {

/// Reads lines and byte sequences from a descriptor.
class Input {
public:
  explicit Input(int Descriptor) : Descriptor(Descriptor) {}

  enum class Status { Line, End, TooLong };
  Status line(std::string &Text) {
    Text.clear();
    for (;;) {
      const std::size_t End = Buffer.find('\n', At);
      if (End != std::string::npos) {
        Text.assign(Buffer, At, End - At);
        At = End + 1;
        return Status::Line;
      }
      if (Buffer.size() - At > MaxLineBytes)
        return Status::TooLong;
      if (!more()) {
        Text.assign(Buffer, At);
        At = Buffer.size();
        return Text.empty() ? Status::End : Status::Line;
      }
    }
  }

  bool bytes(std::uint64_t Count, std::string &Bytes) {
    while (Buffer.size() - At < Count)
      if (!more())
        return false;
    Bytes.assign(Buffer, At, Count);
    At += Count;
    return true;
  }

private:
  static constexpr std::size_t MaxLineBytes = 64 << 20;

  bool more() {
    Buffer.erase(0, At);
    At = 0;
    const std::size_t Old = Buffer.size();
    Buffer.resize(Old + (64 << 10));
    ssize_t Count;
    do
      Count = read(Descriptor, Buffer.data() + Old, Buffer.size() - Old);
    while (Count < 0 && errno == EINTR);
    Buffer.resize(Old + std::size_t(Count > 0 ? Count : 0));
    return Count > 0;
  }

  int Descriptor;
  std::string Buffer;
  std::size_t At = 0;
};

[[noreturn]] void refuse(const std::string &Problem) {
  writeAnswer(formatProblem("error", Problem));
  _exit(RunnerEnded);
}

/// Evaluates at Request.Shape.
std::string evaluateOnce(LoadedSkeleton &Skeleton, const EvaluationRequest &Request) {
  if (Request.Explore) {
    ExplorationFigures Found;
    evaluation().explore(Skeleton, Request, Found);
    return formatExploration(Found);
  }
  EvaluationFigures Figures;
  const Evaluation &E = evaluation();
  if (evaluation().run(Skeleton, Request, Figures) != Evaluation::Outcome::Ok)
    return E.building() ? formatUnbuilt(E.leavingMessage(), E.leavingReason(), E.building(), E.unknownsOfArguments())
                        : formatProblem("throws", E.leavingMessage(), E.leavingReason(), E.wraps());
  return Request.Many ? formatRow(Figures) : formatFigures(Figures);
}

bool evaluateAndAnswer(LoadedSkeleton &Skeleton, const EvaluationRequest &Request, double Seconds) {
  Seconds = Request.Seconds > 0 ? std::min(Seconds, Request.Seconds) : Seconds;
  limitProcessorTime(Seconds);
  nowRunning("the skeleton", Seconds);
  const std::string Answer = evaluateOnce(Skeleton, Request);
  nowRunning("the runner", 0);
  return writeAnswer(Answer);
}

/// The next of many shapes, and the values of decisions behind it.
void takeShape(EvaluationRequest &Request, std::vector<std::int64_t> &Next, std::size_t FixedValues) {
  Request.Shape.swap(Next);
  Request.Values.resize(FixedValues);
  const std::size_t Extents = Request.Shape.size() - Request.ValuesAt.size();
  for (std::size_t I = 0; I < Request.ValuesAt.size(); ++I)
    Request.Values.push_back({Request.ValuesAt[I], std::uint64_t(Request.Shape[Extents + I])});
  Request.Shape.resize(Extents);
}

/// Limits hold for all shapes together: setting a timer takes longer than most evaluations.
bool evaluateMany(LoadedSkeleton &Skeleton, EvaluationRequest &Request, double Seconds) {
  Seconds = Request.Seconds > 0 ? std::min(Seconds, Request.Seconds) : Seconds;
  limitProcessorTime(Seconds);
  nowRunning("the skeleton", Seconds);
  bool Read = true;
  const std::int64_t WorkEach = Request.Work;
  std::int64_t Left = Request.WorkInAll;
  const std::size_t FixedValues = Request.Values.size();
  for (std::vector<std::int64_t> &Shape : Request.Shapes) {
    takeShape(Request, Shape, FixedValues);
    Request.Work = std::min(WorkEach, std::max<std::int64_t>(1, Left));
    Read = Read && holdAnswer(evaluateOnce(Skeleton, Request));
    Left -= evaluation().workDone();
  }
  nowRunning("the runner", 0);
  return writeHeldAnswers() && Read;
}

/// --trust: the user allows foreign code to be executed where the kernel has no sandbox.
bool Trusted = false;

void confine(Box Which) {
  if (std::optional<std::string> Why = shutBox(Which); Why && !Trusted)
    refuse("this system has no sandbox (" + *Why + "), so nothing was executed; --trust executes it without one");
}

Box boxOf(const StartRequest &Limits) { return Limits.Replay ? Box::Replaying : Box::Evaluating; }

/// Evaluates in a child, so that what libraries remember ends with it, and what ends the evaluation ends the child alone.
bool evaluateInChild(LoadedSkeleton &Skeleton, const EvaluationRequest &Request, const StartRequest &Limits,
                     int Answers) {
  const pid_t Child = fork();
  if (Child < 0)
    refuse("cannot start a process for the evaluation: " + std::string(std::strerror(errno)) +
           "; check the limits of processes and memory");
  if (Child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setAnswers(Answers, ChildAnswered);
    limitOpenFiles();
    confine(boxOf(Limits));
    evaluateAndAnswer(Skeleton, Request, Limits.Seconds);
    _exit(ChildAnswered);
  }
  int Status = 0;
  bool Asleep = false;
  if (!waitWithin(Child, Limits.ResidentBytes, Status, Asleep))
    return writeAnswer(formatProblem("limit", Asleep ? "the operator waits for something that does not come"
                                                     : "the operator fills more memory than a prediction may take"));
  if (WIFEXITED(Status) && WEXITSTATUS(Status) == ChildAnswered)
    return true;
  return writeAnswer(
      formatProblem("error", WIFSIGNALED(Status) && WTERMSIG(Status) == SIGKILL
                                 ? "the evaluation was killed; the machine may be out of memory: try a smaller shape"
                                 : "a library that the skeleton calls ended the process"));
}

} // namespace

int main(int Count, char **Arguments) {
  const auto Start = std::chrono::steady_clock::now();
  const Worker Own = beginWork(Count, Arguments, "the skeleton", Sight::OwnProcesses);
  const DialogueDescriptors &Streams = Own.Streams;
  Trusted = Own.Trusted;
  if (Streams.In < 0 || Streams.Out < 0)
    return 2;
  setAnswers(Streams.Out, RunnerEnded);
  rememberOwnLibraries();
  catchSignals();
  onForbiddenWrite([](const void *Address) { return evaluation().openTensorAt(Address); });
  // An exception that leaves a library cannot be caught: skeletons have no handlers.
  std::set_terminate([] {
    if (evaluation().mode() != Mode::Outside)
      evaluation().leave("a library that the operator calls throws an exception at this shape", MEMSHAPE_SK_LIBRARY);
    abort();
  });

  confine(Box::Loading);
  Input Requests(Streams.In);
  std::string Line, Bitcode, Object, Problem;
  if (Requests.line(Line) != Input::Status::Line)
    return 2;
  StartRequest First;
  if (!parseStart(Line, First, Problem))
    refuse(Problem);
  limitAddressSpace(First.AddressSpaceBytes);
  limitTimeOfEvaluations(First.Seconds);
  if (!Requests.bytes(First.BitcodeBytes, Bitcode) || !Requests.bytes(First.ObjectBytes, Object))
    refuse("the input ends within the bitcode");

  nowRunning("the compilation of the skeleton", First.Seconds);
  if (!evaluation().prepare(First))
    refuse("the request's limit of address space is too small to load the skeleton; allow more");
  Symbols Names(std::move(First.Libraries), First.Replay);
  LoadedSkeleton Skeleton;
  if (First.Optimised)
    Object.clear(); // the object was compiled with little optimisation
  if (!loadSkeleton(Bitcode, Object, First.Optimised, Names, Skeleton, Problem))
    refuse(Problem);
  Skeleton.NeedsChild |= First.Replay;
  nowRunning("the runner", 0);
  const std::chrono::duration<double, std::milli> Taken = std::chrono::steady_clock::now() - Start;
  if (!writeAnswer(formatReady(Taken.count(), Skeleton.NeedsChild, Skeleton.FromObject)))
    _exit(RunnerEnded);
  prepareBox(boxOf(First));
  if (!Skeleton.NeedsChild) {
    limitOpenFiles();
    confine(boxOf(First));
  }

  for (;;) {
    const Input::Status Got = Requests.line(Line);
    if (Got == Input::Status::End)
      _exit(0);
    EvaluationRequest Request;
    if (Got == Input::Status::TooLong)
      refuse("the request is longer than 64 MiB");
    if (!parseEvaluation(Line, Request, Problem))
      refuse(Problem);
    bool Read = true;
    const std::size_t FixedValues = Request.Values.size();
    if (Request.Many && Skeleton.NeedsChild)
      for (std::vector<std::int64_t> &Shape : Request.Shapes) {
        takeShape(Request, Shape, FixedValues);
        Read = Read && evaluateInChild(Skeleton, Request, First, Streams.Out);
      }
    else if (Request.Many)
      Read = evaluateMany(Skeleton, Request, First.Seconds);
    else if (Skeleton.NeedsChild)
      Read = evaluateInChild(Skeleton, Request, First, Streams.Out);
    else
      Read = evaluateAndAnswer(Skeleton, Request, First.Seconds);
    if (!Read)
      _exit(RunnerEnded);
  }
}
