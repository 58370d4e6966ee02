// Whether threads decide what a slice keeps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     std::atomic<int> next = 0;
//     auto work = [&] { for (int i; (i = next++) < n;) smooth(rows[i]); };    who takes which row, and how many?
//
// A skeleton executes a thread where it is started, so the first thread takes all rows. That is one run of many: what a
// thread leaves in an atomic variable, or under a lock, others read sooner or later. What is neither is read by one
// thread alone, or by those behind a join; all else is a race, of which C and C++ promise nothing.

#include "memshape/SkeletonAbi.h"
#include "runner-calls/RunnerCalls.h"
#include "slice/Questions.h"
#include "threads/Threads.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace memshape {

namespace {

/// I counts owners, as shared_ptr does: whoever comes last frees, and that one of them does is known.
bool countsOwners(const Instruction &I) {
  const auto *Count = dyn_cast<AtomicRMWInst>(&I);
  return Count && isa<ConstantInt>(Count->getValOperand()) &&
         (Count->getOperation() == AtomicRMWInst::Add || Count->getOperation() == AtomicRMWInst::Sub) &&
         all_of(Count->users(), [](const User *Each) {
           const auto *Compare = dyn_cast<ICmpInst>(Each);
           return Compare && Compare->isEquality() && isa<ConstantInt>(Compare->getOperand(1));
         });
}

bool waits(const BasicBlock &Block) {
  return any_of(Block, [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return Call && runnerCall(*Call) == RunnerCall::Leave &&
           cast<ConstantInt>(Call->getArgOperand(0))->getZExtValue() == MEMSHAPE_SK_WAITS;
  });
}

/// What V says is only whether to wait on, as for a future: who goes on has found what it waited for.
bool onlyAsksWhetherToWait(const Value &V, unsigned Depth = 0) {
  return Depth < 4 && all_of(
                          V.users(),
                          [&](const User *Each) {
                            if (const auto *Branch = dyn_cast<BranchInst>(Each))
                              return any_of(Branch->successors(), [](const BasicBlock *Next) { return waits(*Next); });
                            return (isa<BinaryOperator>(Each) || isa<CastInst>(Each) || isa<ICmpInst>(Each)) &&
                                   onlyAsksWhetherToWait(*Each, Depth + 1);
                          });
}

/// Which thread executes it decides what I stores, or where.
bool saysWhichThread(const Instruction &I) {
  SmallSetVector<const Value *, 16> Before;
  Before.insert(I.op_begin(), I.op_end());
  for (unsigned At = 0; At != Before.size(); ++At) {
    const auto *From = dyn_cast<Instruction>(Before[At]);
    if (const auto *Call = dyn_cast_or_null<CallBase>(From); Call && runnerCall(*Call) == RunnerCall::Thread)
      return true;
    if (From && !isa<AllocaInst>(From))
      Before.insert(From->op_begin(), From->op_end());
  }
  return false;
}

/// What threads execute at the same time: those that are started, or a team from one barrier to the next.
struct Phase {
  DenseSet<const Instruction *> Executed;
  DenseSet<const Function *> Followed;
  bool Locks = false; ///< its threads take locks
  bool Deals = false; ///< whichever thread comes first gets the next part of a loop
};

class Interference {
public:
  Interference(Module &M, const PointsTo &Memory, ModRefIndex &Accesses);
  bool tells(const Instruction &Reader);

private:
  void followTeam(const Function &Member, bool Splits);
  void followThread(Phase &P, const CallBase &Start);
  void walk(Phase &P, BasicBlock::const_iterator From, function_ref<bool(const Instruction &)> IsEnd);
  void follow(Phase &P, const Function &F);
  void take(Phase &P, const Instruction &I);
  bool isInside(const Instruction &I) const {
    return any_of(Phases, [&](const Phase &P) { return P.Executed.contains(&I); });
  }
  bool isSeenByOthers(const ModRef &Access) const;
  bool isChance(const Phase &P, const ModRef &Write, bool Beside) const;

