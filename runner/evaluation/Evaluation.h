//===- Evaluation.h - Running a skeleton at one shape --------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one evaluation that this process is doing. The skeleton's calls (Abi.cpp) and the malloc family (Interposer.cpp)
// reach it from any thread and any depth; that is why it is global.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SKELETON_EVALUATION_H
#define MEMSHAPE_SKELETON_EVALUATION_H

#include "runner/evaluation/Teams.h"
#include "runner/heap/Heap.h"
#include "runner/heap/TaintedMemory.h"
#include "runner/protocol/Dialogue.h"

#include <array>
#include <atomic>
#include <csetjmp>
#include <pthread.h>
#include <vector>

namespace memshape {

class Exploration;

/// Where a decision is asked, and what is still used behind it: memshape_sk_decide_at of SkeletonAbi.h.
struct DecisionPoint {
  std::uint32_t Number = 0; ///< 0: nobody knows
  std::uint32_t Count = 0;  ///< of Values
  const std::uint64_t *Values = nullptr;
  const std::uint64_t *Live = nullptr;
};

/// Whose allocations are being made.
enum class Mode {
  Outside,   ///< the runner's own: the C library's heap, not counted
  Preparing, ///< constructors of libraries and of the skeleton: our heap, not counted, for they come before the entry
  Inside     ///< the operator's: our heap, counted
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
  bool HasVariables = false; ///< that outlive a call, in Writable or, where they are large, nowhere
  bool Explorable = false;   ///< its data are few enough to be kept with each state of an exploration
  bool FromObject = false;   ///< placed as it came, without LLVM
};

class Evaluation {
public:
  /// Room for the figures of all sites and decisions. False where the kernel gives no address space.
  bool prepare(const StartRequest &Start);

  enum class Outcome { Ok, Throws };
  /// Runs the operator twice. Limits and errors do not come back: they are answered and end the process.
  Outcome run(LoadedSkeleton &Skeleton, const EvaluationRequest &Request, EvaluationFigures &Figures);
  /// Follows all ways of answering decisions. Limits and errors end the process as above.
  void explore(LoadedSkeleton &Skeleton, const EvaluationRequest &Request, ExplorationFigures &Figures);
  const char *leavingMessage() const { return LeavingMessage; }
  const std::optional<std::uint32_t> &leavingReason() const { return LeavingReason; }

  Mode mode() const { return Now.load(std::memory_order_relaxed); }
  void enter(Mode To) { Now.store(To, std::memory_order_relaxed); }

  Heap Memory;
  Teams Threads;
  MachineAnswers Machine;

  /// The memory operations of a skeleton. They return only when all is well.
  void *allocate(Heap::Request Wanted);
  void *reallocate(void *Block, Heap::Request Wanted);
  void release(void *Block);
  std::uint64_t bytesOf(void *Block);
  /// The same; nothing where no block with memory behind it begins there.
  std::optional<std::uint64_t> extentOf(const void *Block);
  /// Rows from Block on, an address in a block or a tensor, may be written; null: all such writes to tensors are told.
  void touch(const void *Block, const TouchedMemory::Rows &Written);

  /// From: of a decision that an exploration can recognise.
  std::uint32_t decide(std::uint32_t Decision, std::uint32_t Proposed, const DecisionPoint &From = {}) {
    // A loop over samples asks tens of millions of times, mostly the same.
    if (Decision < Decisions.size() && Decided) [[likely]]
      if (DecisionState &State = Decisions[Decision]; State.Asked < State.AskedSimply) {
        const std::uint32_t Answer = ((Proposed & State.Proposals) ^ State.Always) & 1;
        ++State.Asked;
        State.Ones += Answer;
        return Answer;
      }
    return decideWithCare(Decision, Proposed, From);
  }
  void addVariable(void *Variable, std::uint64_t Bytes);
  /// Bounded: nothing but sizes comes of it that are handed over with their bounds.
  std::uint64_t value(std::uint32_t Decision, std::uint64_t Proposed, bool Bounded = false);
  /// The size that the request wants of those within the bounds.
  std::uint64_t within(std::uint64_t Value, std::uint64_t Low, std::uint64_t High) const;
  void *tensor(std::uint32_t Parameter);
  /// Something was written to an address that cannot be written to; true where that was a tensor, which now can.
  bool openTensorAt(const void *Address);

  /// Ends the evaluation where Block is a tensor's memory; What the operator does with it, to be displayed.
  void refuseTensor(const void *Block, const char *What) const;

  /// A call that is not executed because nobody knows what it does; Unknown is its number in the skeleton's list.
  void meetUnknown(std::uint32_t Unknown);
  /// The same for a call that is executed, unless the request refuses it: then false.
  bool attempt(std::uint32_t Unknown);

  /// The operator uses what calls at other shapes may have left. How: flags of memshape_sk_recall.
  void recall(std::uint32_t Number, std::uint32_t How);

  /// Data may be written to these rows from now on.
  void taint(void *Block, const TouchedMemory::Rows &Written);
  /// Ends the evaluation where one of these bytes is tainted.
  void askForTaint(const void *From, std::uint64_t Bytes);

  /// Where runs are explored: what Why says cannot be followed.
  void onlyOneRun(const char *Why);
  std::uint32_t decisionCount() const { return std::uint32_t(Decisions.size()); }
  void callSkeleton(LoadedSkeleton &Skeleton) { Skeleton.Run(Shape.data(), Settings.data()); }

  /// The skeleton has used up the work that it may do.
  void tire();
  /// Instructions that were executed since the evaluation began.
  std::int64_t workDone() const;

