// Bounds of integers that were real numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// long(std::clamp(x, 0.f, float(n))) is from 0 to n. A real number lies between two integers, and so does what is left
// when its fraction is cut off. Where x is no number the conversion is undefined: that calls for no bound.

#include "intervals/Bounder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memshape {

/// Integers up to this are exact in Type, so that rounding leads beyond none of them.
static int64_t exactUpTo(const Type *Type) { return Type->isFloatTy() ? int64_t(1) << 24 : int64_t(1) << 53; }

/// X, rounded to Type: an end holds on where it is exact.
static Interval roundedIn(IRBuilder<> &B, Interval X, const Type *Type) {
  const int64_t Most = exactUpTo(Type);
  const auto IsExact = [&](Value *End) {
    return B.CreateAnd(B.CreateICmpSGE(End, B.getInt64(-Most)), B.CreateICmpSLE(End, B.getInt64(Most)));
  };
  if (X.Low)
    X.Low = B.CreateSelect(IsExact(X.Low), X.Low, B.getInt64(INT64_MIN));
  if (X.High)
    X.High = B.CreateSelect(IsExact(X.High), X.High, B.getInt64(INT64_MAX));
  return X;
}

/// The integers around V, which the skeleton computes.
static Interval around(IRBuilder<> &B, Value *V) {
  const auto Integer = [&](Intrinsic::ID Towards, int64_t None) -> Value * {
    Value *Whole =
        B.CreateIntrinsic(Intrinsic::fptosi_sat, {B.getInt64Ty(), V->getType()}, {B.CreateUnaryIntrinsic(Towards, V)});
    return B.CreateSelect(B.CreateFCmpORD(V, V), Whole, B.getInt64(None));
  };
  return {Integer(Intrinsic::floor, INT64_MIN), Integer(Intrinsic::ceil, INT64_MAX)};
}

/// X, which V is, where Compare is Truth.
void Bounder::refineReal(Real &X, const Value *V, const FCmpInst &Compare, bool Truth, Instruction &At,
                         unsigned Depth) {
  const bool IsLeft = Compare.getOperand(0) == V;
  if (!IsLeft && Compare.getOperand(1) != V)
    return;
  IRBuilder<> B(&At);
  IntervalArithmetic A(B, MostBits);
  CmpInst::Predicate Holds = Truth ? Compare.getPredicate() : Compare.getInversePredicate();
  Holds = IsLeft ? Holds : CmpInst::getSwappedPredicate(Holds);
  X.NotANumber &= CmpInst::isUnordered(Holds);
  const Interval Other = realRange(Compare.getOperand(IsLeft ? 1 : 0), At, Depth).Between;
  switch (CmpInst::getOrderedPredicate(Holds)) {
  case CmpInst::FCMP_OLT:
  case CmpInst::FCMP_OLE: X.Between = A.meet(X.Between, {nullptr, Other.High}); return;
  case CmpInst::FCMP_OGT:
  case CmpInst::FCMP_OGE: X.Between = A.meet(X.Between, {Other.Low, nullptr}); return;
  case CmpInst::FCMP_OEQ: X.Between = A.meet(X.Between, Other); return;
  default: return;
  }
}

Bounder::Real Bounder::realRange(Value *V, Instruction &At, unsigned Depth) {
  IRBuilder<> B(&At);
  IntervalArithmetic A(B, MostBits);
  if (!V->getType()->isFloatTy() && !V->getType()->isDoubleTy())
    return {};
  if (!Flow.isData(V)) {
    const Interval X = around(B, V);
    return {{A.exactly(X.Low, /*Signed=*/true).Low, A.exactly(X.High, /*Signed=*/true).High}, false};
  }
  if (!Room || Depth > MostDepth)
    return {};
  --Room;
  Real X = computedReal(V, At, Depth);
  SmallVector<RealFact, 4> Facts;
  std::swap(Facts, RealFacts); // what a value is compared with is looked at without them
  for (const auto [Compare, Truth] : Facts)
    refineReal(X, V, *Compare, Truth, At, Depth + 1);
  std::swap(Facts, RealFacts);
  return X;
}

