// setjmp and longjmp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/Jumps.h"
#include "libraries/reader/Known.h"
#include "lower/Lower.h"
#include "memshape/SkeletonAbi.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace memshape {

using Blocks = SmallPtrSet<BasicBlock *, 32>;

static const Function *declarationCalled(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration() ? Callee : nullptr;
}

static bool remembers(const CallBase &Call) {
  const Function *Callee = declarationCalled(Call);
  return Callee && knownRole(Callee->getName()) == Role::SetJump;
}

static bool jumps(const CallBase &Call) {
  const Function *Callee = declarationCalled(Call);
  return Callee && knownRole(Callee->getName()) == Role::Jump;
}

/// Start, and all blocks from which one of Start can be reached.
static Blocks reaching(Blocks Start) {
  SmallVector<BasicBlock *, 32> Work(Start.begin(), Start.end());
  while (!Work.empty())
    for (BasicBlock *Pred : predecessors(Work.pop_back_val()))
      if (Start.insert(Pred).second)
        Work.push_back(Pred);
  return Start;
}

static Blocks returning(Function &F) {
  Blocks Ends;
  for (BasicBlock &BB : F)
    if (isa<ReturnInst>(BB.getTerminator()))
      Ends.insert(&BB);
  return reaching(std::move(Ends));
}

/// Blocks of F that jump, either themselves or by calling a function of Jumping, which never returns otherwise.
static Blocks jumping(Function &F, const SmallPtrSetImpl<const Function *> &Jumping) {
  Blocks Found;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && (jumps(*Call) || Jumping.contains(Call->getCalledFunction())))
      Found.insert(I.getParent());
  return Found;
}

void lowerJumps(Module &M) {
  SmallVector<CallBase *, 4> Places;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I); Call && remembers(*Call))
        Places.push_back(Call);
  if (Places.empty())
    return;
  for (CallBase *Call : Places) {
    Call->replaceAllUsesWith(Constant::getNullValue(Call->getType()));
    Call->eraseFromParent();
  }
  SmallPtrSet<const Function *, 8> Jumping;
  for (bool Grown = true; Grown;) {
    Grown = false;
    for (Function &F : M)
      if (!F.isDeclaration() && !Jumping.contains(&F) && returning(F).empty() && !jumping(F, Jumping).empty())
        Grown |= Jumping.insert(&F).second;
  }
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    Blocks Returning = returning(F), Leaving = reaching(jumping(F, Jumping));
    for (BasicBlock &BB : F)
      if (Leaving.contains(&BB) && !Returning.contains(&BB) && !BB.isEHPad())
        leaveBefore(&*BB.getFirstNonPHIOrDbg(), MEMSHAPE_SK_CAUGHT);
  }
}

} // namespace memshape
