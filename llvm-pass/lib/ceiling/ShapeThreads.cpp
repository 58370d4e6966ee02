// Numbers that threads get.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     std::atomic<int> next = 0;
//     while ((row = next++) < rows)     // in each of several threads
//       ...
//
// Whoever comes first takes a number, and it only grows. A thread that finds it at the limit takes none any more. So all
// of them together take each number below the limit once, and each of them takes at most one more.
//
//     #pragma omp parallel num_threads(k)    // k threads at most, or as many as the machine has where k names none
//     int own = omp_get_thread_num();        // from 0 on, below the number of the largest team
//
// A region in a region that names no number has as many as the environment says for its level: they have no bound here.

#include "ceiling/ShapeRanges.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memshape {

static bool takesFrom(const Instruction &I, const Type *Of) {
  const auto *Taken = dyn_cast<AtomicRMWInst>(&I);
  const auto *Step = Taken ? dyn_cast<ConstantInt>(Taken->getValOperand()) : nullptr;
  return Step && Taken->getOperation() == AtomicRMWInst::Add && Taken->getType() == Of &&
         Step->getValue().isStrictlyPositive() && Step->getValue().getActiveBits() < 31;
}

std::optional<ShapeRanges::Deal> ShapeRanges::dealOf(AtomicRMWInst &Taken) {
  if (const auto At = Deals.find(&Taken); At != Deals.end())
    return At->second;
  if (!OpenDeals.insert(&Taken).second) {
    ++OpenMet;
    return std::nullopt;
  }
  std::optional<Deal> Found = findDeal(Taken);
  OpenDeals.erase(&Taken);
  return Deals[&Taken] = Found;
}

std::optional<ShapeRanges::Deal> ShapeRanges::findDeal(AtomicRMWInst &Taken) {
  const unsigned Bits = Taken.getType()->getPrimitiveSizeInBits();
  const ArrayRef<ModRef> Reads = Accesses.of(&Taken);
  if (Taken.getFunction() != &F || Bits > 64 || !takesFrom(Taken, Taken.getType()) || Reads.size() != 1 ||
      mayBeLeftBehind(Reads.front()))
    return std::nullopt;
  Deal Found;
  Found.Least = Found.Range = Found.Starts = A.constant(0, 0);
  Interval Beyond = A.constant(0, 0); ///< what is added to numbers at the limit
  bool AllKnown = true;
  Accesses.forWritersOf(Reads.front(), [&](const ModRef &Write) {
    AllKnown &= Write.By->getFunction() == &F;
    if (!AllKnown)
      return;
    if (auto *Other = dyn_cast<AtomicRMWInst>(Write.By); Other && takesFrom(*Other, Taken.getType())) {
      const uint64_t Step = cast<ConstantInt>(Other->getValOperand())->getZExtValue();
      Found.Step = Found.Step ? std::min(Found.Step, Step) : Step;
      const Loop *L = LI.getLoopFor(Other->getParent());
      const BasicBlock *Latch = L ? L->getLoopLatch() : nullptr, *Before = L ? L->getLoopPredecessor() : nullptr;
      Interval Limit;
      if (Latch && Before && DT.dominates(Other->getParent(), Latch))
        Limit = boundsFromFacts(Other, true, factsOn({{Other}, {}, Latch->getTerminator(), L->getHeader()}));
      Value *Times = Limit.High ? executions(*Before) : executions(*Other->getParent());
      if (Limit.High)
        Found.Range = A.hull(Found.Range, A.add({Limit.High, Limit.High}, A.constant(int64_t(Step), int64_t(Step))));
      Beyond = A.add(Beyond, A.multiply({B.getInt64(0), Times}, A.constant(int64_t(Step), int64_t(Step))));
    } else if (auto *Store = dyn_cast<StoreInst>(Write.By);
               Store && Store->getValueOperand()->getType() == Taken.getType()) {
      const Interval Start = at(Store->getValueOperand(), true, *Store);
      Found.Least = A.hull(Found.Least, Start);
      Found.Starts = A.add(Found.Starts, {B.getInt64(0), executions(*Store->getParent())});
    } else if (const auto *Set = dyn_cast<MemSetInst>(Write.By)) {
      const auto *Zero = dyn_cast<ConstantInt>(Set->getValue());
      AllKnown &= Zero && Zero->isZero();
      Found.Starts = A.add(Found.Starts, {B.getInt64(0), executions(*Set->getParent())});
    } else {
      const auto *Call = dyn_cast<CallBase>(Write.By);
      AllKnown &= Call && isHeapCall(runnerCall(*Call));
      Found.Starts = A.add(Found.Starts, {B.getInt64(0), executions(*Write.By->getParent())});
    }
  });
  Found.Range = A.hull(Found.Range, Found.Least);
  Found.Range.High = A.add(Found.Range, Beyond).High;
  if (!AllKnown || !Found.Range.High)
    return std::nullopt;
  // No number on the way has wrapped around where not even the greatest does.
  const int64_t Most = Bits < 64 ? (int64_t(1) << (Bits - 1)) - 1 : INT64_MAX / 2;
  Value *Fits = B.CreateICmpSLE(Found.Range.High, B.getInt64(Most));
  Found.Range = A.choose(Fits, Found.Range, {});
  Found.Least = A.choose(Fits, Found.Least, {});
  return Found;
}

