// Whether two arrays share memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/Overlaps.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace memshape {

static constexpr StringLiteral Question = "memshape_overlap";

/// Whether V is all of an object that no other value leads to. Tensors of the operator are apart.
static bool isObject(const Value *V, const Function &Root) {
  if (const auto *A = dyn_cast<Argument>(V))
    return A->getParent() == &Root;
  const auto *Call = dyn_cast<CallBase>(V);
  return isa<AllocaInst, GlobalVariable, ConstantPointerNull>(V) ||
         (Call && is_contained({RunnerCall::Alloc, RunnerCall::Realloc}, runnerCall(*Call)));
}

static bool areApart(const Value *A, const Value *B, const Function &Root) {
  SmallVector<const Value *, 4> InA, InB;
  getUnderlyingObjects(A, InA, /*LI=*/nullptr, /*MaxLookup=*/0);
  getUnderlyingObjects(B, InB, /*LI=*/nullptr, /*MaxLookup=*/0);
  auto IsObject = [&](const Value *V) { return isObject(V, Root); };
  return all_of(InA, IsObject) && all_of(InB, IsObject) &&
         none_of(InA, [&](const Value *V) { return !isa<ConstantPointerNull>(V) && is_contained(InB, V); });
}

/// By their addresses.
static Value *compare(CallInst &Asked) {
  IRBuilder<> B(&Asked);
  Value *From = B.CreateSub(B.CreatePtrToInt(Asked.getArgOperand(2), B.getInt64Ty()),
                            B.CreatePtrToInt(Asked.getArgOperand(0), B.getInt64Ty()));
  return B.CreateAnd(B.CreateICmpSLT(B.CreateAdd(From, Asked.getArgOperand(3)), Asked.getArgOperand(1)),
                     B.CreateICmpSGT(B.CreateAdd(From, Asked.getArgOperand(4)), B.getInt64(0)));
}

bool answerOverlaps(Function &Root, Overlaps Which) {
  Function *Asks = Root.getParent()->getFunction(Question);
  bool Answered = false;
  if (Asks)
    for (User *U : make_early_inc_range(Asks->users())) {
      auto *Asked = dyn_cast<CallInst>(U);
      if (!Asked)
        continue;
      const bool Apart = areApart(Asked->getArgOperand(0), Asked->getArgOperand(2), Root);
      if (!Apart && Which == Overlaps::Known)
        continue;
      Asked->replaceAllUsesWith(Apart ? ConstantInt::getFalse(Root.getContext()) : compare(*Asked));
      Asked->eraseFromParent();
      Answered = true;
    }
  return Answered;
}

} // namespace memshape
