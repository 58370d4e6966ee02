// What points-to facts reveal.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loops/Loops.h"
#include "lower/Checks.h"
#include "lower/Lower.h"
#include "memory/ModRefIndex.h"
#include "memshape/SkeletonAbi.h"
#include "skeleton/Stages.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace memshape {

/// Replaces each dynamic_cast whose outcome follows from the classes of all objects that it can be given.
static bool resolveCasts(Module &M, const PointsTo &Memory) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Call = dyn_cast<CallInst>(&I);
      const std::optional<bool> Succeeds = Call && isDynamicCast(*Call) ? Memory.castSucceeds(*Call) : std::nullopt;
      if (!Succeeds)
        continue;
      Call->replaceAllUsesWith(*Succeeds ? Call->getArgOperand(0) : Constant::getNullValue(Call->getType()));
      Call->eraseFromParent();
      Changed = true;
    }
  return Changed;
}

/// Replaces calls through pointers that can reach one function only.
static bool devirtualise(Module &M, const PointsTo &Memory) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || !Call->isIndirectCall())
        continue;
      bool Complete;
      SmallVector<Function *, 2> Callees = Memory.callees(*Call, Complete);
      if (!Complete || Callees.size() != 1 || Callees[0]->getFunctionType() != Call->getFunctionType())
        continue;
      Call->setCalledFunction(Callees[0]);
      Changed = true;
    }
  return Changed;
}

/// V may be read from what is data, or from where such a pointer leads: others have set it.
static bool comesFromData(const Value *V, const PointsTo &Memory, ModRefIndex &Accesses) {
  SmallPtrSet<const Value *, 8> Seen;
  SmallVector<const Value *, 8> Work = {V};
  while (!Work.empty()) {
    const auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (const auto *Load = dyn_cast<LoadInst>(I)) {
      const auto &From = Memory.targets(Load->getPointerOperand());
      if (any_of(From, [&](Place T) { return Memory.object(T.Object).IsData || Memory.object(T.Object).HoldsData; }) ||
          Accesses.readsUnset(*Load))
        return true;
    }
    if (isa<LoadInst, GetElementPtrInst, PHINode, SelectInst, FreezeInst, CastInst>(I))
      append_range(Work, I->operands());
  }
  return false;
}

/// A place that uses a pointer which is never set can only be reached by mistake: what only null allows is gone with
/// it.
static bool dropImpossiblePaths(Module &M, Function &Root, const PointsTo &Memory) {
  SmallVector<Instruction *, 8> Impossible;
  std::unique_ptr<ModRefIndex> Accesses;
  for (Function &F : M)
    for (BasicBlock &BB : F)
      for (Instruction &I : BB) {
        const auto *Call = dyn_cast<CallBase>(&I);
        const Value *Pointer = getLoadStorePointerOperand(&I);
        const bool IsNeverSet = Call ? Memory.isDeadCall(*Call)
                                     : Pointer && Pointer->getType()->isPointerTy() && Memory.targets(Pointer).empty();
        if (!IsNeverSet)
          continue;
        if (!Accesses)
          Accesses = std::make_unique<ModRefIndex>(M, Root, Memory);
        if (comesFromData(Call ? Call->getCalledOperand() : Pointer, Memory, *Accesses))
          continue;
        Impossible.push_back(&I);
        break;
      }
  for (Instruction *I : Impossible)
    leaveBefore(I, MEMSHAPE_SK_IMPOSSIBLE);
  return !Impossible.empty();
}

bool resolveVirtualCalls(Module &M, SkeletonState &State) {
  const auto IsIndirect = [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return Call && Call->isIndirectCall();
  };
  const unsigned MaxRounds = 4;
  for (unsigned Round = 0; Round != MaxRounds && any_of(instructions(*State.Root), IsIndirect); ++Round) {
    const PointsTo Memory(M, *State.Root, State.mostSteps());
    if (!Memory.isComplete() || !devirtualise(M, Memory))
      break;
    lowerAllocations(M);
    if (!flatten(M, *State.Root, State.Simplify, /*Optimised=*/true, /*KeepsThrows=*/true))
      return State.fail("it is too large");
  }
  return true;
}

/// What points-to facts reveal is used to flatten further, until nothing more comes of it.
bool resolveCalls(Module &M, SkeletonState &State) {
  if (!leavesUnbuilt(State)) // what is behind it would seem impossible
    return false;
  const unsigned MaxRounds = 6;
  for (unsigned Round = 1;; ++Round) {
    lowerAllocations(M); // malloc and free, called through a pointer until now
    straightenThrows(M);
    moveChecksOutOfLoops(M, State.Simplify.analyses());
    separateDistances(M);
    std::unique_ptr<PointsTo> Memory = State.followPointers(M, State.mostSteps());
    bool Changed = false;
    if (Round != MaxRounds && Memory->isComplete() && !State.Spent.isExhausted()) {
      Changed = devirtualise(M, *Memory);
      Changed |= dropImpossiblePaths(M, *State.Root, *Memory);
      Changed |= resolveCasts(M, *Memory);
    }
    if (!Changed) {
      State.keepPointers(std::move(Memory));
      return State.affords(M, Effort::Slicing) && State.pointers(M);
    }
    flatten(M, *State.Root, State.Simplify, /*Optimised=*/true);
    State.simplify(M);
  }
}

} // namespace memshape