  const PointsTo &Memory;
  ModRefIndex &Accesses;
  std::vector<Phase> Phases;
  DenseSet<unsigned> SeenOutside; ///< objects that are accessed by others, too
};

bool isBarrier(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && runnerCall(*Call) == RunnerCall::Barrier;
}

Interference::Interference(Module &M, const PointsTo &P, ModRefIndex &A) : Memory(P), Accesses(A) {
  const bool Splits =
      none_of(M, [](const Function &F) { return !isExecutedByTeams(F) && any_of(instructions(F), isBarrier); });
  Phases.emplace_back(); // of threads that are started
  for (const Function &F : M) {
    if (isExecutedByTeams(F) && !F.isDeclaration())
      followTeam(F, Splits);
    for (const Instruction &I : instructions(F))
      if (marksThread(I, RunnerCall::Spawn))
        followThread(Phases.front(), cast<CallBase>(I));
  }
  if (none_of(Phases, [](const Phase &P) { return P.Locks; }))
    return;
  for (const Function &F : M)
    for (const Instruction &I : instructions(F))
      if (!isInside(I))
        for (const ModRef &Access : Accesses.of(&I))
          for (unsigned Id : Accesses.objectsOf(Access))
            SeenOutside.insert(Id);
}

/// Splits: no function that Member calls waits at a barrier of its own.
void Interference::followTeam(const Function &Member, bool Splits) {
  const auto IsEnd = [&](const Instruction &I) { return Splits && isBarrier(I); };
  walk(Phases.emplace_back(), Member.getEntryBlock().begin(), IsEnd);
  for (const Instruction &I : instructions(Member))
    if (IsEnd(I))
      walk(Phases.emplace_back(), std::next(I.getIterator()), IsEnd);
}

/// All that is executed before Start's thread ends. One that starts others may be followed too far, never too short.
void Interference::followThread(Phase &P, const CallBase &Start) {
  bool StartsOthers = false;
  walk(P, std::next(Start.getIterator()), [&](const Instruction &I) {
    StartsOthers |= marksThread(I, RunnerCall::Spawn);
    return !StartsOthers && marksThread(I, RunnerCall::Spawned);
  });
}

void Interference::walk(Phase &P, BasicBlock::const_iterator From, function_ref<bool(const Instruction &)> IsEnd) {
  SmallVector<BasicBlock::const_iterator, 16> Ways = {From};
  SmallPtrSet<const BasicBlock *, 16> Entered;
  while (!Ways.empty()) {
    BasicBlock::const_iterator I = Ways.pop_back_val();
    const BasicBlock *Block = I->getParent();
    bool Ends = false;
    for (; I != Block->end() && !Ends; ++I) {
      Ends = IsEnd(*I);
      take(P, *I);
    }
    if (!Ends)
      for (const BasicBlock *Next : successors(Block))
        if (Entered.insert(Next).second)
          Ways.push_back(Next->begin());
  }
}

void Interference::follow(Phase &P, const Function &F) {
  if (P.Followed.insert(&F).second)
    for (const Instruction &I : instructions(F))
      take(P, I);
}

void Interference::take(Phase &P, const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!P.Executed.insert(&I).second || !Call || isa<IntrinsicInst>(Call))
    return;
  const RunnerCall Which = runnerCall(*Call);
  P.Deals |= Which == RunnerCall::Loop;
  P.Locks |= Which == RunnerCall::Lock || (Which == RunnerCall::None && Memory.summaryFor(*Call).Locks);
  bool Complete;
  if (Which == RunnerCall::None)
    for (const Function *Callee : Memory.callees(*Call, Complete))
      follow(P, *Callee);
}

/// What threads alone access is one thread's own, but for variables outside of functions.
bool Interference::isSeenByOthers(const ModRef &Access) const {
  return any_of(Accesses.objectsOf(Access), [&](unsigned Id) {
    return SeenOutside.contains(Id) || Memory.object(Id).Kind == PointsTo::ObjectKind::Global;
  });
}

/// What others find once Write is done depends on the order of P's threads. Beside: they look while these run.
bool Interference::isChance(const Phase &P, const ModRef &Write, bool Beside) const {
  const auto *Change = dyn_cast<AtomicRMWInst>(Write.By);
  const bool IsSum = Change && Change->use_empty() && // in the end it is the same in any order
                     is_contained({AtomicRMWInst::Add, AtomicRMWInst::Sub}, Change->getOperation());
  return (Write.By->isAtomic() && (Beside || !IsSum)) || (P.Locks && isSeenByOthers(Write)) ||
         (P.Deals && saysWhichThread(*Write.By));
}

bool Interference::tells(const Instruction &Reader) {
  if (countsOwners(Reader) || onlyAsksWhetherToWait(Reader))
    return false;
  const bool Inside = isInside(Reader);
  bool Found = false;
  for (const ModRef &Read : Accesses.of(&Reader))
    if (Read.Reads)
      Accesses.forWritersOf(
          Read, [&](const Instruction *Writer) { return Found || !isInside(*Writer); },
          [&](const ModRef &Write) {
            Found |= any_of(Phases, [&](const Phase &P) {
              return P.Executed.contains(Write.By) && (!Inside || P.Executed.contains(&Reader)) &&
                     isChance(P, Write, Inside || &P == &Phases.front());
            });
          });
  return Found;
}

} // namespace

bool dependsOnThreads(Module &M, const Slice &S, const PointsTo &Memory, ModRefIndex &Accesses) {
  Interference Among(M, Memory, Accesses);
  return any_of(M, [&](const Function &F) {
    return any_of(instructions(F), [&](const Instruction &I) { return S.isLive(&I) && Among.tells(I); });
  });
}

} // namespace memshape
