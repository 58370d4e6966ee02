// Code that runs because of an exception or a jump.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extract/Handlers.h"
#include "extract/Extract.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace memshape {

/// An exception that comes to BB may go no further.
static bool catches(const BasicBlock &BB) {
  const LandingPadInst *Pad = BB.getLandingPadInst();
  return Pad && Pad->getNumClauses();
}

static bool returnsTwice(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && Call->hasFnAttr(Attribute::ReturnsTwice);
}

/// Where control goes on from BB if nothing is thrown, and setjmp has returned 0.
static SmallVector<const BasicBlock *, 4> ordinarySuccessors(const BasicBlock &BB) {
  SmallVector<const BasicBlock *, 4> Next;
  const auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
  const auto *Test = Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  const auto *Asked = Test && Test->isEquality() ? dyn_cast<Instruction>(Test->getOperand(0)) : nullptr;
  if (const auto *Zero = Test ? dyn_cast<ConstantInt>(Test->getOperand(1)) : nullptr;
      Asked && returnsTwice(*Asked) && Zero && Zero->isZero())
    return {Branch->getSuccessor(Test->getPredicate() == CmpInst::ICMP_EQ ? 0 : 1)};
  for (const BasicBlock *Each : successors(&BB))
    if (!Each->isLandingPad())
      Next.push_back(Each);
  return Next;
}

HandlerCode::HandlerCode(ArrayRef<const Function *> Roots)
    : Reached(reachableFrom(Roots)), Ordinarily(Roots.begin(), Roots.end()) {
  DenseSet<const Constant *> SeenConstants;
  SmallVector<const GlobalValue *, 32> Work(Roots.begin(), Roots.end());
  const auto Take = [&](const GlobalValue &G) {
    if (Ordinarily.insert(&G).second)
      Work.push_back(&G);
  };
  while (!Work.empty()) {
    const GlobalValue *G = Work.pop_back_val();
    const auto *F = dyn_cast<Function>(G);
    if (!F || F->isDeclaration()) {
      forEachReference(*G, SeenConstants, Take);
      continue;
    }
    SmallVector<const BasicBlock *, 32> Blocks = {&F->getEntryBlock()};
    while (!Blocks.empty()) {
      const BasicBlock *BB = Blocks.pop_back_val();
      if (!Ordinary.insert(BB).second)
        continue;
      for (const Instruction &I : *BB)
        for (const Use &U : I.operands())
          forEachReference(U.get(), SeenConstants, Take);
      Blocks.append(ordinarySuccessors(*BB));
    }
  }
  SmallVector<const Function *, 8> Called;
  SmallVector<const Function *, 8> AnyCalled; // what a call through a pointer may lead to
  bool Indirectly = false;
  for (const GlobalValue *G : Reached)
    if (const auto *F = dyn_cast<Function>(G)) {
      if (F->hasAddressTaken())
        AnyCalled.push_back(F);
      for (const Instruction &I : instructions(*F))
        if (const auto *Invoke = dyn_cast<InvokeInst>(&I); Invoke && catches(*Invoke->getUnwindDest())) {
          Indirectly |= Invoke->isIndirectCall();
          if (const Function *Callee = Invoke->getCalledFunction())
            Called.push_back(Callee);
        }
    }
  if (Indirectly)
    Called.append(AnyCalled);
  Tried = reachableFrom(Called);
}

bool HandlerCode::contains(const Instruction &I) const {
  const Function &F = *I.getFunction();
  return Reached.contains(&F) && !Ordinary.contains(I.getParent()) &&
         (!Ordinarily.contains(&F) || Tried.contains(&F) || any_of(F, catches) ||
          any_of(instructions(F), returnsTwice));
}

} // namespace memshape
