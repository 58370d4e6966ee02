// Running a skeleton at one shape.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one evaluation that this process runs. The skeleton's calls (Abi.cpp) and the malloc family (Interposer.cpp)
// reach it from any thread and any depth, so it is global.

#pragma once

#include "runner/accounting/TriedChange.h"
#include "runner/evaluation/Teams.h"
#include "runner/heap/Heap.h"
#include "runner/heap/TaintedMemory.h"
#include "runner/protocol/Dialogue.h"

#include <array>
#include <atomic>
#include <csetjmp>
#include <pthread.h>
#include <unordered_map>
#include <vector>

namespace memshape {

class Exploration;

/// Where a decision is asked, and the values that are still used after it: memshape_sk_decide_at of SkeletonAbi.h.
struct DecisionPoint {
  std::uint32_t Number = 0; ///< 0: unknown
  std::uint32_t Count = 0;  ///< of Values
  const std::uint64_t *Values = nullptr;
  const std::uint64_t *Live = nullptr;
};

/// Whose allocations are being made, and how they count.
enum class Mode {
  Outside,   ///< the runner's own: the C library's heap, not counted
  Preparing, ///< constructors of libraries and of the skeleton: the skeleton's heap, not counted, because they run
             ///< before the entry
  Inside     ///< the operator's: the skeleton's heap, counted
};

/// What has been compiled and can be run.
struct LoadedSkeleton {
  using Function = void (*)(const std::int64_t *Shape, const double *Settings);
  Function Run = nullptr;
  std::vector<void (*)()> Constructors;
  /// Writable data of the skeleton and its contents before anything ran.
  struct Data {
    char *Address;
    std::vector<char> Contents;
  };
  std::vector<Data> Writable;
  /// It calls functions that may keep state of their own: every evaluation then runs in a child process.
  bool NeedsChild = false;
  bool HasVariables = false; ///< variables that outlive a call. Large ones are not in Writable
  bool Explorable = false;   ///< its data are small enough to be kept with each state of an exploration
  bool FromObject = false;   ///< placed as it was compiled, without LLVM
};

class Evaluation {
public:
  /// Room for the figures of all sites and decisions. False where the kernel gives no address space.
  bool prepare(const StartRequest &Start);

  enum class Outcome { Ok, Throws };
  /// Runs the operator twice. When a limit is reached or an error occurs, the runner answers and ends the process.
  Outcome run(LoadedSkeleton &Skeleton, const EvaluationRequest &Request, EvaluationFigures &Figures);
  /// Follows all ways of answering decisions. Ends the process as run() does.
  void explore(LoadedSkeleton &Skeleton, const EvaluationRequest &Request, ExplorationFigures &Figures);
  const char *leavingMessage() const { return InRequest.LeavingMessage; }
  const std::optional<std::uint32_t> &leavingReason() const { return InRequest.LeavingReason; }
  /// The argument that was being built when the run left, from 1; 0: the operator was entered.
  std::uint32_t building() const { return Building; }
  /// Unknown calls that building arguments has come to.
  const std::vector<std::uint32_t> &unknownsOfArguments() const { return InCall.UnknownsOfArguments; }

  /// Arithmetic of sizes that has left its type, by number.
  const std::vector<std::uint32_t> &wraps() const { return InRequest.Wraps; }

  Mode mode() const { return Now.load(std::memory_order_relaxed); }
  void enter(Mode To) { Now.store(To, std::memory_order_relaxed); }

  Heap Memory;
  Teams Threads;
  MachineAnswers Machine;

  /// The memory operations of a skeleton. If one fails, the runner answers and ends the process.
  void *allocate(Heap::Request Wanted);
  void *reallocate(void *Block, Heap::Request Wanted);
  void release(void *Block);
  std::uint64_t bytesOf(void *Block);
  /// The same; nothing where no block with memory begins at the address.
  std::optional<std::uint64_t> extentOf(const void *Block);
  /// Rows from Block on, an address in a block or a tensor, may be written. Null announces that every write to a tensor
  /// is reported.
  void touch(const void *Block, const TouchedMemory::Rows &Written);

