// What an operator can need at most, whatever data is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ceiling/Ceiling.h"
#include "ceiling/GrowingArrays.h"
#include "ceiling/GrowthRules.h"
#include "ceiling/Lifetimes.h"
#include "ceiling/ShapeRanges.h"
#include "ceiling/StandIn.h"
#include "libraries/Summaries.h"
#include "libraries/reader/Known.h"
#include "lower/LeadingTo.h"
#include "memshape/SkeletonAbi.h"
#include "operators/SourcePlace.h"
#include "runner-calls/BuildsArguments.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace memshape {

/// An operator with more allocating calls gets no ceiling.
static constexpr size_t MostAllocations = 400;

/// Bytes that the C++ run-time library keeps in front of each exception, as in the Itanium ABI.
static constexpr uint64_t ExceptionHeader = 128;

static Value *exceptionMemory(CallBase &Call, Value *Bytes) {
  Module &M = *Call.getModule();
  LLVMContext &C = M.getContext();
  IRBuilder<> B(&Call);
  CallInst *Block =
      B.CreateCall(runnerFunction(M, RunnerCall::Alloc), {Bytes, B.getInt64(16), B.getInt32(0), B.getInt32(0)});
  Block->setMetadata(AllocatorMetadata, MDNode::get(C, {MDString::get(C, "an exception"), MDString::get(C, "host")}));
  Block->setMetadata(ExceptionMetadata, MDNode::get(C, {}));
  return Block;
}

/// Metadata kind on a call of a library function whose requests were inserted in front of it.
static constexpr char CountedMetadata[] = "memshape.counted";

/// The most bytes that Call, of a function without a body, requests; null if its summary does not say.
static Value *requestedBy(CallBase &Call, bool &Thrown) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration() || Callee->isIntrinsic())
    return nullptr;
  const std::optional<MostRequested> Most = summaryOf(*Callee).Requests;
  if (!Most)
    return nullptr;
  IRBuilder<> B(&Call);
  Value *Bytes = B.getInt64(Most->Bytes);
  if (Most->Text >= 0) {
    StringRef Text;
    if (unsigned(Most->Text) >= Call.arg_size() ||
        !getConstantStringInfo(Call.getArgOperand(unsigned(Most->Text)), Text))
      return nullptr;
    Bytes = B.getInt64(Most->Bytes + Text.size());
  }
  if (Most->Number >= 0)
    Bytes = B.CreateAdd(Bytes, B.CreateZExtOrTrunc(Call.getArgOperand(unsigned(Most->Number)), B.getInt64Ty()));
  // What the function makes is freed with the exception that it belongs to.
  Thrown = Most->Thrown;
  if (Thrown && !Call.doesNotReturn()) {
    const auto *Owner = dyn_cast<CallBase>(Call.getArgOperand(0)->stripInBoundsOffsets());
    Thrown = Owner && Owner->hasMetadata(ExceptionMetadata);
  }
  return Bytes;
}

void lowerExceptions(Module &M) {
  SmallVector<CallBase *, 8> Makers;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I);
          Call && Call->getCalledFunction() && Call->getCalledFunction()->getName() == "__cxa_allocate_exception")
        Makers.push_back(Call);
  for (CallBase *Call : Makers) {
    IRBuilder<> B(Call);
    Value *Block = exceptionMemory(*Call, B.CreateAdd(Call->getArgOperand(0), B.getInt64(ExceptionHeader)));
    // The exception object begins behind the header. Only the object is read, so the block may stand for it.
    Call->replaceAllUsesWith(Block);
    if (auto *Invoke = dyn_cast<InvokeInst>(Call))
      changeToCall(Invoke)->eraseFromParent();
    else
      Call->eraseFromParent();
  }
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        bool Thrown = false;
        Value *Bytes = requestedBy(*Call, Thrown);
        if (!Bytes)
          continue;
        const auto *Number = dyn_cast<ConstantInt>(Bytes);
        auto *Block = Number && Number->isZero() ? nullptr : cast<CallBase>(exceptionMemory(*Call, Bytes));
        if (Block && !Thrown)
          Block->setMetadata(ExceptionMetadata, nullptr);
        Call->setMetadata(CountedMetadata, MDNode::get(M.getContext(), {}));
      }
}

