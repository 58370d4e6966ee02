//===- Checks.cpp - Tests that end in a throw or an abort -----------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/Checks.h"
#include "lower/Lower.h"
#include "memshape/SkeletonAbi.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace memshape {

void throwBefore(Instruction *First) { leaveBefore(First, MEMSHAPE_SK_THROWS); }

bool isThrow(const CallBase &Call) {
  if (runnerCall(Call) != RunnerCall::Leave)
    return false;
  const auto *Reason = dyn_cast<ConstantInt>(Call.getArgOperand(0));
  return Reason && Reason->equalsInt(MEMSHAPE_SK_THROWS);
}

/// Whether BB ends in a throw or an abort.
static bool throws(const BasicBlock &BB) {
  return any_of(BB, [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return Call && isThrow(*Call);
  });
}

void straightenThrows(Module &M) {
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    for (BasicBlock &Test : F) {
      auto *Branch = dyn_cast<BranchInst>(Test.getTerminator());
      if (!Branch || !Branch->isConditional() || throws(*Branch->getSuccessor(0)) == throws(*Branch->getSuccessor(1)))
        continue;
      bool Yes = throws(*Branch->getSuccessor(0));
      IRBuilder<> B(Branch);
      Value *Bad = Yes ? Branch->getCondition() : B.CreateNot(Branch->getCondition());
      B.CreateCall(runnerFunction(M, RunnerCall::Check), {B.CreateZExt(Bad, B.getInt32Ty())});
      Branch->getSuccessor(Yes ? 0 : 1)->removePredecessor(&Test);
      B.CreateBr(Branch->getSuccessor(Yes ? 1 : 0));
      Branch->eraseFromParent();
    }
    for (BasicBlock &BB : make_early_inc_range(F))
      if (throws(BB) && &BB != &F.getEntryBlock())
        changeToUnreachable(&*BB.getFirstNonPHIOrDbg());
    removeUnreachableBlocks(F);
  }
}

} // namespace memshape