  /// From: the place, for decisions that an exploration can recognise.
  std::uint32_t decide(std::uint32_t Decision, std::uint32_t Proposed, const DecisionPoint &From = {}) {
    // A loop over samples asks tens of millions of times, mostly the same decision.
    if (Decision < Decisions.size() && InCall.Decided) [[likely]]
      if (DecisionState &State = Decisions[Decision]; State.Asked < State.AskedSimply) {
        const std::uint32_t Answer = ((Proposed & State.Proposals) ^ State.Always) & 1;
        ++State.Asked;
        State.Ones += Answer;
        return Answer;
      }
    return decideWithCare(Decision, Proposed, From);
  }
  void addVariable(void *Variable, std::uint64_t Bytes);
  /// Bounded: the value is used only for sizes whose bounds are passed along.
  std::uint64_t value(std::uint32_t Decision, std::uint64_t Proposed, bool Bounded = false);
  /// An answer that only what arguments take depends on. Number: of the question.
  std::uint64_t dataOfArgument(std::uint32_t Number, std::uint64_t Proposed);
  /// The size within the bounds that the request asks for.
  std::uint64_t within(std::uint64_t Value, std::uint64_t Low, std::uint64_t High) const;
  void *tensor(std::uint32_t Parameter);
  /// A write to read-only memory at Address. True where that is a tensor, which is writable from now on.
  bool openTensorAt(const void *Address);

  /// The number of the tensor that an address lies in, from 1; 0: in none.
  std::uint64_t tensorAt(const void *Address) const;
  /// The operator frees or reallocates tensor Number, from 1.
  void resizeTensor(std::uint64_t Number);
  /// The first region of this call whose team may have fewer threads than it asks for.
  /// What arguments take before the operator is entered is not its own.
  void meetDecision() {
    if (!std::exchange(InCall.Decided, true))
      InCall.Undecided = Building ? 0 : Memory.Figures.figures(Space).Sure;
  }
  void meetFirstTeam() { InCall.BeforeTeams = Memory.Figures.figures(Space).Sure; }

  /// A call that is not executed because its effect is unknown. Unknown: its number in the skeleton's list.
  void meetUnknown(std::uint32_t Unknown);
  /// The same for an unknown call that is executed, unless the request refuses it: then false.
  bool attempt(std::uint32_t Unknown);

  /// What is allocated from now on is the caller's: sites of arguments come first. 0: it is the operator's.
  void build(std::uint32_t Argument);

  /// An extent of what the operator returns: sites of results come behind those of arguments.
  void tell(std::uint32_t Result, std::int64_t Extent);

  /// The operator uses what calls at other shapes may have left. How: flags of memshape_sk_recall.
  void recall(std::uint32_t Number, std::uint32_t How);

  /// Some call may end here: this one does if the request says so.
  void mayEnd() {
    // No exception leaves a region.
    if (!Threads.inside() && ++InCall.Ends == EndsAt)
      leave("it ends half-way", std::nullopt);
  }

  /// Something is asked of two places: see memshape_sk_compare.
  void compare(const void *One, const void *Other, std::uint32_t Asked) {
    if (One != Other && (Exploring || InRequest.Compared.size() <= Places::MostCompared) && !isInOneObject(One, Other))
      compareBlocks(One, Other, Asked);
  }

  /// A size wraps, by the number of the arithmetic that has left its type.
  void wrap(std::uint32_t Number);

  /// Marks these rows as possibly written with data.
  void taint(void *Block, const TouchedMemory::Rows &Written);
  /// Ends the evaluation where one of these bytes is tainted.
  void askForTaint(const void *From, std::uint64_t Bytes);

  /// What a block counts in an exploration, in which a change is simple.
  std::uint64_t counted(std::int32_t Site, std::uint64_t Bytes) const {
    return Tried ? Tried->scaled({0, Site, Bytes}) : Bytes;
  }
  /// Ends an exploration: what Why names cannot be followed.
  void cannotExplore(const char *Why);
  std::uint32_t decisionCount() const { return std::uint32_t(Decisions.size()); }
  void callSkeleton(LoadedSkeleton &Skeleton) { Skeleton.Run(Shape.data(), Settings.data()); }

  /// The skeleton has reached its work limit.
  void reachWorkLimit();
  /// Instructions that were executed since the evaluation began.
  std::int64_t workDone() const;
  /// What that takes, and libraries that are called.
  std::int64_t microsecondsDone() const;

  /// A library starts a thread.
  void noteThread() { ThreadStarted.store(true, std::memory_order_relaxed); }