void dropWaysWithoutReturn(Function &F) {
  const Blocks Returning = leadingToReturn(F);
  for (BasicBlock &BB : F)
    if (auto *Invoke = dyn_cast<InvokeInst>(BB.getTerminator()); Invoke && !Returning.contains(Invoke->getUnwindDest()))
      changeToCall(Invoke);
  for (BasicBlock &BB : make_early_inc_range(F))
    if (!Returning.contains(&BB) && !pred_empty(&BB) && !BB.isEHPad() && !isa<UnreachableInst>(BB.front()))
      changeToUnreachable(&*BB.getFirstInsertionPt());
  removeUnreachableBlocks(F);
}

namespace {

class CeilingBuilder {
public:
  CeilingBuilder(Function &F, const PointsTo &Memory, ModRefIndex &Accesses, FunctionAnalysisManager &FAM,
                 StandIn &Made)
      : F(F), Memory(Memory), Made(Made), B(Made.builder()), Arguments(F), Roles(F, Memory),
        Ranges(F, Memory, Accesses, Roles, FAM, B, Made.arguments()), Lives(F, Ranges.loops(), Accesses, Roles),
        Arrays(F, Accesses, Ranges, Lives), Rules(F, Ranges, Lives) {}
  bool run(std::string &Why);

private:
  bool allKnown(std::string &Why);
  bool unboundIfReached(const Instruction &I);
  Interval sizeOf(CallBase &Call);
  Value *bytesOf(CallBase &Call, SmallPtrSetImpl<CallBase *> &Others, std::string &Why);
  void add(ShapeRanges::Additions &To, const CallBase &Where, Interval What);
  bool countBlocks(ArrayRef<CallBase *> Allocations, Interval &Always, ShapeRanges::Additions &Left, std::string &Why);
  Interval liveAt(const CallBase &Event);
  Interval peakOf(const CallBase *Role);
  Value *membersOf(const CallBase &Role);
  Interval ofRunTime();

  Function &F;
  const PointsTo &Memory;
  StandIn &Made;
  IRBuilder<> &B;
  const BuildsArguments Arguments; ///< whose blocks are the caller's
  ThreadRoles Roles;
  ShapeRanges Ranges;
  Lifetimes Lives;
  GrowingArrays Arrays;
  GrowthRules Rules;
  std::map<const CallBase *, Lifetime> LivesOf;
  std::map<const CallBase *, Interval> Bytes;    ///< of all blocks of a call, or of those of one thread
  std::map<const CallBase *, Interval> OfOne;    ///< of one block, where as many live as there are executions
  std::map<const CallBase *, Interval> OfThread; ///< the bytes of one thread of a role
  Interval Unknown; ///< bytes of calls of unknown size: without an upper end if control can reach them
};

} // namespace

static std::string placeName(const Instruction &I) {
  const SourcePlace Place = displayPlace(I.getDebugLoc());
  return Place.File.empty() ? std::string("a place without a line") : Place.File + ":" + std::to_string(Place.Line);
}

/// Call asks an exception that is caught for a word: what(), of whatever class it is.
static bool asksException(const CallBase &Call) {
  const auto *Catch = isVirtual(Call) && Call.arg_size() == 1
                          ? dyn_cast<CallBase>(getUnderlyingObject(Call.getArgOperand(0)))
                          : nullptr;
  return Catch && Catch->getCalledFunction() && Catch->getCalledFunction()->getName() == "__cxa_begin_catch";
}

/// Whether Callee, called while the operator runs, allocates nothing that is not counted.
static bool allocatesNothing(const Function &Callee, const PointsTo &Memory, SmallPtrSetImpl<const Function *> &Seen,
                             std::string &Which) {
  if (Callee.isIntrinsic() || Callee.getName().starts_with("llvm."))
    return true;
  if (Callee.isDeclaration()) {
    const StringRef Name = Callee.getName();
    if (Name == "__cxa_throw" || Name == "__cxa_begin_catch" || Name == "__cxa_end_catch" || Name == "__cxa_rethrow" ||
        Name == "__cxa_free_exception" || Name == "__clang_call_terminate" || knownRole(Name) == Role::Terminate)
      return true;
    const Summary S = summaryOf(Callee);
    if (is_contained({Treatment::Compute, Treatment::Inspect, Treatment::Adjust, Treatment::Skip, Treatment::Ask},
                     S.How) ||
        (S.Requests && !S.Requests->Bytes && S.Requests->Text < 0 && S.Requests->Number < 0))
      return true;
    Which = demangle(nameOf(Callee).str());
    return false;
  }
  if (!Seen.insert(&Callee).second)
    return true;
  for (const Instruction &I : instructions(Callee))
    if (const auto *Call = dyn_cast<CallBase>(&I); Call && !Call->isInlineAsm()) {
      const Function *Inner = Call->getCalledFunction();
      const RunnerCall Kind = runnerCall(*Call);
      Which = Callee.getName().str();
      const bool Allocates = isHeapCall(Kind) && Kind != RunnerCall::Free;
      if (Memory.requestsNothing(*Call) || asksException(*Call))
        continue;
      if (!Inner || Allocates || Kind == RunnerCall::Spawn ||
          (Kind == RunnerCall::None && !allocatesNothing(*Inner, Memory, Seen, Which)))
        return false;
    }
  return true;
}

