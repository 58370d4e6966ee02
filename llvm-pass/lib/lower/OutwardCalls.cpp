// Calls on what lies outside the process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/OutwardCalls.h"
#include "libraries/Summaries.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace memshape {

/// What Call would have written for the program to read: numbers from outside are data.
static void fillWithData(CallBase &Call) {
  const Summary S = Call.getCalledFunction() ? summaryOf(*Call.getCalledFunction()) : Summary();
  IRBuilder<> B(&Call);
  for (unsigned N = 1; S.How != Treatment::Unknown && N < std::min(Call.arg_size(), 64u); ++N) {
    Value *Pointer = Call.getArgOperand(N);
    if (!Pointer->getType()->isPointerTy() || !(S.WrittenArguments >> N & 1))
      continue;
    const bool IsCounted = N + 1 < Call.arg_size() && Call.getArgOperand(N + 1)->getType()->isIntegerTy(64);
    Value *Bytes = IsCounted ? Call.getArgOperand(N + 1) : B.getInt64(Call.getParamDereferenceableBytes(N));
    if (IsCounted || Call.getParamDereferenceableBytes(N))
      markData(B, Pointer, Bytes);
  }
}

void takeOut(CallBase &Call, Value *Result) {
  if (!Call.getType()->isVoidTy())
    Call.replaceAllUsesWith(Result ? Result : Constant::getNullValue(Call.getType()));
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call)) {
    Invoke->getUnwindDest()->removePredecessor(Invoke->getParent());
    BranchInst::Create(Invoke->getNormalDest(), Invoke->getIterator());
  }
  Call.eraseFromParent();
}

/// The variable that contains V, or the memory that V was loaded from; null if there is none.
static const GlobalVariable *rootOf(const Value *V) {
  const unsigned Far = 64; // unreachable code may contain cycles
  for (unsigned Step = 0; Step != Far; ++Step) {
    V = getUnderlyingObject(V);
    // Where two paths that write join, both have returned the same stream.
    if (const auto *Phi = dyn_cast<PHINode>(V))
      if (const Value *Only = Phi->hasConstantValue()) {
        V = Only;
        continue;
      }
    const auto *Load = dyn_cast<LoadInst>(V);
    if (!Load)
      return dyn_cast<GlobalVariable>(V);
    V = Load->getPointerOperand();
  }
  return nullptr;
}

/// Whether the function belongs to an object that is such a variable, or one that it refers to (a stream's locale).
static bool isOutward(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee) {
    const GlobalVariable *Object = rootOf(Call.getCalledOperand());
    return Object && isOutsideVariable(*Object);
  }
  if (!Callee->isDeclaration() || Callee->isIntrinsic() || Call.arg_empty())
    return false;
  const ArrayRef<std::string> Outside = summaryOf(*Callee).Outside;
  const GlobalVariable *Object = Outside.empty() ? nullptr : rootOf(Call.getArgOperand(0));
  return Object && is_contained(Outside, Object->getName());
}

/// Marks arguments that functions return: writing to a stream returns the stream.
static void returnFirstArguments(Module &M) {
  for (Function &F : M)
    if (F.isDeclaration() && !F.isIntrinsic() && F.getReturnType()->isPointerTy() && summaryOf(F).ResultIsFirst)
      for (User *U : F.users())
        if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledFunction() == &F && !Call->arg_empty() &&
                                                Call->getArgOperand(0)->getType() == Call->getType())
          Call->replaceAllUsesWith(Call->getArgOperand(0));
}

void removeOutwardCalls(Module &M) {
  returnFirstArguments(M);
  for (Function &F : M) {
    // What one call returns is often the stream of the next one, so this repeats until no call is left.
    for (bool Found = true; Found;) {
      Found = false;
      for (Instruction &I : make_early_inc_range(instructions(F))) {
        auto *Call = dyn_cast<CallBase>(&I);
        if (!Call || !isOutward(*Call))
          continue;
        Value *Object = Call->getArgOperand(0);
        Type *T = Call->getType();
        fillWithData(*Call);
        takeOut(*Call, T == Object->getType() ? Object : T->isVoidTy() ? nullptr : dataValue(*Call, T));
        Found = true;
      }
    }
  }
}

} // namespace memshape
