// A function that stands for an operator and only allocates what was counted of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ceiling/StandIn.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace memshape {

StandIn::StandIn(Function &Of, StringRef Name, Module &Into)
    : Made(Function::Create(Of.getFunctionType(), GlobalValue::InternalLinkage, Name, Into)),
      B(BasicBlock::Create(Of.getContext(), "", Made)) {
  Made->copyAttributesFrom(&Of);
  Made->setPersonalityFn(nullptr);
}

SmallVector<Value *, 8> StandIn::arguments() const {
  SmallVector<Value *, 8> Arguments;
  for (Argument &A : Made->args())
    Arguments.push_back(A.getType()->isIntegerTy() ? &A : nullptr);
  return Arguments;
}

void StandIn::allocate(Value *Bytes, StringRef Name) {
  CallInst *Block = B.CreateCall(runnerFunction(*Made->getParent(), RunnerCall::Alloc),
                                 {Bytes, B.getInt64(0), B.getInt32(0), B.getInt32(0)});
  LLVMContext &C = Made->getContext();
  Block->setMetadata(AllocatorMetadata, MDNode::get(C, {MDString::get(C, Name), MDString::get(C, "host")}));
}

void StandIn::tell(unsigned Number, Value *Value) {
  B.CreateCall(runnerFunction(*Made->getParent(), RunnerCall::Result), {B.getInt32(Number), Value});
}

Function *StandIn::finish() {
  if (Made->getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Constant::getNullValue(Made->getReturnType()));
  return Made;
}

} // namespace memshape