/// F, called back, writes nothing where others look; Arguments: but to what it is given, which nobody looks at any more.
static bool leavesAllElse(const Function &F, bool Arguments, SmallPtrSetImpl<const Function *> &Seen) {
  return !Seen.insert(&F).second || all_of(instructions(F), [&](const Instruction &I) {
    if (const auto *Call = dyn_cast<CallBase>(&I)) {
      const Function *Callee = Call->getCalledFunction();
      return Callee && (Callee->isDeclaration() || leavesAllElse(*Callee, Arguments, Seen));
    }
    const Value *Place = getLoadStorePointerOperand(&I);
    const Value *Object = Place ? getUnderlyingObject(Place) : nullptr;
    return !I.mayWriteToMemory() || (Object && (isa<AllocaInst>(Object) || (Arguments && isa<Argument>(Object))));
  });
}

/// Calls that say of teams how large they are, which thread asks, and where regions begin and end.
static bool asksOrFormsTeam(RunnerCall Kind) {
  return is_contained({RunnerCall::TeamSize, RunnerCall::DefaultThreads, RunnerCall::Levels, RunnerCall::Region,
                       RunnerCall::RegionEnd, RunnerCall::Serial, RunnerCall::Thread, RunnerCall::Threads,
                       RunnerCall::Level, RunnerCall::Single},
                      Kind);
}

/// Makes the bound infinite if control can reach I. False if control is known to reach it.
bool CeilingBuilder::unboundIfReached(const Instruction &I) {
  Value *Can = Ranges.canComeTo(*I.getParent());
  if (isa<Constant>(Can))
    return cast<Constant>(Can)->isNullValue();
  IntervalArithmetic &A = Ranges.arithmetic();
  Unknown = A.add(Unknown, A.choose(Can, A.constant(0, INT64_MAX), A.constant(0, 0)));
  return true;
}

bool CeilingBuilder::allKnown(std::string &Why) {
  // Only natural loops are counted, no other cycles.
  ReversePostOrderTraversal<const Function *> Order(&F);
  if (containsIrreducibleCFG<const BasicBlock *>(Order, Ranges.loops())) {
    Why = "it jumps into loops";
    return false;
  }
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || Call->isInlineAsm() || Arguments.contains(*Call))
      continue;
    SmallPtrSet<const Function *, 8> Seen = {&F}; // anew: one that allocates does so for each that calls it
    if (Call->hasFnAttr(Attribute::ReturnsTwice)) {
      Why = "what follows " + placeName(I) + " may be executed again after a jump";
      return false;
    }
    const RunnerCall Kind = runnerCall(*Call);
    if (Call->hasMetadata(CountedMetadata) || Memory.requestsNothing(*Call) || asksException(*Call) ||
        isHeapCall(Kind) || Kind == RunnerCall::Data || Kind == RunnerCall::BlockSize || Kind == RunnerCall::Leave ||
        Kind == RunnerCall::Check || Kind == RunnerCall::Building || Kind == RunnerCall::Result ||
        Kind == RunnerCall::Spawned || Kind == RunnerCall::Join || Kind == RunnerCall::Processors ||
        asksOrFormsTeam(Kind))
      continue;
    // A task may come late: what it frees lives until then.
    if (Kind == RunnerCall::Spawn && (marksThread(I, Kind) || !Roles.of(I)))
      continue;
    const Function *Callee = Call->getCalledFunction();
    std::string Which = Callee ? "" : "a function whose name is not known";
    if (Kind == RunnerCall::None && Callee && Callee->isDeclaration() && !Callee->isIntrinsic() &&
        any_of(Memory.calledBack(*Call, summaryOf(*Callee)),
               [&](const Function *Back) {
                 SmallPtrSet<const Function *, 4> Left;
                 return !allocatesNothing(*Back, Memory, Seen, Which) ||
                        !leavesAllElse(*Back, Call->doesNotReturn(), Left);
               }) &&
        !unboundIfReached(*Call)) {
      Why = "what is called at " + placeName(I) + " may call back: " + demangle(nameOf(*Callee).str());
      return false;
    }
    if ((Kind != RunnerCall::None || !Callee || !allocatesNothing(*Callee, Memory, Seen, Which)) &&
        !unboundIfReached(*Call)) {
      Why = "what is called at " + placeName(I) + " may allocate more: " + (Which.empty() ? "tasks" : Which);
      return false;
    }
  }
  return true;
}

