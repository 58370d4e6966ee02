//===- CountedLoops.cpp - Loops whose turns are all alike -----------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CountedLoops.h"
#include "Compat.h"
#include "RunnerCalls.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace memshape {

namespace {

constexpr StringLiteral Begin = "memshape_sk_turns_begin", Turns = "memshape_sk_turns", End = "memshape_sk_turns_end";

class Counter {
public:
  Counter(Module &M, FunctionAnalysisManager &FAM) : M(M), FAM(FAM) {
    // A function that only allocates and frees does the same at each call with the same arguments. All are taken for
    // such until one of their instructions says otherwise.
    for (Function &F : M)
      if (!F.isDeclaration())
        Alike.insert(&F);
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (Function &F : M)
        if (Alike.contains(&F) && !all_of(instructions(F), [&](const Instruction &I) { return isAlike(I); })) {
          Alike.erase(&F);
          Changed = true;
        }
    }
  }

  void run(Function &F) {
    FAM.invalidate(F, PreservedAnalyses::none());
    auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
    auto &LI = FAM.getResult<LoopAnalysis>(F);
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    auto &AC = FAM.getResult<AssumptionAnalysis>(F);
    bool Changed = false;
    SmallVector<Loop *, 8> Loops = LI.getLoopsInPreorder();
    for (Loop *L : reverse(Loops)) {
      simplifyLoop(L, &DT, &LI, &SE, &AC, nullptr, /*PreserveLCSSA=*/false);
      Changed |= count(*L, SE);
    }
    if (Changed)
      FAM.invalidate(F, PreservedAnalyses::none());
  }

private:
  /// Nothing of I is remembered, and it asks nobody whose answer may change.
  bool isAlike(const Instruction &I) const {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      return !I.mayReadOrWriteMemory();
    if (isa<IntrinsicInst>(Call))
      return !Call->mayReadOrWriteMemory() || isa<LifetimeIntrinsic>(Call) || Call->isDebugOrPseudoInst();
    const Function *Callee = Call->getCalledFunction();
    if (!Callee || Call->isInlineAsm())
      return false;
    switch (runnerCall(*Call)) {
    case RunnerCall::Alloc:
    case RunnerCall::Realloc:
    case RunnerCall::Free:
      return true;
    case RunnerCall::None:
      return Alike.contains(Callee) || Callee->getName() == Begin || Callee->getName() == Turns ||
             Callee->getName() == End;
    default:
      return false;
    }
  }

  /// Every turn does the same: nothing but the decision to go on depends on which turn it is.
  bool turnsAreAlike(const Loop &L) const {
    SmallPtrSet<const Value *, 16> Numbered;
    SmallVector<const Value *, 16> Work;
    for (const PHINode &Phi : L.getHeader()->phis())
      Work.push_back(&Phi);
    while (!Work.empty()) {
      const Value *V = Work.pop_back_val();
      if (!Numbered.insert(V).second)
        continue;
      for (const User *U : V->users()) {
        const auto *I = cast<Instruction>(U);
        if (!L.contains(I) || isa<CallBase>(I) || (I->isTerminator() && I->getParent() != L.getLoopLatch()))
          return false;
        Work.push_back(I);
      }
    }
    for (const BasicBlock *B : L.blocks())
      for (const Instruction &I : *B) {
        if (!isAlike(I))
          return false;
        for (const User *U : I.users())
          if (!L.contains(cast<Instruction>(U)))
            return false;
      }
    return true;
  }

  /// Worth the trouble: something is allocated.
  static bool allocates(const Loop &L) {
    for (const BasicBlock *B : L.blocks())
      for (const Instruction &I : *B)
        if (const auto *Call = dyn_cast<CallBase>(&I); Call && !isa<IntrinsicInst>(Call))
          return true;
    return false;
  }

  bool count(Loop &L, ScalarEvolution &SE) {
    BasicBlock *Before = L.getLoopPreheader(), *Latch = L.getLoopLatch(), *After = L.getExitBlock();
    if (!Before || !Latch || !After || L.getExitingBlock() != Latch || !L.hasDedicatedExits() || !allocates(L) ||
        !turnsAreAlike(L))
      return false;
    auto *Leave = dyn_cast<BranchInst>(Latch->getTerminator());
    const SCEV *Backwards = SE.getBackedgeTakenCount(&L);
    if (!Leave || !Leave->isConditional() || isa<SCEVCouldNotCompute>(Backwards) ||
        Backwards->getType()->getIntegerBitWidth() > 64)
      return false;
    compat::Expander Expander(SE, M.getDataLayout());
    if (!Expander.isSafeToExpand(Backwards))
      return false;
    Value *Further = Expander.expandCodeFor(Backwards, Backwards->getType(), Before->getTerminator()->getIterator());
    LLVMContext &C = M.getContext();
    Type *Void = Type::getVoidTy(C);
    IRBuilder<> B(Before->getTerminator());
    Value *All = B.CreateAdd(B.CreateZExt(Further, B.getInt64Ty()), B.getInt64(1));
    B.CreateCall(M.getOrInsertFunction(Begin, Void));
    B.SetInsertPoint(Leave);
    Value *Enough = B.CreateICmpNE(B.CreateCall(M.getOrInsertFunction(Turns, B.getInt32Ty(), B.getInt64Ty()), {All}),
                                   B.getInt32(0));
    Value *Over = Leave->getCondition();
    bool LeavesOnTrue = Leave->getSuccessor(0) == After;
    Leave->setCondition(LeavesOnTrue ? B.CreateOr(Over, Enough) : B.CreateAnd(Over, B.CreateNot(Enough)));
    B.SetInsertPoint(After, After->getFirstInsertionPt());
    B.CreateCall(M.getOrInsertFunction(End, Void));
    SE.forgetLoop(&L);
    return true;
  }

  Module &M;
  FunctionAnalysisManager &FAM;
  SmallPtrSet<const Function *, 16> Alike;
};

} // namespace

void countAlikeTurns(Module &M, FunctionAnalysisManager &FAM) {
  Counter Counting(M, FAM);
  for (Function &F : M)
    if (!F.isDeclaration())
      Counting.run(F);
}

} // namespace memshape
