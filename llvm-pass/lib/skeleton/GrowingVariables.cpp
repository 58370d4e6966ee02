//===- GrowingVariables.cpp - Variables that only grow ---------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GrowingVariables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace memshape {

static const Value *withoutExtension(const Value *V) {
  while (isa<SExtInst>(V) || isa<ZExtInst>(V) || isa<FreezeInst>(V))
    V = cast<Instruction>(V)->getOperand(0);
  return V;
}

/// New is Needed, or more by a constant: extents are no negative numbers, and sizes do not wrap.
static bool isAtLeast(const Value *New, const Value *Needed) {
  Needed = withoutExtension(Needed);
  const unsigned Deep = 4;
  for (unsigned Depth = 0; Depth != Deep; ++Depth) {
    New = withoutExtension(New);
    if (New == Needed)
      return true;
    const auto *I = dyn_cast<BinaryOperator>(New);
    const auto *By = I ? dyn_cast<ConstantInt>(I->getOperand(1)) : nullptr;
    if (!By || (I->getOpcode() != Instruction::Add && I->getOpcode() != Instruction::Mul &&
                I->getOpcode() != Instruction::Shl))
      return false;
    if (By->isNegative() || (I->getOpcode() == Instruction::Mul && By->isZero()))
      return false;
    New = I->getOperand(0);
  }
  return false;
}

/// What the variable that Load reads is held against, where Compare asks whether it is smaller; null elsewhere.
/// WhenTrue: which outcome says that it is too small.
static const Value *neededBy(const ICmpInst &Compare, const Value &Load, bool &WhenTrue) {
  const bool First = withoutExtension(Compare.getOperand(0)) == &Load;
  const Value *Needed = Compare.getOperand(First ? 1 : 0);
  if (withoutExtension(Needed) == &Load || withoutExtension(Compare.getOperand(First ? 0 : 1)) != &Load)
    return nullptr;
  const CmpInst::Predicate How = First ? Compare.getPredicate() : Compare.getSwappedPredicate();
  // In terms of the variable: variable < needed, or its contrary.
  switch (How) {
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_ULE:
    WhenTrue = true;
    return Needed;
  case CmpInst::ICMP_SGE:
  case CmpInst::ICMP_UGE:
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_UGT:
    WhenTrue = false;
    return Needed;
  default:
    return nullptr;
  }
}

/// Store stands where the variable was found too small, and stores at least what was needed.
bool GrowingVariables::raises(const StoreInst &Store, const GlobalVariable &G) {
  auto &F = const_cast<Function &>(*Store.getFunction());
  DominatorTree &Tree = Trees.try_emplace(&F, F).first->second;
  for (const User *U : G.users()) {
    const auto *Load = dyn_cast<LoadInst>(U);
    if (!Load || Load->getFunction() != &F)
      continue;
    for (const BranchInst *Test : testsOf(*Load)) {
      bool WhenTrue;
      const Value *Needed = neededBy(*cast<ICmpInst>(Test->getCondition()), *Load, WhenTrue);
      const BasicBlockEdge Small(Test->getParent(), Test->getSuccessor(WhenTrue ? 0 : 1));
      if (Needed && isAtLeast(Store.getValueOperand(), Needed) && Tree.dominates(Small, Store.getParent()))
        return true;
    }
  }
  return false;
}

bool GrowingVariables::onlyGrows(const GlobalVariable &G) {
  const auto [At, New] = Known.try_emplace(&G, false);
  if (!New)
    return At->second;
  const auto *Start = G.hasInitializer() ? dyn_cast<ConstantInt>(G.getInitializer()) : nullptr;
  bool Grows = Start && !Start->isNegative() && all_of(G.users(), [&](const User *U) {
                 if (const auto *Store = dyn_cast<StoreInst>(U))
                   return Store->getPointerOperand() == &G && Store->getValueOperand() != &G && !Store->isVolatile() &&
                          Store->getValueOperand()->getType() == G.getValueType() && raises(*Store, G);
                 const auto *Load = dyn_cast<LoadInst>(U);
                 return Load && Load->getType() == G.getValueType() && !testsOf(*Load).empty();
               });
  return Known[&G] = Grows;
}

/// Empty where anything else comes of Load.
SmallVector<const BranchInst *, 2> GrowingVariables::testsOf(const LoadInst &Load) const {
  SmallVector<const BranchInst *, 2> Tests;
  SmallVector<const Value *, 4> Work = {&Load};
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    for (const User *U : V->users()) {
      if (isa<SExtInst>(U) || isa<ZExtInst>(U) || isa<FreezeInst>(U)) {
        Work.push_back(U);
        continue;
      }
      const auto *Compare = dyn_cast<ICmpInst>(U);
      bool WhenTrue;
      if (!Compare || !neededBy(*Compare, Load, WhenTrue))
        return {};
      for (const User *Of : Compare->users()) {
        const auto *Test = dyn_cast<BranchInst>(Of);
        if (!Test)
          return {};
        Tests.push_back(Test);
      }
    }
  }
  return Tests;
}

bool GrowingVariables::isTested(const LoadInst &Load) {
  const auto *G = dyn_cast<GlobalVariable>(Load.getPointerOperand());
  return G && !G->isConstant() && onlyGrows(*G);
}

unsigned GrowingVariables::sideOfTooSmall(const BranchInst &Test, const LoadInst &Load) const {
  bool WhenTrue = true;
  neededBy(*cast<ICmpInst>(Test.getCondition()), Load, WhenTrue);
  return WhenTrue ? 0 : 1;
}

} // namespace memshape
