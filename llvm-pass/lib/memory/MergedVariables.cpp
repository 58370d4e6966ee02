// Variables that the optimiser has made one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory/MergedVariables.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

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

namespace {

/// A load or store of some bytes of a variable, under a type.
struct Access {
  Instruction *By;
  const Metadata *Type;
  int64_t Begin, End;

  bool contradicts(const Access &Other) const { return Type != Other.Type && Begin < Other.End && Other.Begin < End; }
};

} // namespace

/// The bytes of Variable that By may access: of an array at an index that is not constant all of it.
static Access accessOf(Instruction &By, const Value *Pointer, const AllocaInst &Variable, const DataLayout &DL) {
  const int64_t Unknown = INT64_MAX / 2;
  int64_t Offset = 0, Bytes = int64_t(DL.getTypeStoreSize(getLoadStoreType(&By)).getKnownMinValue());
  for (bool InArray = false; Pointer != &Variable;) {
    const auto *Gep = dyn_cast<GEPOperator>(Pointer);
    APInt Constant(DL.getIndexTypeSizeInBits(Pointer->getType()), 0);
    if (Gep && Gep->accumulateConstantOffset(DL, Constant)) {
      Offset += Constant.getSExtValue();
    } else if (Gep && !InArray && Gep->getSourceElementType()->isArrayTy() &&
               match(Gep->idx_begin()->get(), m_Zero())) {
      InArray = true;
      Offset = 0;
      Bytes = int64_t(DL.getTypeAllocSize(Gep->getSourceElementType()).getKnownMinValue());
    } else {
      Offset = 0;
      Bytes = Unknown;
      break;
    }
    Pointer = Gep->getPointerOperand();
  }
  return {&By, By.getMetadata(LLVMContext::MD_tbaa)->getOperand(1).get(), Offset, Offset + Bytes};
}

void dropTypesOfMerged(Module &M) {
  if (!isOfOldCompiler(M))
    return;
  for (Function &F : M) {
    MapVector<const AllocaInst *, SmallVector<Access, 8>> Accesses;
    for (Instruction &I : instructions(F))
      if (const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa); Tag && Tag->getNumOperands() > 1)
        if (const Value *Pointer = getLoadStorePointerOperand(&I))
          if (const auto *Variable = dyn_cast<AllocaInst>(getUnderlyingObject(Pointer)))
            Accesses[Variable].push_back(accessOf(I, Pointer, *Variable, M.getDataLayout()));
    for (auto &[Variable, Each] : Accesses)
      if (any_of(Each, [&](const Access &One) {
            return any_of(Each, [&](const Access &Other) { return One.contradicts(Other); });
          }))
        for (const Access &One : Each)
          One.By->setMetadata(LLVMContext::MD_tbaa, nullptr);
  }
}

} // namespace memshape