std::optional<std::pair<Place, Interval>> ShapeRanges::dealtTo(const BasicBlock &BB) {
  std::optional<Place> Where;
  Interval Numbers = A.constant(0, 0);
  Deal Common;
  for (const BasicBlock *From : predecessors(&BB)) {
    const Instruction &Last = *From->getTerminator();
    AtomicRMWInst *Taken = nullptr;
    for (const Comparison &C : factsOn({{}, {}, &Last, &BB}))
      if (auto *Left = dyn_cast<AtomicRMWInst>(C.Left); Left && LI.getLoopFor(Left->getParent()) == LI.getLoopFor(From))
        Taken = Left; // once for each time that control takes this edge
    const std::optional<Deal> Dealt = Taken ? dealOf(*Taken) : std::nullopt;
    // A variable is one at a time, and starts anew where it is another one.
    const PlaceSet At = Taken ? Memory.targets(Taken->getPointerOperand()) : PlaceSet();
    if (!Dealt || At.size() != 1 || !At.begin()->isFixed() || (Where && *Where != *At.begin()) ||
        Memory.object(At.begin()->Object).Kind != PointsTo::ObjectKind::Stack)
      return std::nullopt;
    Where = *At.begin();
    Common = *Dealt;
    const Interval Limit = onWay({{Taken}, {}, &Last, &BB});
    Numbers = A.maximum(Numbers, A.add(A.subtract(Limit, Dealt->Least), A.constant(1, 1)));
  }
  if (!Where || !Common.Starts.High)
    return std::nullopt;
  const auto Step = int64_t(Common.Step);
  const Interval Taken = A.divide(A.add(Numbers, A.constant(Step - 1, Step - 1)), A.constant(Step, Step));
  return std::pair(*Where, A.multiply(Taken, Common.Starts));
}

Interval ShapeRanges::defaultMembers() {
  return A.exactly(B.CreateCall(runnerFunction(*B.GetInsertBlock()->getModule(), RunnerCall::DefaultThreads)), true);
}

Interval ShapeRanges::membersOf(CallBase &TeamSize) {
  const Interval Wanted = at(TeamSize.getArgOperand(0), true, TeamSize);
  const Interval Named = A.maximum(Wanted, A.constant(1, 1));
  Value *Names = A.isBelow(A.constant(0, 0), Wanted);
  const bool AlwaysNames = isa<Constant>(Names) && !cast<Constant>(Names)->isNullValue();
  const Interval Unnamed = AlwaysNames || Roles.of(TeamSize) ? A.atLeast(1) : defaultMembers();
  return {B.getInt64(1), A.choose(Names, Named, A.maximum(Named, Unnamed)).High};
}

Interval ShapeRanges::membersOfAny() {
  if (Members)
    return *Members;
  Members = A.atLeast(1); // while it is asked for
  Interval Most = A.constant(1, 1);
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && runnerCall(*Call) == RunnerCall::TeamSize)
      Most = A.maximum(Most, membersOf(*Call));
  return *(Members = {B.getInt64(1), Most.High});
}

Interval ShapeRanges::ofTeam(CallBase &Call) {
  const RunnerCall Which = runnerCall(Call);
  if (!Roles.haveTeams())
    return {};
  if (Which == RunnerCall::TeamSize)
    return membersOf(Call);
  if (Which == RunnerCall::DefaultThreads && !Roles.of(Call))
    return defaultMembers();
  if (!Roles.of(Call)) // outside of regions the caller's team may be asked for
    return {};
  switch (Which) {
  case RunnerCall::Threads: return membersOfAny();
  case RunnerCall::Thread: return A.subtract({B.getInt64(1), membersOfAny().High}, A.constant(1, 1));
  case RunnerCall::Single: return A.constant(0, 1);
  default: return {};
  }
}

} // namespace memshape
