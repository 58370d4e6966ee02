// Copies that the optimiser has made one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extract/MergedCopies.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace memshape {

/// A load of a few words that goes into stores and nowhere else.
static bool isMergedCopy(const LoadInst &Load) {
  constexpr unsigned WordBits = 64, MostWords = 4;
  const auto *T = dyn_cast<FixedVectorType>(Load.getType());
  return T && Load.isSimple() && T->getNumElements() <= MostWords &&
         Load.getDataLayout().getTypeSizeInBits(T->getElementType()) == WordBits &&
         !T->getElementType()->isFloatingPointTy() && !Load.use_empty() && all_of(Load.users(), [&](const User *U) {
           const auto *Store = dyn_cast<StoreInst>(U);
           return Store && Store->isSimple() && Store->getValueOperand() == &Load;
         });
}

/// Calls Each with the number of each word, a pointer to it and the alignment that is known there.
template <class Function>
static void forEachWord(IRBuilder<> &B, Value *Pointer, Align Known, unsigned Words, Function &&Each) {
  constexpr unsigned WordBytes = 8;
  for (unsigned I = 0; I != Words; ++I)
    Each(I, I ? B.CreatePtrAdd(Pointer, B.getInt64(I * WordBytes)) : Pointer, commonAlignment(Known, I * WordBytes));
}

static void split(LoadInst &Load) {
  auto *const T = cast<FixedVectorType>(Load.getType());
  const AAMDNodes Tags = Load.getAAMetadata();
  SmallVector<Value *, 4> Words;
  IRBuilder<> B(&Load);
  forEachWord(B, Load.getPointerOperand(), Load.getAlign(), T->getNumElements(), [&](unsigned, Value *At, Align Known) {
    auto *Word = B.CreateAlignedLoad(T->getElementType(), At, Known);
    Word->setAAMetadata(Tags);
    Words.push_back(Word);
  });
  for (User *U : make_early_inc_range(Load.users())) {
    auto *Store = cast<StoreInst>(U);
    B.SetInsertPoint(Store);
    forEachWord(B, Store->getPointerOperand(), Store->getAlign(), Words.size(),
                [&](unsigned I, Value *At, Align Known) {
                  B.CreateAlignedStore(Words[I], At, Known)->setAAMetadata(Store->getAAMetadata());
                });
    Store->eraseFromParent();
  }
  Load.eraseFromParent();
}

void splitMergedCopies(Module &M) {
  SmallVector<LoadInst *, 16> Found;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Load = dyn_cast<LoadInst>(&I); Load && isMergedCopy(*Load))
        Found.push_back(Load);
  for (LoadInst *Load : Found)
    split(*Load);
}

} // namespace memshape
