// Functions whose callers set a variable.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     inline int block(int set = 0) { static int size = 4; if (set) size = set; return size; }
//
// An operator that calls block() finds 4, unless another unit has called block(64). A store counts if its value, or a
// branch that leads to it, is computed from an argument or from the variable itself. What a guard lets run once, with
// constants alone, is the same whoever comes first.

#include "extract/Setters.h"
#include "extract/GuardedStatics.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memshape {

namespace {

/// One function that stores to the variable.
class Setter {
public:
  Setter(const Function &F, const GlobalVariable &G) : F(const_cast<Function &>(F)), G(G), After(this->F) {}

  bool setsWhatCallersSay(const Instruction &Store) {
    return any_of(Store.operands(), [&](const Use &U) { return U.get() != &G && followsFromCaller(*U.get()); }) ||
           any_of(F, [&](const BasicBlock &BB) { return decides(BB, *Store.getParent()); });
  }

private:
  /// Whether BB ends with a branch on what a caller says, and leads to At on one side alone.
  bool decides(const BasicBlock &BB, const BasicBlock &At) {
    const Instruction *End = BB.getTerminator();
    return End->getNumSuccessors() > 1 && End->getNumOperands() && followsFromCaller(*End->getOperand(0)) &&
           !After.dominates(&At, &BB) && isPotentiallyReachable(&BB, &At);
  }

  /// Through variables on the stack, where a front end keeps arguments.
  bool followsFromCaller(const Value &V) {
    if (isa<Argument>(V))
      return true;
    if (const auto [At, New] = Known.try_emplace(&V, false); !New)
      return At->second;
    const auto *I = dyn_cast<Instruction>(&V);
    bool Follows = false;
    if (const auto *Load = dyn_cast_or_null<LoadInst>(I))
      Follows = Load->getPointerOperand()->stripPointerCasts() == &G;
    if (isa_and_nonnull<AllocaInst>(I))
      for (const User *U : I->users())
        if (const auto *Store = dyn_cast<StoreInst>(U); Store && Store->getPointerOperand() == I)
          Follows |= followsFromCaller(*Store->getValueOperand());
    if (I && !Follows)
      Follows = any_of(I->operands(), [&](const Use &U) { return followsFromCaller(*U.get()); });
    return Known[&V] = Follows;
  }

  Function &F;
  const GlobalVariable &G;
  PostDominatorTree After;
  DenseMap<const Value *, bool> Known;
};

} // namespace

/// Whether I writes to the variable at Address, or in it.
static bool writesTo(const Instruction &I, const Value &Address) {
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return Store->getPointerOperand() == &Address;
  if (const auto *Copy = dyn_cast<MemTransferInst>(&I))
    return Copy->getRawDest() == &Address;
  return isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I);
}

static bool isCalledByOthers(const Function &F) { return !F.hasLocalLinkage() || F.hasAddressTaken(); }

SmallVector<const Function *, 2> settersOf(const GlobalVariable &G) {
  DenseMap<const Function *, SmallVector<const Instruction *, 4>> Writes;
  SmallVector<const Value *, 8> Work = {&G};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty()) {
    const Value *Address = Work.pop_back_val();
    for (const User *U : Address->users()) {
      const auto *I = dyn_cast<Instruction>(U);
      if (isa<GEPOperator>(U) || (I && I->isCast()) || isa<ConstantExpr>(U)) {
        if (Seen.insert(U).second)
          Work.push_back(U);
      } else if (I && isCalledByOthers(*I->getFunction()) && writesTo(*I, *Address) && !initialisesAlike(*I, G)) {
        Writes[I->getFunction()].push_back(I);
      }
    }
  }
  SmallVector<const Function *, 2> Setters;
  for (const auto &[F, Stores] : Writes) {
    Setter Sets(*F, G);
    if (any_of(Stores, [&](const Instruction *Store) { return Sets.setsWhatCallersSay(*Store); }))
      Setters.push_back(F);
  }
  return Setters;
}

} // namespace memshape
