// Whether threads decide what a slice keeps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "slice/Interference.h"
#include "libraries/Summaries.h"
#include "memshape/SkeletonAbi.h"
#include "runner-calls/RunnerCalls.h"
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

class Interference {
public:
  Interference(Module &M, const PointsTo &Memory, ModRefIndex &Accesses);
  bool tells(const Instruction &Reader);

private:
  void followThread(const CallBase &Start);
  void follow(const Function &F);
  void take(const Instruction &I);
  bool isSeenByOthers(const ModRef &Access) const;

  const PointsTo &Memory;
  ModRefIndex &Accesses;
  DenseSet<const Instruction *> Inside; ///< what threads execute
  DenseSet<const Function *> Followed;
  DenseSet<unsigned> SeenOutside; ///< objects that are accessed by others, too
  bool Locks = false;             ///< threads take locks
};

Interference::Interference(Module &M, const PointsTo &P, ModRefIndex &A) : Memory(P), Accesses(A) {
  for (const Function &F : M)
    for (const Instruction &I : instructions(F))
      if (marksThread(I, RunnerCall::Spawn))
        followThread(cast<CallBase>(I));
  if (!Locks)
    return;
  for (const Function &F : M)
    for (const Instruction &I : instructions(F))
      if (!Inside.contains(&I))
        for (const ModRef &Access : Accesses.of(&I))
          for (unsigned Id : Accesses.objectsOf(Access))
            SeenOutside.insert(Id);
}

/// All that is executed before Start's thread ends. One that starts others may be followed too far, never too short.
void Interference::followThread(const CallBase &Start) {
  SmallVector<BasicBlock::const_iterator, 16> Ways = {std::next(Start.getIterator())};
  SmallPtrSet<const BasicBlock *, 16> Entered;
  bool StartsOthers = false;
  while (!Ways.empty()) {
    BasicBlock::const_iterator I = Ways.pop_back_val();
    const BasicBlock *Block = I->getParent();
    bool Ends = false;
    for (; I != Block->end() && !Ends; ++I) {
      StartsOthers |= marksThread(*I, RunnerCall::Spawn);
      Ends = !StartsOthers && marksThread(*I, RunnerCall::Spawned);
      take(*I);
    }
    if (!Ends)
      for (const BasicBlock *Next : successors(Block))
        if (Entered.insert(Next).second)
          Ways.push_back(Next->begin());
  }
}

void Interference::follow(const Function &F) {
  if (Followed.insert(&F).second)
    for (const Instruction &I : instructions(F))
      take(I);
}

void Interference::take(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Inside.insert(&I).second || !Call || isa<IntrinsicInst>(Call) || runnerCall(*Call) != RunnerCall::None)
    return;
  bool Complete;
  for (const Function *Callee : Memory.callees(*Call, Complete))
    follow(*Callee);
  Locks |= Memory.summaryFor(*Call).Locks;
}

/// What threads alone access is one thread's own, but for variables outside of functions.
bool Interference::isSeenByOthers(const ModRef &Access) const {
  return any_of(Accesses.objectsOf(Access), [&](unsigned Id) {
    return SeenOutside.contains(Id) || Memory.object(Id).Kind == PointsTo::ObjectKind::Global;
  });
}

bool Interference::tells(const Instruction &Reader) {
  if (Inside.empty() || countsOwners(Reader) || onlyAsksWhetherToWait(Reader))
    return false;
  bool Found = false;
  for (const ModRef &Read : Accesses.of(&Reader))
    if (Read.Reads)
      Accesses.forWritersOf(
          Read, [&](const Instruction *Writer) { return Found || !Inside.contains(Writer); },
          [&](const ModRef &Write) { Found |= Write.By->isAtomic() || (Locks && isSeenByOthers(Write)); });
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