  /// Calls Function(Object) and remembers what it allocates. A later call with the same arguments only counts that
  /// again. So does a call with another object for which Describe, if it is not null, returns the same text.
  void repeat(void (*Function)(void *), void *Object, char *(*Describe)(void *));

  /// Loops whose iterations are all alike, nested. If the first iteration leaves live what it found, the others are
  /// counted without being run, and the result is true.
  void beginIterations();
  bool countIterations(std::uint64_t Iterations);
  void endIterations();

  /// Ends a call that does not return. Message: a sentence to display.
  [[noreturn]] void leave(const char *Message, std::optional<std::uint32_t> Reason);

private:
  /// Its size is a power of two: a loop over samples indexes its decision millions of times.
  struct alignas(64) DecisionState {
    std::uint64_t Asked = 0, Ones = 0;
    std::uint64_t Least = UINT64_MAX, Greatest = 0; ///< of value decisions
    std::uint64_t GivenValue = 0;                   ///< of a branch: how often it is answered 1
    std::optional<BranchAnswer> GivenBranch;
    bool HasValue = false; ///< GivenValue is given
    bool IsValue = false;  ///< asked as a value
    /// Until it was asked this often, the answer is the proposal or a constant: (proposal & Proposals) ^ Always.
    std::uint32_t AskedSimply = 0;
    std::uint8_t Proposals = 0, Always = 0;
  };

  std::vector<std::uint8_t> withArguments(std::vector<std::uint8_t> Spaces);
  void addSites(EvaluationFigures &Figures) const;
  void begin(const EvaluationRequest &Request, LoadedSkeleton &Skeleton);
  void beginCall();
  void takeHeap(EvaluationFigures &Figures, std::int64_t FirstPeak);
  void takeSites(EvaluationFigures &Figures, bool OneOfMany);
  void takeDecisions(EvaluationFigures &Figures) const;
  void takeMet(EvaluationFigures &Figures, std::uint32_t EndsOfFirst) const;
  void takeSteps(EvaluationFigures &Figures) const;
  bool isInOneObject(const void *One, const void *Other);
  void compareBlocks(const void *One, const void *Other, std::uint32_t Asked);
  std::optional<std::uint64_t> remembered(const LoadedSkeleton &Skeleton);
  bool leavesAlikeInNewThread(LoadedSkeleton &Skeleton, std::uint64_t Left);
  std::vector<DecisionState> callsBetween(LoadedSkeleton &Skeleton, const EvaluationRequest &Request);
  bool call(LoadedSkeleton &Skeleton, bool ConstructorsOnly);
  DecisionState &ask(std::uint32_t Decision);
  char *newTensor();
  std::uint32_t decideWithCare(std::uint32_t Decision, std::uint32_t Proposed, const DecisionPoint &From);
  void answerSimply(bool Proposals);

  /// What one execution of a repeated call did: its peak above what was live at its start, and its sums.
  struct Repeated {
    void (*Function)(void *);
    void *Object;
    Accounting::SpaceFigures Did;
  };
  struct Described {
    void (*Function)(void *);
    std::string Text;
    Accounting::SpaceFigures Did;
  };
  Accounting::SpaceFigures callOnce(void (*Function)(void *), void *Object, char *(*Describe)(void *));
  SizesFromData Sizes = SizesFromData::AsAnswered;
  void *allocateTried(Heap::Request Wanted, Heap::Fault &Problem);
  void *reallocateTried(void *Block, Heap::Request Wanted, Heap::Fault &Problem);
  void releaseTried(void *Block, Heap::Fault &Problem);
  void touchTried(const void *Block, const TouchedMemory::Rows &Written);
  bool countsOtherwise() const { return Tried && mode() == Mode::Inside; }
  bool withoutBound(Heap::Request &Wanted);
  void isEndless(std::int32_t Site);
  void *keepOpen(void *Block, bool IsOpen);
  void endOpen(const void *Block);
  std::uint32_t Building = 0;              ///< the argument that is being built, from 1
  std::vector<std::int64_t> ArgumentBytes; ///< of each argument when the operator is entered
  std::vector<std::int64_t> Results;       ///< extents that this call has told; -1 otherwise
  std::vector<std::uint32_t> Refused;      ///< calls that this request leaves out, by number

