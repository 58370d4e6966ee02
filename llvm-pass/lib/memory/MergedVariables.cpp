// Variables that the optimiser has made one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory/MergedVariables.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace memshape {

/// A compiler up to release 21 has made some unit of M.
static bool isOfOldCompiler(const Module &M) {
  constexpr unsigned Repaired = 22;
  const NamedMDNode *Compilers = M.getNamedMetadata("llvm.ident");
  return !Compilers || any_of(Compilers->operands(), [](const MDNode *Each) {
    const auto *Name = dyn_cast_or_null<MDString>(Each->getNumOperands() ? Each->getOperand(0).get() : nullptr);
    unsigned Release = 0;
    StringRef Rest = Name ? Name->getString().split("version ").second : StringRef();
    return Rest.consumeInteger(10, Release) || Release < Repaired;
  });
}

void dropTypesOfMerged(Module &M) {
  if (!isOfOldCompiler(M))
    return;
  for (Function &F : M) {
    MapVector<const AllocaInst *, SmallVector<Instruction *, 8>> Accesses;
    for (Instruction &I : instructions(F))
      if (I.hasMetadata(LLVMContext::MD_tbaa))
        if (const Value *Pointer = getLoadStorePointerOperand(&I))
          if (const auto *Variable = dyn_cast<AllocaInst>(getUnderlyingObject(Pointer)))
            Accesses[Variable].push_back(&I);
    for (auto &[Variable, Each] : Accesses) {
      // A tag begins with the class of the object that it is a part of.
      const auto ClassOf = [](const Instruction *I) {
        return I->getMetadata(LLVMContext::MD_tbaa)->getOperand(0).get();
      };
      if (all_of(Each, [&](const Instruction *I) { return ClassOf(I) == ClassOf(Each.front()); }))
        continue;
      for (Instruction *I : Each)
        I->setMetadata(LLVMContext::MD_tbaa, nullptr);
    }
  }
}

} // namespace memshape
