// What a call of another thread may change at any time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extract/ChangedMeanwhile.h"
#include "libraries/Summaries.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace memshape {

/// A variable, and the number of a byte in it.
using Part = std::pair<const GlobalVariable *, int64_t>;

/// Where Pointer leads; no variable if that is none, or each thread has its own.
static Part partAt(const Value *Pointer, const DataLayout &DL) {
  APInt Offset(DL.getIndexTypeSizeInBits(Pointer->getType()), 0);
  const Value *Base = Pointer->stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/true);
  const auto *G = dyn_cast<GlobalVariable>(Base);
  return {G && !G->isConstant() && !G->isThreadLocal() ? G : nullptr, Offset.getSExtValue()};
}

/// New is computed from what lies at Place.
static bool followsFrom(const Value *New, Part Place, const DataLayout &DL) {
  constexpr unsigned Most = 64;
  SmallVector<const Value *, 8> Work = {New};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty() && Seen.size() != Most) {
    const auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (const auto *Load = dyn_cast<LoadInst>(I)) {
      if (partAt(Load->getPointerOperand(), DL) == Place)
        return true;
      if (const auto *Slot = dyn_cast<AllocaInst>(Load->getPointerOperand())) // where a front end keeps variables
        for (const User *U : Slot->users())
          if (const auto *Store = dyn_cast<StoreInst>(U))
            Work.push_back(Store->getValueOperand());
    } else if (isa<BinaryOperator, CastInst, PHINode, SelectInst, FreezeInst>(I)) {
      Work.append(I->op_begin(), I->op_end());
    }
  }
  return false;
}

/// The parts of variables that M changes in such a way.
static DenseSet<Part> partsOf(const Module &M) {
  const DataLayout &DL = M.getDataLayout();
  DenseSet<Part> Parts;
  DenseMap<Part, const Constant *> Given;
  const auto Write = [&](const Value *Pointer, const Value *New, bool Updates) {
    const Part Place = partAt(Pointer, DL);
    if (!Place.first || !New->getType()->isIntegerTy())
      return;
    if (const auto *C = dyn_cast<Constant>(New); C && !Updates)
      Updates = Given.try_emplace(Place, C).first->second != C;
    if (Updates || followsFrom(New, Place, DL))
      Parts.insert(Place);
  };
  for (const Function &F : M)
    for (const Instruction &I : instructions(F))
      if (const auto *Store = dyn_cast<StoreInst>(&I))
        Write(Store->getPointerOperand(), Store->getValueOperand(), false);
      else if (const auto *Change = dyn_cast<AtomicRMWInst>(&I))
        Write(Change->getPointerOperand(), Change->getValOperand(), Change->getOperation() != AtomicRMWInst::Xchg);
      else if (const auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
        Write(Exchange->getPointerOperand(), Exchange->getNewValOperand(), false);
  return Parts;
}

void markChangedMeanwhile(Module &M) {
  const DenseSet<Part> Parts = partsOf(M);
  if (Parts.empty())
    return;
  const bool Locks =
      any_of(M, [](const Function &F) { return F.isDeclaration() && !F.use_empty() && summaryOf(F).Locks; });
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      const Value *Pointer = nullptr;
      if (const auto *Load = dyn_cast<LoadInst>(&I); Load && (Locks || Load->isAtomic()))
        Pointer = Load->getPointerOperand();
      else if (const auto *Change = dyn_cast<AtomicRMWInst>(&I))
        Pointer = Change->getPointerOperand();
      else if (const auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
        Pointer = Exchange->getPointerOperand();
      if (Pointer && !I.use_empty() && Parts.contains(partAt(Pointer, M.getDataLayout())))
        I.replaceAllUsesWith(dataValue(*I.getNextNode(), I.getType()));
    }
}

} // namespace memshape
