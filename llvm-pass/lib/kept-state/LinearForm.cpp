// Sums of values with constant factors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kept-state/LinearForm.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;

namespace memshape {

void LinearForm::scale(int64_t Times) {
  for (auto &[Term, Factor] : Terms)
    Valid &= !MulOverflow(Factor, Times, Factor);
  Valid &= !MulOverflow(Constant, Times, Constant) && !MulOverflow(Denominator, Times, Denominator);
}

void LinearForm::add(const LinearForm &Other, int64_t Times, int64_t Over) {
  int64_t OtherDenominator;
  Valid &= Other.Valid && Over > 0 && !MulOverflow(Other.Denominator, Over, OtherDenominator);
  if (!Valid)
    return;
  const int64_t Common = std::gcd(Denominator, OtherDenominator);
  int64_t OtherTimes;
  Valid &= !MulOverflow(Denominator / Common, Times, OtherTimes);
  scale(OtherDenominator / Common);
  const auto Sum = [&](int64_t &To, int64_t What) {
    int64_t Product;
    Valid &= !MulOverflow(What, OtherTimes, Product) && !AddOverflow(To, Product, To);
  };
  Sum(Constant, Other.Constant);
  for (const auto &[Term, Factor] : Other.Terms)
    Sum(Terms[Term], Factor);
  Terms.remove_if([](const auto &Each) { return Each.second == 0; });
}

void LinearForm::replace(const Value *Term, const LinearForm &What) {
  const int64_t Factor = factorOf(Term);
  if (!Factor)
    return;
  const int64_t Below = Denominator;
  Terms.erase(Term);
  add(What, Factor, Below);
}

LinearForm LinearForm::withoutDenominator() const {
  LinearForm Whole = *this;
  Whole.Denominator = 1;
  return Whole;
}

/// Whether I computes the mathematical result, for signed operands.
static bool keepsSums(const Instruction &I) {
  if (const auto *Wraps = dyn_cast<OverflowingBinaryOperator>(&I); Wraps && Wraps->hasNoSignedWrap())
    return true;
  // Unsigned: sizes never come near the upper half of the range.
  if (const auto *Wraps = dyn_cast<OverflowingBinaryOperator>(&I); Wraps && Wraps->hasNoUnsignedWrap())
    return true;
  // Addresses and their distances.
  return (I.getOpcode() == Instruction::Sub || I.getOpcode() == Instruction::Add) &&
         any_of(I.operands(), [](const Use &U) { return isa<PtrToIntInst>(U.get()); });
}

static LinearForm term(const Value *V) {
  LinearForm Form;
  Form.Terms[V] = 1;
  return Form;
}

static LinearForm ofAddress(const GEPOperator &Address, const DataLayout &Layout) {
  LinearForm Form = LinearForm::of(Address.getPointerOperand(), Layout);
  for (auto At = gep_type_begin(Address), End = gep_type_end(Address); At != End; ++At) {
    if (StructType *Type = At.getStructTypeOrNull()) {
      const auto Field = unsigned(cast<ConstantInt>(At.getOperand())->getZExtValue());
      Form.add(LinearForm(int64_t(Layout.getStructLayout(Type)->getElementOffset(Field))));
      continue;
    }
    Form.add(LinearForm::of(At.getOperand(), Layout), int64_t(At.getSequentialElementStride(Layout)));
  }
  return Form;
}

LinearForm LinearForm::of(const Value *V, const DataLayout &Layout) {
  if (const auto *Number = dyn_cast<ConstantInt>(V))
    return Number->getBitWidth() <= 64 ? LinearForm(Number->getSExtValue()) : term(V);
  if (isa<ConstantPointerNull>(V))
    return LinearForm(0);
  if (const auto *Address = dyn_cast<GEPOperator>(V); Address && !Address->getType()->isVectorTy())
    return ofAddress(*Address, Layout);
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || I->getType()->isVectorTy())
    return term(V);
  const auto Operand = [&](unsigned At) { return of(I->getOperand(At), Layout); };
  const auto *By = I->getNumOperands() == 2 ? dyn_cast<ConstantInt>(I->getOperand(1)) : nullptr;
  LinearForm Form;
  switch (I->getOpcode()) {
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Freeze:
  case Instruction::PtrToInt: return I->getOperand(0)->getType()->isIntegerTy(1) ? term(V) : Operand(0);
  case Instruction::Add:
  case Instruction::Sub:
    if (!keepsSums(*I))
      return term(V);
    Form = Operand(0);
    Form.add(Operand(1), I->getOpcode() == Instruction::Add ? 1 : -1);
    return Form;
  case Instruction::Mul:
    if (!By || By->getBitWidth() > 64 || !keepsSums(*I))
      return term(V);
    Form.add(Operand(0), By->getSExtValue());
    return Form;
  case Instruction::Shl:
    if (!By || By->getZExtValue() > 32 || !keepsSums(*I))
      return term(V);
    Form.add(Operand(0), int64_t(1) << By->getZExtValue());
    return Form;
  case Instruction::AShr:
  case Instruction::LShr:
    if (!By || By->getZExtValue() > 32 || !cast<PossiblyExactOperator>(I)->isExact())
      return term(V);
    Form.add(Operand(0), 1, int64_t(1) << By->getZExtValue());
    return Form;
  case Instruction::SDiv:
  case Instruction::UDiv:
    if (!By || By->getBitWidth() > 64 || By->getSExtValue() <= 0 || !cast<PossiblyExactOperator>(I)->isExact())
      return term(V);
    Form.add(Operand(0), 1, By->getSExtValue());
    return Form;
  default: return term(V);
  }
}

} // namespace memshape