/// A size of 2^63 bytes or more is one below zero that has left its type, and no memory has so many.
Interval CeilingBuilder::sizeOf(CallBase &Call) {
  const bool Again = runnerCall(Call) == RunnerCall::Realloc;
  Value *Size = Call.getArgOperand(Again ? ReallocBytes : AllocBytes);
  IntervalArithmetic &A = Ranges.arithmetic();
  const Interval Plainly = Ranges.at(Size, false, Call), Signed = Ranges.at(Size, true, Call);
  return {B.getInt64(0), A.meet(Plainly, {nullptr, A.maximum(A.constant(0, 0), Signed).High}).High};
}

/// The bytes that the blocks of Call hold at any time, and with them those of Others; those of one block where it
/// outlives its thread.
Value *CeilingBuilder::bytesOf(CallBase &Call, SmallPtrSetImpl<CallBase *> &Others, std::string &Why) {
  IntervalArithmetic &A = Ranges.arithmetic();
  const Lifetime &Life = LivesOf[&Call];
  Interval Size = sizeOf(Call);
  if (Life.Most && !Life.Outlives)
    if (Value *ByRule = Rules.bytesOf(Call, LivesOf, Others)) {
      const Interval Plainly = A.multiply(Size, A.constant(Life.Most, Life.Most));
      return A.meet({B.getInt64(0), ByRule}, Others.empty() ? Plainly : Interval()).High;
    }
  if (!Size.High && unboundIfReached(Call))
    Size = A.constant(0, 0);
  if (!Size.High) {
    Why = "the size at " + placeName(Call) + " has no bound that follows from the shape";
    return nullptr;
  }
  if (Life.Most && !Life.Outlives)
    return A.multiply(Size, A.constant(Life.Most, Life.Most)).High;
  Value *Times = Life.Outlives ? Ranges.executions(*Call.getParent())
                 : Life.Within ? Ranges.executions(*Call.getParent(), Life.Within)
                               : nullptr;
  if (!Times && unboundIfReached(Call))
    Times = B.getInt64(0);
  if (!Times) {
    Why = "how often " + placeName(Call) + " is reached has no bound that follows from the shape";
    return nullptr;
  }
  return Life.Outlives ? Size.High : A.multiply(Size, {B.getInt64(0), Times}).High;
}

/// Adds What, each time that control passes Where.
void CeilingBuilder::add(ShapeRanges::Additions &To, const CallBase &Where, Interval What) {
  Interval &Here = To[Where.getParent()];
  Here = Here.High ? Ranges.arithmetic().add(Here, What) : What;
}

/// What Event's thread holds right after Event, which allocates or starts a thread: its own blocks.
Interval CeilingBuilder::liveAt(const CallBase &Event) {
  IntervalArithmetic &A = Ranges.arithmetic();
  constexpr size_t MostTogether = 16;
  Interval Sum = A.constant(0, 0);
  std::map<const Loop *, ShapeRanges::Additions> Together; // calls of which one or the other is executed
  for (const auto &[Call, Held] : Bytes) {
    if (Roles.of(*Call) != Roles.of(Event) || (Call != &Event && !LivesOf[Call].LiveAt.contains(&Event)))
      continue;
    if (OfOne.size() <= MostTogether && OfOne.contains(Call))
      add(Together[LivesOf[Call].Within], *Call, OfOne[Call]);
    else
      Sum = A.add(Sum, Held);
  }
  for (const auto &[Within, Each] : Together)
    Sum = A.add(Sum, Ranges.addedBy(Each, Within));
  return Sum;
}