  /// What each call begins without.
  struct CallState {
    std::vector<std::uint32_t> Unknowns;            ///< ascending
    std::vector<std::uint32_t> UnknownsOfArguments; ///< met while arguments were built, each once
    std::vector<std::uint32_t> Resized;             ///< tensors that it freed or reallocated, from 1
    std::vector<std::uint32_t> Recalled;
    std::uint32_t Ends = 0;                  ///< places where it may have ended, as often as it came there
    std::uint64_t BlocksLeft = 0;            ///< that lived when it began
    std::uint64_t AskedOfArguments = 0;      ///< answers that only what arguments take depends on
    bool Decided = false;                    ///< a decision was asked
    bool Guessed = false;                    ///< a number from data that was not given
    std::int64_t Undecided = 0;              ///< peak before the first decision, or call that may free
    std::optional<std::int64_t> BeforeTeams; ///< peak before the first team of uncertain size
  } InCall;

  /// What each request begins without.
  struct RequestState {
    std::vector<Repeated> RepeatedCalls;
    std::vector<Described> DescribedCalls;
    std::vector<std::int32_t> Endless; ///< sites that requested a size without an upper bound
    /// Blocks of arguments with such a size, and which.
    std::optional<std::unordered_map<const void *, std::uint32_t>> Open;
    std::vector<std::uint32_t> Recalled;
    std::vector<std::uint32_t> Wraps;    ///< ascending
    std::vector<std::uint32_t> Compared; ///< numbers of blocks, each once; 0: something else
    std::uint32_t FloatEvents = 0;       ///< flags of memshape::FloatEvents
    TaintedMemory Tainted;
    bool AnySizeGiven = false; ///< it answers value decisions
    std::size_t LoopDepth = 0; ///< may exceed the room for loops; deeper loops are run iteration by iteration
    const char *LeavingMessage = "";
    std::optional<std::uint32_t> LeavingReason;
  } InRequest;

  struct Loop {
    Accounting::Mark AtStart;
    std::uint64_t Balance; ///< of what is tried
    bool First;
  };
  std::array<Loop, 32> Loops = {};
  LiveSteps Steps;
  std::optional<TriedChange> Tried;

  std::uint32_t EndsAt = 0;         ///< the place at which this call ends, from 1; 0: at none
  Exploration *Exploring = nullptr; ///< receives all operations of the skeleton
  std::vector<std::uint8_t> SiteSpaces;
  unsigned Space = 0; ///< whose figures the request asks for
  std::atomic<Mode> Now = Mode::Outside;
  std::atomic<bool> ThreadStarted = false;
  std::vector<DecisionState> Decisions;
  std::vector<std::int64_t> Shape;
  std::vector<double> Settings;
  std::vector<std::uint32_t> Absent;             ///< tensors that are null
  std::size_t ShapeGiven = 0, SettingsGiven = 0; ///< numbers that the last request gave
  TeamSettings OfTeams;
  std::uint32_t Processors = 1;
  std::uint64_t TensorBytes = 0;
  struct Tensor {
    char *Begin = nullptr; ///< null until asked for
    bool Written = false;  ///< writable since the first write; then cleared for each evaluation
  };
  std::vector<Tensor> Tensors; ///< by parameter
  std::size_t TensorsEnd = 0;  ///< behind the last of them
  bool TensorsUsed = false;
  /// Whether writes to tensors are trapped. Most skeletons only read tensors, and clearing one takes longer than many
  /// an evaluation.
  bool TensorsWatched = false;
  FloatEnvironment Floats;
  Rounding Rounds;
  std::int64_t WorkGiven = INT64_MAX; ///< to this evaluation
  double LibrariesSince = 0;          ///< processor seconds at its begin; 0 where no library is called
  jmp_buf Exit = {};
  pthread_t Runner = {};
};

/// Answers that a request for memory failed, and ends the process.
[[noreturn]] void endBy(Heap::Fault Problem, std::int64_t Site, std::uint64_t Bytes);

extern constinit Evaluation TheEvaluation;
inline Evaluation &evaluation() { return TheEvaluation; }

/// While it exists, allocations are the runner's own.
class OwnWork {
  const Mode Before = evaluation().mode();

public:
  OwnWork() { evaluation().enter(Mode::Outside); }
  ~OwnWork() { evaluation().enter(Before); }
  OwnWork(const OwnWork &) = delete;
  OwnWork &operator=(const OwnWork &) = delete;
};

} // namespace memshape
