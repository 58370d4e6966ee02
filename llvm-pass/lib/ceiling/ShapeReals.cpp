// Ranges of floating-point numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some sizes are computed from floating-point numbers: three times the width of a filter, a share of all samples. The
// integers around such a number bound it, if it is not NaN. NaN, and numbers that are too large, convert to the least
// integer on the processors that matter. So a converted number has an upper bound only.

#include "ceiling/ShapeRanges.h"
#include "llvm/IR/IntrinsicInst.h"
#include <cmath>

using namespace llvm;

namespace memshape {

static constexpr unsigned MostDepth = 16;

/// X after rounding to type Of: integers of few bits are unchanged.
Interval ShapeRanges::rounded(Interval X, const Type &Of) {
  // A float has 24 significant bits, a double 53.
  const unsigned Kept = Of.isFloatTy() ? 22 : 51;
  const auto Slack = [&](Value *End) { return A.shiftRight(A.magnitude({End, End}), A.constant(Kept, Kept)); };
  return {X.Low ? A.subtract(X, Slack(X.Low)).Low : nullptr, X.High ? A.add(X, Slack(X.High)).High : nullptr};
}

/// What Choice can be on either side of its comparison.
Interval ShapeRanges::ofRealChoice(SelectInst &Choice, const Instruction &Place, unsigned Depth) {
  auto *Compare = dyn_cast<FCmpInst>(Choice.getCondition());
  Interval Arms[2];
  for (unsigned Arm : {0u, 1u}) {
    Value *Chosen = Choice.getOperand(Arm + 1);
    Arms[Arm] = ofReal(Chosen, Place, Depth);
    if (!Compare)
      continue;
    // On this side the comparison holds, or one of both is no number, which says nothing of what is one.
    for (unsigned Side : {0u, 1u}) {
      if (Compare->getOperand(Side) != Chosen || isa<Constant>(Chosen))
        continue;
      const CmpInst::Predicate Holds = Arm == 0 ? Compare->getPredicate() : Compare->getInversePredicate();
      const CmpInst::Predicate Seen = Side == 0 ? Holds : CmpInst::getSwappedPredicate(Holds);
      if (CmpInst::isUnordered(Seen)) // the other one may be no number, and this one anything
        if (const auto *Other = dyn_cast<ConstantFP>(Compare->getOperand(1 - Side)); !Other || Other->isNaN())
          continue;
      const Interval Limit = ofReal(Compare->getOperand(1 - Side), Place, Depth);
      if (is_contained({CmpInst::FCMP_OLT, CmpInst::FCMP_OLE, CmpInst::FCMP_ULT, CmpInst::FCMP_ULE}, Seen))
        Arms[Arm] = A.meet(Arms[Arm], {nullptr, Limit.High});
      if (is_contained({CmpInst::FCMP_OGT, CmpInst::FCMP_OGE, CmpInst::FCMP_UGT, CmpInst::FCMP_UGE}, Seen))
        Arms[Arm] = A.meet(Arms[Arm], {Limit.Low, nullptr});
    }
  }
  return A.hull(Arms[0], Arms[1]);
}

/// The integers around V, if V is not NaN.
Interval ShapeRanges::ofReal(Value *V, const Instruction &Place, unsigned Depth) {
  if (Depth > MostDepth || !Room || !(V->getType()->isFloatTy() || V->getType()->isDoubleTy()))
    return {};
  --Room;
  const auto Of = [&](Value *Part) { return ofReal(Part, Place, Depth + 1); };
  const auto Rounded = [&](Interval X) { return rounded(X, *V->getType()); };
  if (const auto *C = dyn_cast<ConstantFP>(V)) {
    const double Far = double(int64_t(1) << 52), Number = C->getValueAPF().convertToDouble();
    if (!(std::fabs(Number) < Far))
      return {};
    return A.constant(int64_t(std::floor(Number)), int64_t(std::ceil(Number)));
  }
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return {};
  switch (I->getOpcode()) {
  case Instruction::SIToFP:
  case Instruction::UIToFP: return Rounded(at(I->getOperand(0), isa<SIToFPInst>(I), *I));
  case Instruction::FPTrunc: return Rounded(Of(I->getOperand(0)));
  case Instruction::FPExt:
  case Instruction::Freeze: return Of(I->getOperand(0));
  case Instruction::FNeg: return A.subtract(A.constant(0, 0), Of(I->getOperand(0)));
  case Instruction::FAdd: return Rounded(A.add(Of(I->getOperand(0)), Of(I->getOperand(1))));
  case Instruction::FSub: return Rounded(A.subtract(Of(I->getOperand(0)), Of(I->getOperand(1))));
  case Instruction::FMul: return Rounded(A.multiply(Of(I->getOperand(0)), Of(I->getOperand(1))));
  case Instruction::FDiv: {
    // Division by one or more moves the quotient towards zero.
    const auto *By = dyn_cast<ConstantFP>(I->getOperand(1));
    const double Divisor = By ? By->getValueAPF().convertToDouble() : 0;
    return Divisor >= 1 ? A.hull(Of(I->getOperand(0)), A.constant(0, 0)) : Interval();
  }
  case Instruction::FRem: return remainderBy(Of(I->getOperand(1)));
  case Instruction::Select: return ofRealChoice(cast<SelectInst>(*I), Place, Depth + 1);
  case Instruction::PHI: {
    if (LI.isLoopHeader(I->getParent()))
      return {};
    Interval All;
    bool First = true;
    for (Value *Each : cast<PHINode>(I)->incoming_values()) {
      const Interval X = Of(Each);
      All = std::exchange(First, false) ? X : A.hull(All, X);
    }
    return All;
  }
  case Instruction::Call: return ofRealCall(cast<CallBase>(*I), Depth);
  default: return {};
  }
}

/// The function of real numbers that Call calls, or none. C's functions are those of LLVM, apart from errno.
static Intrinsic::ID realFunction(const CallBase &Call, const TargetLibraryInfo &Library) {
  LibFunc Known;
  if (!Library.getLibFunc(Call, Known))
    return Call.getIntrinsicID();
  static constexpr struct {
    LibFunc OfDouble, OfFloat;
    Intrinsic::ID Same;
  } Functions[] = {
      {LibFunc_floor, LibFunc_floorf, Intrinsic::floor}, {LibFunc_ceil, LibFunc_ceilf, Intrinsic::ceil},
      {LibFunc_trunc, LibFunc_truncf, Intrinsic::trunc}, {LibFunc_round, LibFunc_roundf, Intrinsic::round},
      {LibFunc_rint, LibFunc_rintf, Intrinsic::rint},    {LibFunc_nearbyint, LibFunc_nearbyintf, Intrinsic::nearbyint},
      {LibFunc_fabs, LibFunc_fabsf, Intrinsic::fabs},    {LibFunc_sqrt, LibFunc_sqrtf, Intrinsic::sqrt},
      {LibFunc_fmin, LibFunc_fminf, Intrinsic::minnum},  {LibFunc_fmax, LibFunc_fmaxf, Intrinsic::maxnum},
  };
  const auto *Found = find_if(Functions, [&](const auto &F) { return F.OfDouble == Known || F.OfFloat == Known; });
  return Found == std::end(Functions) ? Intrinsic::not_intrinsic : Found->Same;
}

/// The remainder of a division by X, for a dividend of any size.
Interval ShapeRanges::remainderBy(Interval X) {
  const Interval Size = A.magnitude(X);
  return {Size.High ? A.subtract(A.constant(0, 0), Size).Low : nullptr, Size.High};
}

Interval ShapeRanges::ofRealCall(CallBase &Call, unsigned Depth) {
  const auto Of = [&](unsigned Number) { return ofReal(Call.getArgOperand(Number), Call, Depth + 1); };
  LibFunc Function;
  if (Library.getLibFunc(Call, Function) && (Function == LibFunc_fmod || Function == LibFunc_fmodf))
    return remainderBy(Of(1));
  const Intrinsic::ID Which = realFunction(Call, Library);
  switch (Which) {
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::round:
  case Intrinsic::rint:
  case Intrinsic::nearbyint: return Of(0);
  case Intrinsic::fabs: return A.magnitude(Of(0));
  case Intrinsic::sqrt: {
    const Interval X = Of(0);
    if (!X.High)
      return {};
    Type *Real = B.getDoubleTy();
    Value *Most = A.maximum(X, A.constant(0, 0)).High;
    Value *Root = B.CreateFPToSI(B.CreateUnaryIntrinsic(Intrinsic::sqrt, B.CreateSIToFP(Most, Real)), B.getInt64Ty());
    Value *Endless = B.CreateICmpEQ(Most, B.getInt64(INT64_MAX));
    return {B.getInt64(0), B.CreateSelect(Endless, Most, B.CreateAdd(Root, B.getInt64(1)))};
  }
  case Intrinsic::minnum:
  case Intrinsic::maxnum: break;
  default: return {};
  }
  // fmin and fmax of a number and NaN return the number. Only a constant is known not to be NaN.
  for (unsigned Side : {0u, 1u})
    if (const auto *C = dyn_cast<ConstantFP>(Call.getArgOperand(Side)); C && !C->isNaN()) {
      const Interval Limit = Of(Side), Other = Of(1 - Side);
      return Which == Intrinsic::minnum ? Interval{A.minimum(Other, Limit).Low, Limit.High}
                                        : Interval{Limit.Low, A.maximum(Other, Limit).High};
    }
  return A.hull(Of(0), Of(1));
}

/// Whether V comes from an integer by operations that never yield NaN.
static bool isNumber(const Value *V) {
  for (;;) {
    if (isa<SIToFPInst>(V) || isa<UIToFPInst>(V))
      return true;
    const auto *Call = dyn_cast<IntrinsicInst>(V);
    if (!isa<FPExtInst>(V) &&
        !(Call && (Call->getIntrinsicID() == Intrinsic::ceil || Call->getIntrinsicID() == Intrinsic::floor)))
      return false;
    V = cast<Instruction>(V)->getOperand(0);
  }
}

/// I converts a floating-point number to an integer.
Interval ShapeRanges::ofConversion(Instruction &I) {
  const unsigned Bits = I.getType()->getIntegerBitWidth();
  if (Bits != 32 && Bits != 64)
    return {};
  const Interval X = ofReal(I.getOperand(0), I, 0);
  if (!X.High)
    return {};
  Value *High = A.maximum(X, A.constant(0, 0)).High;
  // A negative number gives anything in 32 unsigned bits; in 64 bits its highest bit is set.
  if (isa<FPToUIInst>(I) && Bits == 32)
    High = B.CreateSelect(B.CreateICmpSGE(A.lowOf(X), B.getInt64(0)), High, B.getInt64(INT64_MAX));
  Value *Fits = B.CreateICmpSLT(High, B.getInt64(Bits == 32 ? INT32_MAX : int64_t(1) << 61));
  return {isNumber(I.getOperand(0)) ? X.Low : nullptr, B.CreateSelect(Fits, High, B.getInt64(INT64_MAX))};
}

} // namespace memshape