Bounder::Real Bounder::computedReal(Value *V, Instruction &At, unsigned Depth) {
  IRBuilder<> B(&At);
  IntervalArithmetic A(B, MostBits);
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return {};
  const auto Side = [&](unsigned Operand) { return realRange(I->getOperand(Operand), At, Depth + 1); };
  const auto Rounded = [&](Interval X) { return roundedIn(B, X, V->getType()); };
  switch (I->getOpcode()) {
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    return {Rounded(rangeOf(I->getOperand(0), I->getOpcode() == Instruction::SIToFP, At, Depth + 1)), false};
  case Instruction::FPExt:
  case Instruction::Freeze: return Side(0);
  case Instruction::FPTrunc: {
    const Real X = Side(0);
    return {Rounded(X.Between), X.NotANumber};
  }
  case Instruction::FAdd: {
    const Real X = Side(0), Y = Side(1);
    return {Rounded(A.add(X.Between, Y.Between)), X.NotANumber || Y.NotANumber};
  }
  case Instruction::FSub: {
    const Real X = Side(0), Y = Side(1);
    return {Rounded(A.subtract(X.Between, Y.Between)), X.NotANumber || Y.NotANumber};
  }
  case Instruction::FMul: {
    const Real X = Side(0), Y = Side(1);
    return {Rounded(A.multiply(X.Between, Y.Between)), true}; // 0 times infinity
  }
  case Instruction::Select: {
    auto *Compare = dyn_cast<FCmpInst>(I->getOperand(0));
    Real Arms[2];
    for (unsigned Arm : {0u, 1u}) {
      if (Compare)
        RealFacts.push_back({Compare, Arm == 0});
      Arms[Arm] = Side(Arm + 1);
      if (Compare)
        RealFacts.pop_back();
    }
    return {A.hull(Arms[0].Between, Arms[1].Between), Arms[0].NotANumber || Arms[1].NotANumber};
  }
  default: return isa<IntrinsicInst>(I) ? realOfIntrinsic(cast<IntrinsicInst>(*I), At, Depth) : Real();
  }
}

Bounder::Real Bounder::realOfIntrinsic(IntrinsicInst &Call, Instruction &At, unsigned Depth) {
  IRBuilder<> B(&At);
  IntervalArithmetic A(B, MostBits);
  const auto Side = [&](unsigned Operand) { return realRange(Call.getArgOperand(Operand), At, Depth + 1); };
  switch (Call.getIntrinsicID()) {
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::round:
  case Intrinsic::roundeven:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::arithmetic_fence: return Side(0);
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return {roundedIn(B, A.add(A.multiply(Side(0).Between, Side(1).Between), Side(2).Between), Call.getType()), true};
  case Intrinsic::fabs: {
    const Real X = Side(0);
    return {A.magnitude(X.Between), X.NotANumber};
  }
  case Intrinsic::minnum:
  case Intrinsic::maxnum: {
    // Of what is no number the other one is the result.
    Real X = Side(0), Y = Side(1);
    const bool Least = Call.getIntrinsicID() == Intrinsic::minnum;
    const bool Neither = X.NotANumber && Y.NotANumber;
    const Interval OfX = X.Between, OfY = Y.Between;
    if (X.NotANumber)
      (Least ? X.Between.High : X.Between.Low) = nullptr;
    if (Y.NotANumber)
      (Least ? Y.Between.High : Y.Between.Low) = nullptr;
    Interval Result = Least ? A.minimum(X.Between, Y.Between) : A.maximum(X.Between, Y.Between);
    return {Neither ? A.hull(OfX, OfY) : Result, Neither};
  }
  default: return {};
  }
}

} // namespace memshape
