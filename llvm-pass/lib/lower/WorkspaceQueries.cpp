// Calls that ask how much memory they need.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/WorkspaceQueries.h"
#include "libraries/Summaries.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace memshape {

/// Makes Query write to a variable of its own, and copies that. Otherwise the analysis, which does not distinguish
/// times, takes the result for data, because calls that compute write data to the same variable.
static void separateOutput(CallInst &Query, unsigned Argument) {
  Value *Shared = Query.getArgOperand(Argument);
  const auto *Variable = dyn_cast<AllocaInst>(getUnderlyingObject(Shared));
  if (!Variable)
    return;
  const DataLayout &DL = Query.getModule()->getDataLayout();
  const uint64_t WidestNumber = 8; // the real part of a complex number comes first
  std::optional<TypeSize> Room = Variable->getAllocationSize(DL);
  if (!Room || Room->isScalable())
    return;
  uint64_t Bytes = std::min(Room->getFixedValue(), WidestNumber);
  if (!isPowerOf2_64(Bytes))
    return;
  IRBuilder<> Entry(&*Query.getFunction()->getEntryBlock().getFirstInsertionPt());
  const Align Aligned(16);
  AllocaInst *Own = Entry.CreateAlloca(ArrayType::get(Entry.getInt8Ty(), 4 * WidestNumber));
  Own->setAlignment(Aligned);
  Query.setArgOperand(Argument, Own);
  IRBuilder<> After(Query.getNextNode());
  Type *Number = After.getIntNTy(unsigned(Bytes * 8));
  After.CreateStore(After.CreateLoad(Number, Own), Shared);
}

static void split(CallInst &Call, const Summary &S) {
  IRBuilder<> B(&Call);
  Value *Asked = Call.getArgOperand(S.Query->Argument);
  if (Asked->getType()->isPointerTy())
    Asked = B.CreateLoad(B.getInt32Ty(), Asked);
  Value *IsQuery = B.CreateICmpEQ(Asked, ConstantInt::getSigned(Asked->getType(), -1));
  Instruction *QueryEnd = nullptr, *ComputeEnd = nullptr;
  SplitBlockAndInsertIfThenElse(IsQuery, Call.getIterator(), &QueryEnd, &ComputeEnd);
  auto *Query = cast<CallInst>(Call.clone());
  Query->insertBefore(QueryEnd->getIterator());
  FunctionCallee Named = Call.getModule()->getOrInsertFunction(
      (QueryPrefix + Call.getCalledFunction()->getName()).str(), Call.getFunctionType());
  Query->setCalledFunction(Named);
  if (!Call.getType()->isVoidTy()) {
    PHINode *Result = PHINode::Create(Call.getType(), 2, "", Call.getIterator());
    Call.replaceAllUsesWith(Result);
    Result->addIncoming(Query, QueryEnd->getParent());
    Result->addIncoming(&Call, ComputeEnd->getParent());
  }
  Call.moveBefore(*ComputeEnd->getParent(), ComputeEnd->getIterator());
  for (unsigned N = 0; N != Query->arg_size(); ++N)
    if (N < 64 && S.Query->Writes >> N & 1 && Query->getArgOperand(N)->getType()->isPointerTy())
      separateOutput(*Query, N);
}

bool splitQueries(Module &M) {
  SmallVector<CallInst *, 8> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallInst>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (!Callee || !Callee->isDeclaration() || Callee->isIntrinsic() || Callee->getName().starts_with(QueryPrefix))
        continue;
      Summary S = summaryOf(*Callee);
      if (S.Query && S.Query->Argument < Call->arg_size())
        Calls.push_back(Call);
    }
  for (CallInst *Call : Calls)
    split(*Call, summaryOf(*Call->getCalledFunction()));
  return !Calls.empty();
}

void nameQueries(Module &M) {
  for (Function &F : make_early_inc_range(M)) {
    StringRef Name = nameOf(F);
    if (Name.size() == F.getName().size())
      continue;
    F.replaceAllUsesWith(M.getOrInsertFunction(Name, F.getFunctionType()).getCallee());
    F.eraseFromParent();
  }
}

} // namespace memshape