  /// A library starts a thread.
  void noteThread() { ThreadStarted.store(true, std::memory_order_relaxed); }

  /// Calls Function(Object) and remembers what it allocates; a later call with both the same only counts that again.
  /// So does one with another object of which Describe, if it is not null, says the same.
  void repeat(void (*Function)(void *), void *Object, char *(*Describe)(void *));

  /// Loops whose iterations are all alike, one inside the other: after a first iteration that leaves live what it
  /// found, the others are counted without being run; true then.
  void beginIterations();
  bool countIterations(std::uint64_t Iterations);
  void endIterations();

  /// The operator does not return. Message: a sentence to display.
  [[noreturn]] void leave(const char *Message, std::optional<std::uint32_t> Reason);

private:
  /// A power of two in size: a loop over samples finds its decision millions of times.
  struct alignas(64) DecisionState {
    std::uint64_t Asked = 0, Ones = 0;
    std::uint64_t Least = UINT64_MAX, Greatest = 0; ///< of value decisions
    std::uint64_t GivenValue = 0;                   ///< of a branch: so often it is answered 1
    std::optional<BranchAnswer> GivenBranch;
    bool HasValue = false; ///< GivenValue is given
    bool IsValue = false;  ///< asked as a value
    /// Up to so many times asked the answer is the proposal, or always the same: (proposal & Proposals) ^ Always.
    std::uint32_t AskedSimply = 0;
    std::uint8_t Proposals = 0, Always = 0;
  };

  std::uint64_t tensorAt(const void *Address) const;
  void begin(const EvaluationRequest &Request, LoadedSkeleton &Skeleton);
  void beginCall();
  std::uint64_t remembered(const LoadedSkeleton &Skeleton) const;
  std::vector<DecisionState> callsBetween(LoadedSkeleton &Skeleton, const EvaluationRequest &Request);
  bool call(LoadedSkeleton &Skeleton, bool ConstructorsOnly);
  DecisionState &ask(std::uint32_t Decision);
  template <class Function> void changeTaint(Function Change);
  char *newTensor();
  std::uint32_t decideWithCare(std::uint32_t Decision, std::uint32_t Proposed, const DecisionPoint &From);
  void answerSimply(bool Proposals);

  /// What one execution of a repeated call did: its peak above the live bytes at its start, and its sums.
  struct Repeated {
    void (*Function)(void *);
    void *Object;
    Accounting::SpaceFigures Did;
  };
  std::vector<Repeated> RepeatedCalls;
  struct Described {
    void (*Function)(void *);
    std::string Text;
    Accounting::SpaceFigures Did;
  };
  std::vector<Described> DescribedCalls;
  Accounting::SpaceFigures callOnce(void (*Function)(void *), void *Object, char *(*Describe)(void *));
  SizesFromData Sizes = SizesFromData::AsAnswered;
  bool AnySizeGiven = false;         ///< the request answers value decisions
  std::vector<std::int32_t> Endless; ///< sites that were asked for a size without an upper bound
  void withoutBound(Heap::Request &Wanted);
  std::vector<std::uint32_t> Unknowns;              ///< met in this call, ascending
  std::vector<std::uint32_t> Recalled, RecalledNow; ///< in all calls, and in this one
  TaintedMemory Tainted;
  std::uint64_t BlocksLeft = 0;       ///< blocks that lived when this call began
  std::vector<std::uint32_t> Refused; ///< calls that this request leaves out, by number

  struct Loop {
    Accounting::Mark AtStart;
    bool First;
  };
  std::array<Loop, 32> Loops = {};
  LiveSteps Steps;
  std::size_t LoopDepth = 0; ///< may be greater than there is room: such loops are run iteration by iteration

  Exploration *Exploring = nullptr; ///< it gets all that the skeleton does
  std::vector<std::uint8_t> SiteSpaces;
  std::atomic<Mode> Now = Mode::Outside;
  std::atomic<bool> ThreadStarted = false;
  std::vector<DecisionState> Decisions;
  bool Decided = false;       ///< a decision was asked in this call
  std::int64_t Undecided = 0; ///< peak before that
  std::vector<std::int64_t> Shape;
  std::vector<double> Settings;
  std::size_t ShapeGiven = 0, SettingsGiven = 0; ///< numbers that the last request gave
  std::uint32_t DefaultThreads = 1, Processors = 1;
  std::uint64_t TensorBytes = 0;
  struct Tensor {
    char *Begin = nullptr; ///< null until asked for
    bool Written = false;  ///< from the first write on it can be written to, and is cleared for each evaluation
  };
  std::vector<Tensor> Tensors; ///< by parameter
  std::size_t TensorsEnd = 0;  ///< behind the last of them
  bool TensorsUsed = false;
  /// Writes are watched for: most skeletons only read tensors, and to clear one takes longer than many an evaluation.
  bool TensorsWatched = false;
  FloatEnvironment Floats;
  Rounding Rounds = Rounding::Nearest;
  std::int64_t WorkGiven = INT64_MAX; ///< to this evaluation
  jmp_buf Exit = {};
  pthread_t Runner = {};
  const char *LeavingMessage = "";
  std::optional<std::uint32_t> LeavingReason;
};

/// Answers that a request for memory failed, and ends the process.
[[noreturn]] void endBy(Heap::Fault Problem, std::int64_t Site, std::uint64_t Bytes);

extern constinit Evaluation TheEvaluation;
inline Evaluation &evaluation() { return TheEvaluation; }

} // namespace memshape

#endif // MEMSHAPE_SKELETON_EVALUATION_H
