//===- Proposal.cpp - Which way a decision goes by default ----------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Proposal.h"
#include "Success.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace memshape {

/// The branch that V decides by itself, straight or negated; Negated tells which.
static BranchInst *branchOn(Value *V, bool &Negated, unsigned Depth = 0) {
  for (User *U : V->users()) {
    if (auto *Branch = dyn_cast<BranchInst>(U))
      return Branch;
    auto *I = dyn_cast<Instruction>(U);
    if (!I || Depth > 3 || !I->getType()->isIntegerTy(1))
      continue;
    bool Flip = PatternMatch::match(I, PatternMatch::m_Not(PatternMatch::m_Specific(V)));
    if (BranchInst *Branch = branchOn(I, Negated, Depth + 1)) {
      Negated ^= Flip;
      return Branch;
    }
  }
  return nullptr;
}

/// Live instructions that run only after Edge is taken.
static unsigned weightBehind(const BasicBlockEdge &Edge, DominatorTree &DT, const Slice &S) {
  unsigned Weight = 0;
  for (const BasicBlock &BB : *Edge.getStart()->getParent())
    if (DT.isReachableFromEntry(&BB) && DT.dominates(Edge, &BB))
      for (const Instruction &I : BB)
        Weight += S.isLive(&I);
  return Weight;
}

static Proposal byWeight(Instruction &Verdict, const Slice &S) {
  Proposal P;
  Function &F = *Verdict.getFunction();
  DominatorTree DT(F);
  LoopInfo LI(DT);
  P.InLoop = LI.getLoopFor(Verdict.getParent()) != nullptr;
  bool Negated = false;
  BranchInst *Branch = branchOn(&Verdict, Negated);
  if (!Branch) {
    P.Effect = "enters a size or a count";
    return P;
  }
  BasicBlock *Yes = Branch->getSuccessor(0), *No = Branch->getSuccessor(1);
  bool TakeYes;
  Loop *L = LI.getLoopFor(Branch->getParent());
  if (L && L->contains(Yes) != L->contains(No)) {
    SmallVector<BasicBlock *, 4> Exiting;
    L->getExitingBlocks(Exiting);
    bool Stay = Exiting.size() > 1;
    TakeYes = L->contains(Yes) == Stay;
    P.Effect = Stay ? "may end a loop early" : "ends a loop";
  } else {
    unsigned YesWeight = weightBehind({Branch->getParent(), Yes}, DT, S);
    unsigned NoWeight = weightBehind({Branch->getParent(), No}, DT, S);
    TakeYes = YesWeight > NoWeight;
    P.Effect = "chooses which allocations happen";
  }
  P.Answer = TakeYes != Negated;
  return P;
}

Proposal propose(Instruction &Verdict, const Slice &S) {
  Proposal P = byWeight(Verdict, S);
  if (std::optional<bool> Succeeded = answerOfSuccess(Verdict)) {
    P.Answer = *Succeeded;
    P.Effect += "; the library call before it is taken to succeed";
  }
  return P;
}

} // namespace memshape
