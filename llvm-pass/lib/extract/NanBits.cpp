// Bits of numbers that may be none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extract/NanBits.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memshape {

/// An integer, or a constant: finite, and no NaN.
static bool isPlain(const Value *V) {
  const auto *C = dyn_cast<ConstantFP>(V);
  return isa<SIToFPInst>(V) || isa<UIToFPInst>(V) || (C && C->getValueAPF().isFinite());
}

/// Floating-point numbers that are stored in the variable of the stack that Pointer leads to, or copied there from
/// another one.
static SmallVector<const Value *, 4> storedIn(const Value &Pointer) {
  SmallVector<const Value *, 4> Stored;
  SmallSetVector<const Value *, 4> Slots;
  Slots.insert(getUnderlyingObject(&Pointer));
  for (unsigned I = 0; I != Slots.size(); ++I)
    for (const User *U :
         isa<AllocaInst>(Slots[I]) ? Slots[I]->users() : iterator_range<Value::const_user_iterator>({}, {})) {
      if (const auto *Store = dyn_cast<StoreInst>(U); Store && Store->getPointerOperand() == Slots[I])
        Stored.push_back(Store->getValueOperand());
      else if (const auto *Copy = dyn_cast<MemTransferInst>(U); Copy && Copy->getRawDest() == Slots[I])
        Slots.insert(getUnderlyingObject(Copy->getRawSource()));
    }
  return Stored;
}

/// Whether arithmetic of the function may have made V NaN. What comes from memory or from callers has its bits from there.
static bool mayBeMadeNan(const Value *V, SmallPtrSetImpl<const Value *> &Seen) {
  if (!Seen.insert(V).second || isPlain(V))
    return false;
  if (const auto *C = dyn_cast<ConstantFP>(V))
    return C->isNaN();
  if (const auto *A = dyn_cast<Argument>(V))
    return any_of(A->getParent()->users(), [&](const User *U) {
      const auto *Call = dyn_cast<CallBase>(U);
      return Call && A->getArgNo() < Call->arg_size() && mayBeMadeNan(Call->getArgOperand(A->getArgNo()), Seen);
    });
  const auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return false;
  const auto AnyOf = [&](auto &&Values) {
    return any_of(Values, [&](const Value *Part) { return mayBeMadeNan(Part, Seen); });
  };
  switch (I->getOpcode()) {
  case Instruction::Load:
    return any_of(storedIn(*I->getOperand(0)), [&](const Value *Stored) { return mayBeMadeNan(Stored, Seen); });
  case Instruction::FNeg:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::PHI: return AnyOf(I->operand_values());
  case Instruction::Select: return AnyOf(drop_begin(I->operand_values()));
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul: // of finite numbers: perhaps infinite
    return !isPlain(I->getOperand(0)) || !isPlain(I->getOperand(1));
  case Instruction::FDiv: {
    const auto *By = dyn_cast<ConstantFP>(I->getOperand(1));
    return !isPlain(I->getOperand(0)) || !By || !By->getValueAPF().isFiniteNonZero();
  }
  case Instruction::FRem:
  case Instruction::Call: return true;
  default: return false;
  }
}

bool showsBitsOfNan(const Instruction &I) {
  SmallPtrSet<const Value *, 8> Seen;
  if (isa<LoadInst>(I) && I.getType()->isIntegerTy()) // the bits of a number, by memory
    return any_of(storedIn(*I.getOperand(0)), [&](const Value *Stored) {
      return Stored->getType()->isFloatingPointTy() && mayBeMadeNan(Stored, Seen);
    });
  const Value *Shown = nullptr;
  if (const auto *Cast = dyn_cast<BitCastInst>(&I); Cast && !Cast->getType()->isFPOrFPVectorTy())
    Shown = Cast->getOperand(0);
  else if (const auto *Call = dyn_cast<IntrinsicInst>(&I); Call && Call->getIntrinsicID() == Intrinsic::copysign)
    Shown = Call->getArgOperand(1);
  return Shown && Shown->getType()->isFloatingPointTy() && mayBeMadeNan(Shown, Seen);
}

} // namespace memshape