/// How many threads of a role there are at a time; null if unknown. Earlier teams have ended.
Value *CeilingBuilder::membersOf(const CallBase &Role) {
  IntervalArithmetic &A = Ranges.arithmetic();
  const CallBase *Outer = Roles.of(Role);
  Interval Members = A.constant(0, 0);
  for (const CallBase *Start : Roles.all().find(&Role)->second) {
    const BasicBlock &Block = *Start->getParent();
    Members = A.add(Members, {B.getInt64(0), Ranges.executions(Block, Ranges.loops().getLoopFor(&Block))});
  }
  if (Outer && Roles.isTeam(*Outer))
    Members = A.multiply(Members, {B.getInt64(0), membersOf(*Outer)});
  else if (Outer)
    Members = {B.getInt64(0), Ranges.executions(*Role.getParent())};
  return Members.High;
}

/// The most that one thread of Role holds, and with it, beside the operator's own, all others. Live bytes are greatest
/// right after an allocation.
Interval CeilingBuilder::peakOf(const CallBase *Role) {
  IntervalArithmetic &A = Ranges.arithmetic();
  Interval Peak = A.constant(0, 0);
  const auto Take = [&](const CallBase &Event) {
    ShapeRanges::Additions Beside; // how far these have come nobody knows, so each may be at its own peak
    Interval Team = A.constant(0, 0);
    for (const auto &[Other, Starts] : Roles.all())
      if (Role || !Roles.mayRunAt(*Other, Event))
        continue;
      else if (Roles.isTeam(*Other))
        Team = A.add(Team, A.multiply(OfThread[Other], {B.getInt64(0), membersOf(*Other)}));
      else
        for (const CallBase *Start : Starts)
          add(Beside, *Start, OfThread[Other]);
    Peak = A.maximum(Peak, A.add(A.add(liveAt(Event), Team), Ranges.addedBy(Beside)));
  };
  for (const auto &[Call, Held] : Bytes)
    if (Roles.of(*Call) == Role)
      Take(*Call);
  for (const auto &[Other, Starts] : Roles.all())
    for (const CallBase *Start : Starts)
      if (Roles.of(*Start) == Role)
        Take(*Start);
  return Peak;
}

/// What OpenMP's run-time library may hold for itself: for each thread that begins regions and may be new to it, and for
/// the members of the teams that there are at a time, which it keeps for later ones.
Interval CeilingBuilder::ofRunTime() {
  IntervalArithmetic &A = Ranges.arithmetic();
  const auto Constant = [&](int64_t Number) { return A.constant(Number, Number); };
  int64_t Regions = 0;
  std::set<const CallBase *> Beginners; ///< roles of threads that begin regions
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallBase>(&I); Call && runnerCall(*Call) == RunnerCall::Region)
      ++Regions, Beginners.insert(Roles.of(I));
  if (!Regions)
    return Constant(0);
  Interval Roots = Constant(1), Members = Constant(0);
  for (const auto &[Role, Starts] : Roles.all()) {
    Interval Team = Constant(0);
    for (const CallBase *Each = Roles.isTeam(*Role) ? Role : nullptr; Each; Each = Roles.of(*Each))
      Team = A.add(Team, {B.getInt64(0), membersOf(*Each)});
    Members = A.maximum(Members, Team);
    for (const CallBase *Start : Starts)
      if (!Roles.isTeam(*Role) && Beginners.count(Role))
        Roots = A.add(Roots, {B.getInt64(0), Ranges.executions(*Start->getParent())});
  }
  const int64_t Moment =
      MEMSHAPE_SK_TRACE_BYTES + Regions * (MEMSHAPE_SK_SERIAL_BYTES + MEMSHAPE_SK_NESTED_SERIAL_BYTES);
  return A.add(A.multiply(Roots, Constant(MEMSHAPE_SK_ROOT_BYTES + Moment)),
               A.multiply(Members, Constant(MEMSHAPE_SK_MEMBER_BYTES + Moment)));
}

