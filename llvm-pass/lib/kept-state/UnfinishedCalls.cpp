// Calls that end half-way, or stand still while others run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kept-state/UnfinishedCalls.h"
#include "libraries/Summaries.h"
#include "memshape/SkeletonAbi.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memshape {

/// Whether the operator is left here, and the program goes on.
static bool isEnd(const CallBase &Call) {
  if (runnerCall(Call) != RunnerCall::Leave)
    return false;
  const auto *Reason = dyn_cast<ConstantInt>(Call.getArgOperand(0));
  return Reason && (Reason->equalsInt(MEMSHAPE_SK_THROWS) || Reason->equalsInt(MEMSHAPE_SK_REFUSED));
}

/// Whether other calls may begin here, and see what this one has written: it takes or gives back a lock, or calls a
/// function that the caller has passed or that anybody may set, which may throw as well.
static bool letsOthersIn(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return false;
  if (const Function *Callee = Call->getCalledFunction())
    return Callee->isDeclaration() && !Callee->isIntrinsic() && summaryOf(*Callee).Locks;
  const auto *Read = dyn_cast<LoadInst>(Call->getCalledOperand());
  const Value *From = Read ? getUnderlyingObject(Read->getPointerOperand()) : Call->getCalledOperand();
  const auto *G = dyn_cast<GlobalVariable>(From);
  return isa<Argument>(From) || (G && !G->isConstant());
}

/// I counts an owner more or less, as shared_ptr does: whoever comes last frees, and that one of them does is known.
static bool countsOwner(const Instruction &I) {
  const auto *Count = dyn_cast<AtomicRMWInst>(&I);
  const auto *By = Count ? dyn_cast<ConstantInt>(Count->getValOperand()) : nullptr;
  const bool Subtracts = By && Count->getOperation() == AtomicRMWInst::Sub;
  return By && (Subtracts || Count->getOperation() == AtomicRMWInst::Add) &&
         (I.use_empty() || Subtracts != By->isNegative());
}

static const Value *writtenBy(const Instruction &I) {
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return Store->getPointerOperand();
  if (const auto *Exchange = dyn_cast<AtomicRMWInst>(&I))
    return Exchange->getPointerOperand();
  if (const auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return Exchange->getPointerOperand();
  const auto *Call = dyn_cast<MemIntrinsic>(&I);
  return Call ? Call->getRawDest() : nullptr;
}

/// Whether I may write to a variable that outlives the call, or to what one leads to. What is reached from blocks and
/// frames of this call is its own.
static bool mayBeKept(const Instruction &I) {
  SmallSetVector<const Value *, 8> Pointers;
  if (const Value *Written = writtenBy(I))
    Pointers.insert(Written);
  for (unsigned N = 0; N != Pointers.size(); ++N) {
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(Pointers[N], Objects);
    for (const Value *O : Objects) {
      const auto *Call = dyn_cast<CallBase>(O);
      const auto *G = dyn_cast<GlobalVariable>(O);
      if (const auto *Load = dyn_cast<LoadInst>(O))
        Pointers.insert(Load->getPointerOperand());
      else if (Call && Call->getIntrinsicID() == Intrinsic::threadlocal_address)
        Pointers.insert(Call->getArgOperand(0));
      else if (G && G->hasInitializer()) // those of libraries are their business
        return true;
    }
  }
  return false;
}

/// The last writes on the ways that lead to End.
static void lastWrites(Instruction &End, SmallPtrSetImpl<BasicBlock *> &Seen, SetVector<Instruction *> &Found) {
  SmallVector<Instruction *, 8> Work = {&End};
  while (!Work.empty()) {
    Instruction *At = Work.pop_back_val();
    BasicBlock *BB = At->getParent();
    Instruction *Write = At->getPrevNode();
    while (Write && !mayBeKept(*Write))
      Write = Write->getPrevNode();
    if (Write)
      Found.insert(Write);
    else
      for (BasicBlock *Before : predecessors(BB))
        if (Seen.insert(Before).second)
          Work.push_back(Before->getTerminator());
  }
}

void markEnds(Module &M) {
  if (none_of(M.globals(), [](const GlobalVariable &G) { return !G.isConstant() && G.hasInitializer(); }))
    return;
  SetVector<Function *> Leaving; // that may be left so
  const auto MayLeave = [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return Call && (isEnd(*Call) || (Call->getCalledFunction() && Leaving.contains(Call->getCalledFunction())));
  };
  for (bool Grown = true; Grown;) {
    Grown = false;
    for (Function &F : M)
      Grown |= !Leaving.contains(&F) && any_of(instructions(F), MayLeave) && Leaving.insert(&F);
  }
  SetVector<Instruction *> Writes;
  for (Function &F : M) {
    SmallPtrSet<BasicBlock *, 32> Seen;
    for (Instruction &I : instructions(F))
      if (MayLeave(I) || letsOthersIn(I))
        lastWrites(I, Seen, Writes);
      else if (I.isAtomic() && !countsOwner(I) && mayBeKept(I))
        Writes.insert(&I);
  }
  for (Instruction *Write : Writes)
    IRBuilder<>(Write->getNextNode()).CreateCall(runnerFunction(M, RunnerCall::MayEnd));
}

} // namespace memshape
