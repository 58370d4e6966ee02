// What instructions make of intervals.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "intervals/IntervalOperations.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace memshape {

static Interval ofBinary(IntervalArithmetic &A, BinaryOperator &I, bool Signed, OperandRange Of) {
  const unsigned Bits = I.getType()->getIntegerBitWidth();
  const auto Side = [&](unsigned Operand, bool WithSign) { return Of(I.getOperand(Operand), WithSign); };
  const auto *Exact = dyn_cast<OverflowingBinaryOperator>(&I);
  const bool Wraps = !Exact || !(Signed ? Exact->hasNoSignedWrap() : Exact->hasNoUnsignedWrap());
  const auto Fitted = [&](Interval X) {
    if (Wraps)
      return A.wrapped(X, Bits, Signed);
    return Signed ? X : A.meet(X, A.atLeast(0));
  };
  switch (I.getOpcode()) {
  case Instruction::Add:
    // A constant that is added to an unsigned number, and may wrap around, is subtracted where it is negative.
    return Fitted(A.add(Side(0, Signed), Side(1, Signed || (Wraps && isa<ConstantInt>(I.getOperand(1))))));
  case Instruction::Sub: return Fitted(A.subtract(Side(0, Signed), Side(1, Signed)));
  case Instruction::Mul: return Fitted(A.multiply(Side(0, Signed), Side(1, Signed)));
  case Instruction::Shl: return Fitted(A.shiftLeft(Side(0, Signed), Side(1, false)));
  case Instruction::UDiv: {
    Interval X = A.divide(Side(0, false), Side(1, false));
    // The quotient is at most that of the greatest number of the type.
    if (const auto *By = dyn_cast<ConstantInt>(I.getOperand(1)); By && By->getValue().ugt(8))
      X = A.meet(X, A.atMost(int64_t(APInt::getAllOnes(Bits).udiv(By->getValue()).getZExtValue())));
    return A.viewed(X, Bits, Signed);
  }
  case Instruction::SDiv: {
    Interval X = A.divide(Side(0, true), Side(1, true));
    return Signed ? X : A.viewed(X, Bits, false);
  }
  case Instruction::URem: return A.viewed(A.remainder(Side(0, false), Side(1, false)), Bits, Signed);
  case Instruction::SRem: {
    Interval X = A.remainder(Side(0, true), Side(1, true));
    return Signed ? X : A.viewed(X, Bits, false);
  }
  case Instruction::LShr: {
    // All bits below the highest one of a number: it is less than twice the number. That of 0 is not defined.
    if (Value * Number; match(&I, m_LShr(m_AllOnes(), m_Intrinsic<Intrinsic::ctlz>(m_Value(Number), m_Value())))) {
      const Interval X = Of(Number, false);
      return A.viewed({X.Low, A.subtract(A.multiply(X, A.constant(2, 2)), A.constant(1, 1)).High}, Bits, Signed);
    }
    Interval Amount = Side(1, false), X = A.shiftRight(Side(0, false), Amount);
    // Of Bits bits, this many remain.
    if (const auto *By = dyn_cast<ConstantInt>(I.getOperand(1)); By && By->getValue().ult(Bits))
      X = A.meet(X, A.ofType(Bits - unsigned(By->getZExtValue()), false));
    return A.viewed(X, Bits, Signed);
  }
  case Instruction::AShr: {
    Interval X = A.shiftRight(Side(0, true), Side(1, false));
    if (const auto *By = dyn_cast<ConstantInt>(I.getOperand(1)); By && By->getValue().ult(Bits))
      X = A.meet(X, A.ofType(Bits - unsigned(By->getZExtValue()), true));
    return Signed ? X : A.viewed(X, Bits, false);
  }
  case Instruction::And: return A.bitAnd(Side(0, Signed), Side(1, Signed));
  case Instruction::Or:
  case Instruction::Xor:
    return A.wrapped(A.bitOr(Side(0, Signed), Side(1, Signed), I.getOpcode() == Instruction::Xor), Bits, Signed);
  default: return A.ofType(Bits, Signed);
  }
}

static Interval ofCast(IntervalArithmetic &A, CastInst &I, bool Signed, OperandRange Of) {
  Value *From = I.getOperand(0);
  const unsigned Bits = I.getType()->getIntegerBitWidth();
  switch (I.getOpcode()) {
  case Instruction::ZExt: {
    const Interval X = Of(From, false);
    // zext nneg promises a clear sign bit, because of checks that were removed since.
    return I.hasNonNeg() ? A.meet(X, A.meet(Of(From, true), A.atLeast(0))) : X;
  }
  case Instruction::SExt: {
    Interval X = Of(From, true);
    return Signed ? X : A.viewed(X, Bits, false);
  }
  case Instruction::Trunc: return A.wrapped(Of(From, Signed), Bits, Signed);
  default: return A.ofType(Bits, Signed);
  }
}