/// Fills Bytes. Always: of arrays that grow. Left: blocks that outlive the thread that makes them.
bool CeilingBuilder::countBlocks(ArrayRef<CallBase *> Allocations, Interval &Always, ShapeRanges::Additions &Left,
                                 std::string &Why) {
  IntervalArithmetic &A = Ranges.arithmetic();
  SmallPtrSet<CallBase *, 8> Done, Shared; // Shared: counted with others, one for all
  for (CallBase *Call : Allocations)
    LivesOf[Call] = Lives.of(*Call);
  for (CallBase *Call : Allocations) {
    Lifetime &Life = LivesOf[Call];
    if (Done.contains(Call))
      continue;
    // Blocks that replace others, many at a time: together no more than what is put into them.
    SmallPtrSet<CallBase *, 4> Together;
    Value *Grown = Life.Most && !Life.Outlives ? nullptr : Arrays.bytesOf(*Call, Together);
    if (Grown && none_of(Together, [&](CallBase *Each) { return Shared.contains(Each); })) {
      for (CallBase *Each : Together)
        Bytes.erase(Each);
      Done.insert(Together.begin(), Together.end());
      Always = A.add(Always, {B.getInt64(0), Grown});
      continue;
    }
    Together.clear();
    Value *Most = bytesOf(*Call, Together, Why);
    if (!Most)
      return false;
    // One array, to which several calls add: it counts at each of them.
    if (!Together.empty())
      Shared.insert(Call);
    for (CallBase *Each : Together) {
      Done.insert(Each);
      Shared.insert(Each);
      Bytes[Each] = A.constant(0, 0);
      Life.LiveAt.insert(Each);
      Life.LiveAt.insert(LivesOf[Each].LiveAt.begin(), LivesOf[Each].LiveAt.end());
    }
    Value *Comes = Together.empty() ? Ranges.canComeTo(*Call->getParent()) : B.getTrue();
    const Interval Held = A.choose(Comes, {B.getInt64(0), Most}, A.constant(0, 0));
    const Interval Size = sizeOf(*Call);
    if (Life.Outlives && Ranges.executions(*Call->getParent()))
      add(Left, *Call, Held);
    else if (!Life.Outlives)
      Bytes[Call] = Held;
    if (!Life.Outlives && !Life.Most && Size.High && Ranges.executions(*Call->getParent(), Life.Within))
      OfOne[Call] = A.choose(Comes, Size, A.constant(0, 0));
  }
  return true;
}

bool CeilingBuilder::run(std::string &Why) {
  IntervalArithmetic &A = Ranges.arithmetic();
  Unknown = A.constant(0, 0);
  if (!Roles.areKnown()) {
    Why = "it cannot be told which thread executes what";
    return false;
  }
  if (!allKnown(Why))
    return false;
  SmallVector<CallBase *, 16> Allocations;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I);
        Call && (runnerCall(*Call) == RunnerCall::Alloc || runnerCall(*Call) == RunnerCall::Realloc) &&
        !Arguments.contains(*Call)) {
      const MDNode *Allocator = Call->getMetadata(AllocatorMetadata);
      if (!Allocator || cast<MDString>(Allocator->getOperand(1))->getString() == "host")
        Allocations.push_back(Call);
    }
  if (Allocations.size() > MostAllocations) {
    Why = "too many places allocate";
    return false;
  }
  Interval Always = A.constant(0, 0);
  ShapeRanges::Additions Left;
  if (!countBlocks(Allocations, Always, Left, Why))
    return false;
  for (const auto &[Role, Starts] : Roles.all()) {
    const auto IsUnbound = [&](const CallBase *Start) { return !Ranges.executions(*Start->getParent()); };
    if (Roles.isTeam(*Role) ? !membersOf(*Role) : any_of(Starts, IsUnbound)) {
      Why = "how many threads " + placeName(*Role) + " starts has no bound that follows from the shape";
      return false;
    }
    const int64_t Vector = Roles.isTeam(*Role) ? 0 : MEMSHAPE_SK_THREAD_VECTOR_BYTES;
    OfThread[Role] = A.add(peakOf(Role), A.constant(Vector, Vector));
  }
  const Interval Own = A.add(peakOf(nullptr), ofRunTime());
  const Interval Peak = A.add(Own, A.add(A.add(Always, Ranges.addedBy(Left)), Unknown));
  Made.allocate(Peak.High, "all of them");
  return true;
}

Function *buildCeiling(Function &F, const PointsTo &Memory, ModRefIndex &Accesses, FunctionAnalysisManager &FAM,
                       std::string &Why) {
  StandIn Made(F, "ceiling", *F.getParent());
  if (CeilingBuilder(F, Memory, Accesses, FAM, Made).run(Why))
    return Made.finish();
  Made.erase();
  return nullptr;
}

} // namespace memshape
