// setjmp and longjmp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/Jumps.h"
#include "libraries/reader/Known.h"
#include "lower/LeadingTo.h"
#include "lower/Lower.h"
#include "memshape/SkeletonAbi.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace memshape {

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

/// Blocks of F that lead to a jump, of their own or in a function of Jumping, which never returns otherwise.
static Blocks leadingToJump(const Function &F, const SmallPtrSetImpl<const Function *> &Jumping) {
  return leadingTo(F, [&](const BasicBlock &BB) {
    return any_of(BB, [&](const Instruction &I) {
      const auto *Call = dyn_cast<CallBase>(&I);
      return Call && (jumps(*Call) || Jumping.contains(Call->getCalledFunction()));
    });
  });
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
      if (!F.isDeclaration() && !Jumping.contains(&F) && leadingToReturn(F).empty() &&
          !leadingToJump(F, Jumping).empty())
        Grown |= Jumping.insert(&F).second;
  }
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    const Blocks Returning = leadingToReturn(F), Leaving = leadingToJump(F, Jumping);
    for (BasicBlock &BB : F)
      if (Leaving.contains(&BB) && !Returning.contains(&BB) && !BB.isEHPad())
        leaveBefore(&*BB.getFirstNonPHIOrDbg(), MEMSHAPE_SK_CAUGHT);
  }
}

} // namespace memshape