static Interval ofIntrinsic(IntervalArithmetic &A, IntrinsicInst &I, bool Signed, OperandRange Of) {
  const unsigned Bits = I.getType()->getIntegerBitWidth();
  const auto Side = [&](unsigned Operand, bool WithSign) { return Of(I.getArgOperand(Operand), WithSign); };
  const auto View = [&](Interval X, bool WithSign) { return WithSign == Signed ? X : A.viewed(X, Bits, Signed); };
  switch (I.getIntrinsicID()) {
  case Intrinsic::umin: return View(A.minimum(Side(0, false), Side(1, false)), false);
  case Intrinsic::umax: return View(A.maximum(Side(0, false), Side(1, false)), false);
  case Intrinsic::smin: return View(A.minimum(Side(0, true), Side(1, true)), true);
  case Intrinsic::smax: return View(A.maximum(Side(0, true), Side(1, true)), true);
  case Intrinsic::abs: return View(A.wrapped(A.magnitude(Side(0, true)), Bits, true), true);
  case Intrinsic::usub_sat: return View(A.maximum(A.subtract(Side(0, false), Side(1, false)), A.constant(0, 0)), false);
  case Intrinsic::uadd_sat: return View(A.add(Side(0, false), Side(1, false)), false);
  case Intrinsic::ctpop:
  case Intrinsic::ctlz:
  case Intrinsic::cttz: return A.constant(0, Bits);
  default: return A.ofType(Bits, Signed);
  }
}

Value *productOfNew(const SelectInst &I) {
  const Value *Condition = I.getCondition();
  if (match(I.getTrueValue(), m_AllOnes()) && match(Condition, m_ExtractValue<1>(m_Value())) &&
      match(I.getFalseValue(), m_ExtractValue<0>(m_Specific(cast<ExtractValueInst>(Condition)->getAggregateOperand()))))
    return const_cast<Value *>(I.getFalseValue());
  return nullptr;
}

Interval intervalOf(IntervalArithmetic &A, Instruction &I, bool Signed, OperandRange Of) {
  if (auto *Binary = dyn_cast<BinaryOperator>(&I))
    return ofBinary(A, *Binary, Signed, Of);
  if (auto *Cast = dyn_cast<CastInst>(&I))
    return ofCast(A, *Cast, Signed, Of);
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return ofIntrinsic(A, *Call, Signed, Of);
  if (isa<FreezeInst>(I))
    return Of(I.getOperand(0), Signed);
  const unsigned Bits = I.getType()->getIntegerBitWidth();
  if (auto *Part = dyn_cast<ExtractValueInst>(&I))
    if (auto *Whole = dyn_cast<WithOverflowInst>(Part->getAggregateOperand());
        Whole && Part->getIndices() == ArrayRef<unsigned>(0)) {
      Interval X = Of(Whole->getLHS(), Signed), Y = Of(Whole->getRHS(), Signed);
      const Instruction::BinaryOps Op = Whole->getBinaryOp();
      Interval Result = Op == Instruction::Mul   ? A.multiply(X, Y)
                        : Op == Instruction::Add ? A.add(X, Y)
                                                 : A.subtract(X, Y);
      return A.wrapped(Result, Bits, Signed);
    }
  return A.ofType(Bits, Signed);
}

std::optional<Interval> rangeImpliedBy(IntervalArithmetic &A, const Comparison &C, Comparison::About &About,
                                       unsigned Bits, OperandRange Of) {
  const auto Right = [&] { return Of(C.Right, About.RightSigned); };
  const Interval One = A.constant(1, 1);
  Interval Says;
  switch (C.Predicate) {
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_SLT: Says.High = A.subtract(Right(), One).High; break;
  case CmpInst::ICMP_ULE:
  case CmpInst::ICMP_SLE: Says.High = Right().High; break;
  case CmpInst::ICMP_UGT:
  case CmpInst::ICMP_SGT: Says.Low = A.add(Right(), One).Low; break;
  case CmpInst::ICMP_UGE:
  case CmpInst::ICMP_SGE: Says.Low = Right().Low; break;
  case CmpInst::ICMP_EQ: Says = Right(); break;
  case CmpInst::ICMP_NE:
    if (!match(C.Right, m_Zero()) || About.Offset || About.Shifted)
      return std::nullopt;
    About.ValueSigned = false;
    Says.Low = One.Low;
    break;
  default: return std::nullopt;
  }
  if (About.Shifted) {
    const int64_t Factor = int64_t(1) << About.Shifted;
    Says = A.multiply(Says, A.constant(Factor, Factor));
    Says.High = A.add(Says, A.constant(Factor - 1, Factor - 1)).High;
  }
  if (About.Wraps)
    Says.Low = A.constant(0, 0).Low;
  if (About.Offset)
    Says = A.subtract(Says, A.constant(About.Offset, About.Offset));
  if (About.Wraps)
    Says = A.wrapped(Says, Bits, About.ValueSigned);
  return Says;
}

} // namespace memshape
