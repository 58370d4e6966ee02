// Library functions that call what a program replaces.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     void *operator new(size_t n) { return malloc(n + 16); }     the program's
//     new int[9]  ->  operator new[](36)  ->  operator new(36)    the C++ library's operator new[] calls it

#include "extract/Forwards.h"
#include "libraries/reader/Known.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace memshape {

const Function *ownBehind(const Function &F) {
  if (!F.isDeclaration())
    return nullptr;
  for (StringRef Name = knownForward(F.getName()); !Name.empty(); Name = knownForward(Name))
    if (const Function *Own = F.getParent()->getFunction(Name); Own && !Own->isDeclaration())
      return Own;
  return nullptr;
}

void forwardToOwn(Module &M) {
  for (Function &F : M) {
    const Function *Found = ownBehind(F);
    if (!Found || Found->arg_size() > F.arg_size() || Found->getReturnType() != F.getReturnType())
      continue;
    auto *Own = const_cast<Function *>(Found);
    F.setLinkage(GlobalValue::InternalLinkage);
    IRBuilder<> B(BasicBlock::Create(M.getContext(), "", &F));
    SmallVector<Value *, 2> Arguments;
    for (const Argument &A : Own->args())
      Arguments.push_back(F.getArg(A.getArgNo()));
    const KnownAllocator *Known = knownAllocator(F.getName()), *Next = knownAllocator(Own->getName());
    if (Known && Next && Known->ZeroBecomesOne && !Next->ZeroBecomesOne)
      Arguments[0] =
          B.CreateBinaryIntrinsic(Intrinsic::umax, Arguments[0], ConstantInt::get(Arguments[0]->getType(), 1));
    Value *Result = B.CreateCall(Own, Arguments);
    if (F.getReturnType()->isVoidTy())
      B.CreateRetVoid();
    else
      B.CreateRet(Result);
  }
}

} // namespace memshape
