// Functions whose callers set a variable.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     inline int block(int set = 0) { static int size = 4; if (set) size = set; return size; }
//
// An operator that calls block() finds 4, unless another unit has called block(64). What a guard lets run once, with
// constants alone, is the same whoever comes first.

#include "extract/Setters.h"
#include "extract/GuardedStatics.h"
#include "operators/VariableMarks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memshape {

/// Whether I writes to the variable at Address, or in it.
static bool writesTo(const Instruction &I, const Value &Address) {
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return Store->getPointerOperand() == &Address;
  if (const auto *Copy = dyn_cast<MemTransferInst>(&I))
    return Copy->getRawDest() == &Address;
  return isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I);
}

bool isCalledByOthers(const Function &F) { return !F.hasLocalLinkage() || F.hasFnAttribute(HandedOutAttribute); }

SmallVector<const Function *, 2> settersOf(const GlobalVariable &G) {
  SmallSetVector<const Function *, 2> Setters;
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
        Setters.insert(I->getFunction());
      }
    }
  }
  return Setters.takeVector();
}

} // namespace memshape
