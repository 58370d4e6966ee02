//===- Bounder.cpp - The bounds of values in one function -----------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bounder.h"
#include "RunnerCalls.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace memshape {

/// How far behind what is asked for values are looked at.
static constexpr unsigned MostDepth = 40;

bool canBeBounded(const Value *V) { return V->getType()->isIntegerTy() && V->getType()->getIntegerBitWidth() <= 64; }

static Interval anything(IntervalArithmetic &A, bool Signed) { return Signed ? Interval() : A.atLeast(0); }

/// The bounds of V at At. A phi that turns out to have none spoils what was built on it, which is then done again.
Interval Bounder::bounds(Value *V, bool Signed, Instruction &At, unsigned Steps, Purpose For) {
  const unsigned MostRounds = 6, UsefulBits = 30, AllBits = 61;
  Tables = For == Purpose::Size;
  const unsigned Bits = For == Purpose::Comparison ? AllBits : UsefulBits;
  if (MostBits != Bits) {
    MostBits = Bits;
    Phis.clear();
    Endless.clear();
  }
  for (unsigned Round = 0; Round != MostRounds; ++Round) {
    FoundEndless = false;
    Room = Steps;
    Interval X = rangeOf(V, Signed, At, 0);
    if (!FoundEndless)
      return X;
    Phis.clear();
  }
  return {};
}

Interval Bounder::rangeOf(Value *V, bool Signed, Instruction &At, unsigned Depth) {
  IRBuilder<> B(&At);
  IntervalArithmetic A(B, MostBits);
  if (!canBeBounded(V))
    return {};
  if (!Flow.isData(V)) {
    // A size that the runner chooses is what it chooses from.
    if (auto *Call = dyn_cast<CallBase>(V); Call && runnerCall(*Call) == RunnerCall::Within)
      return {Call->getArgOperand(1), Call->getArgOperand(2)};
    return A.exactly(V, Signed);
  }
  if (!Room || Depth > MostDepth)
    return anything(A, Signed);
  --Room;
  Comparisons Facts = Known.before(At);
  Facts.append(Assumed);
  Interval X = refined(computed(V, Signed, At, Depth + 1), V, Signed, At, Facts, Depth + 1);
  // What is known to be no end is none.
  if (const auto *Low = dyn_cast_or_null<ConstantInt>(X.Low); Low && Low->equalsInt(uint64_t(INT64_MIN)))
    X.Low = nullptr;
  if (const auto *High = dyn_cast_or_null<ConstantInt>(X.High); High && High->equalsInt(INT64_MAX))
    X.High = nullptr;
  return X;
}

/// What Facts say of V, where they compare it with something that is known.
Interval Bounder::refined(Interval X, Value *V, bool Signed, Instruction &At, ArrayRef<Comparison> Facts,
                          unsigned Depth) {
  IRBuilder<> B(&At);
  IntervalArithmetic A(B, MostBits);
  const unsigned Bits = V->getType()->getIntegerBitWidth();
  Interval Other; // in the other view
  for (const Comparison &C : Facts) {
    std::optional<Comparison::About> About = C.about(V, Signed);
    if (!About || !canBeBounded(C.Right) || Flow.isData(C.Right))
      continue;
    const Interval Right = A.exactly(C.Right, About->RightSigned), One = A.constant(1, 1);
    Interval Says;
    switch (C.Predicate) {
    case CmpInst::ICMP_ULT:
    case CmpInst::ICMP_SLT:
      Says.High = A.subtract(Right, One).High;
      break;
    case CmpInst::ICMP_ULE:
    case CmpInst::ICMP_SLE:
      Says.High = Right.High;
      break;
    case CmpInst::ICMP_UGT:
    case CmpInst::ICMP_SGT:
      Says.Low = A.add(Right, One).Low;
      break;
    case CmpInst::ICMP_UGE:
    case CmpInst::ICMP_SGE:
      Says.Low = Right.Low;
      break;
    case CmpInst::ICMP_EQ:
      Says = Right;
      break;
    case CmpInst::ICMP_NE:
      if (!match(C.Right, m_Zero()) || About->Offset)
        continue;
      About->ValueSigned = false;
      Says.Low = B.getInt64(1);
      break;
    default:
      continue;
    }
    if (About->Wraps)
      Says.Low = B.getInt64(0);
    if (About->Offset)
      Says = A.subtract(Says, A.constant(About->Offset, About->Offset));
    if (About->Wraps)
      Says = A.wrapped(Says, Bits, About->ValueSigned);
    Interval &View = About->ValueSigned == Signed ? X : Other;
    View = A.meet(View, Says);
  }
  if (Other.isAnything())
    return X;
  // What V is computed from may say more in that view, too.
  if (Room) {
    --Room;
    Other = A.meet(Other, computed(V, !Signed, At, Depth));
  }
  if (Signed)
    Other = A.meet(Other, A.atLeast(0));
  return A.meet(X, A.viewed(Other, Bits, Signed));
}

Interval Bounder::computed(Value *V, bool Signed, Instruction &At, unsigned Depth) {
  IRBuilder<> B(&At);
  IntervalArithmetic A(B, MostBits);
  const unsigned Bits = V->getType()->getIntegerBitWidth();
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return A.ofType(Bits, Signed);
  if (auto *Binary = dyn_cast<BinaryOperator>(I))
    return ofBinary(*Binary, Signed, At, Depth);
  if (auto *Cast = dyn_cast<CastInst>(I))
    return ofCast(*Cast, Signed, At, Depth);
  if (auto *Choice = dyn_cast<SelectInst>(I))
    return ofSelect(*Choice, Signed, At, Depth);
  if (auto *Phi = dyn_cast<PHINode>(I))
    return ofPhi(*Phi, Signed, Depth);
  if (auto *Call = dyn_cast<IntrinsicInst>(I))
    return ofIntrinsic(*Call, Signed, At, Depth);
  if (auto *Call = dyn_cast<CallBase>(I))
    return ofCall(*Call, Signed, At, Depth);
  if (auto *Load = dyn_cast<LoadInst>(I))
    return ofLoad(*Load, Signed, Depth);
  if (isa<FreezeInst>(I))
    return rangeOf(I->getOperand(0), Signed, At, Depth);
  if (auto *Part = dyn_cast<ExtractValueInst>(I))
    if (auto *Whole = dyn_cast<WithOverflowInst>(Part->getAggregateOperand());
        Whole && Part->getIndices() == ArrayRef<unsigned>(0)) {
      Interval X = rangeOf(Whole->getLHS(), Signed, At, Depth), Y = rangeOf(Whole->getRHS(), Signed, At, Depth);
      const Instruction::BinaryOps Op = Whole->getBinaryOp();
      Interval Result = Op == Instruction::Mul   ? A.multiply(X, Y)
                        : Op == Instruction::Add ? A.add(X, Y)
                                                 : A.subtract(X, Y);
      return A.wrapped(Result, Bits, Signed);
    }
  return A.ofType(Bits, Signed);
}

Interval Bounder::ofBinary(BinaryOperator &I, bool Signed, Instruction &At, unsigned Depth) {
  IRBuilder<> B(&At);
  IntervalArithmetic A(B, MostBits);
  const unsigned Bits = I.getType()->getIntegerBitWidth();
  const auto Side = [&](unsigned Operand, bool WithSign) {
    return rangeOf(I.getOperand(Operand), WithSign, At, Depth);
  };
  const auto *Exact = dyn_cast<OverflowingBinaryOperator>(&I);
  const bool Wraps = !Exact || !(Signed ? Exact->hasNoSignedWrap() : Exact->hasNoUnsignedWrap());
  const auto Fitted = [&](Interval X) {
    if (Wraps)
      return A.wrapped(X, Bits, Signed);
    return Signed ? X : A.meet(X, A.atLeast(0));
  };
  switch (I.getOpcode()) {
  case Instruction::Add:
    return Fitted(A.add(Side(0, Signed), Side(1, Signed)));
  case Instruction::Sub:
    if (Value * X, *Y; match(&I, m_Sub(m_PtrToInt(m_Value(X)), m_PtrToInt(m_Value(Y)))))
      return A.viewed(distance(X, Y, At, Depth), Bits, Signed);
    return Fitted(A.subtract(Side(0, Signed), Side(1, Signed)));
  case Instruction::Mul:
    return Fitted(A.multiply(Side(0, Signed), Side(1, Signed)));
  case Instruction::Shl:
    return Fitted(A.shiftLeft(Side(0, Signed), Side(1, false)));
  case Instruction::UDiv: {
    Interval X = A.divide(Side(0, false), Side(1, false));
    // Of the greatest number that there is not more is left.
    if (const auto *By = dyn_cast<ConstantInt>(I.getOperand(1)); By && By->getValue().ugt(8))
      X = A.meet(X, {nullptr, B.getInt64(APInt::getAllOnes(Bits).udiv(By->getValue()).getZExtValue())});
    return A.viewed(X, Bits, Signed);
  }
  case Instruction::SDiv: {
    Interval X = A.divide(Side(0, true), Side(1, true));
    return Signed ? X : A.viewed(X, Bits, false);
  }
  case Instruction::URem:
    return A.viewed(A.remainder(Side(0, false), Side(1, false)), Bits, Signed);
  case Instruction::SRem: {
    Interval X = A.remainder(Side(0, true), Side(1, true));
    return Signed ? X : A.viewed(X, Bits, false);
  }
  case Instruction::LShr: {
    Interval Amount = Side(1, false), X = A.shiftRight(Side(0, false), Amount);
    // Of Bits bits so many are left.
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
  case Instruction::And:
    return A.bitAnd(Side(0, Signed), Side(1, Signed));
  case Instruction::Or:
  case Instruction::Xor:
    return A.wrapped(A.bitOr(Side(0, Signed), Side(1, Signed), I.getOpcode() == Instruction::Xor), Bits, Signed);
  default:
    return A.ofType(Bits, Signed);
  }
}

Interval Bounder::ofCast(CastInst &I, bool Signed, Instruction &At, unsigned Depth) {
  IRBuilder<> B(&At);
  IntervalArithmetic A(B, MostBits);
  Value *From = I.getOperand(0);
  const unsigned Bits = I.getType()->getIntegerBitWidth();
  switch (I.getOpcode()) {
  case Instruction::ZExt: {
    const Interval X = rangeOf(From, false, At, Depth);
    // A promise that its sign bit is clear, which comes from checks that have gone since.
    return I.hasNonNeg() ? A.meet(X, A.meet(rangeOf(From, true, At, Depth), A.atLeast(0))) : X;
  }
  case Instruction::SExt: {
    Interval X = rangeOf(From, true, At, Depth);
    return Signed ? X : A.viewed(X, Bits, false);
  }
  case Instruction::Trunc:
    return A.wrapped(rangeOf(From, Signed, At, Depth), Bits, Signed);
  default:
    return A.ofType(Bits, Signed);
  }
}

Interval Bounder::ofSelect(SelectInst &I, bool Signed, Instruction &At, unsigned Depth) {
  IRBuilder<> B(&At);
  IntervalArithmetic A(B, MostBits);
  Value *Condition = I.getCondition();
  // operator new[] is asked for SIZE_MAX where its count overflows: as good as no bound, which the product has then.
  if (match(I.getTrueValue(), m_AllOnes()) && match(Condition, m_ExtractValue<1>(m_Value())) &&
      match(I.getFalseValue(), m_ExtractValue<0>(m_Specific(cast<ExtractValueInst>(Condition)->getAggregateOperand()))))
    return rangeOf(I.getFalseValue(), Signed, At, Depth);
  Interval Arms[2];
  for (unsigned Arm : {0u, 1u}) {
    Value *V = I.getOperand(Arm + 1);
    const size_t Before = Assumed.size();
    addComparisons(Condition, Arm == 0, Assumed);
    Arms[Arm] = rangeOf(V, Signed, At, Depth);
    Assumed.truncate(Before);
  }
  return A.hull(Arms[0], Arms[1]);
}

Interval Bounder::ofIntrinsic(IntrinsicInst &I, bool Signed, Instruction &At, unsigned Depth) {
  IRBuilder<> B(&At);
  IntervalArithmetic A(B, MostBits);
  const unsigned Bits = I.getType()->getIntegerBitWidth();
  const auto Side = [&](unsigned Operand, bool WithSign) {
    return rangeOf(I.getArgOperand(Operand), WithSign, At, Depth);
  };
  const auto View = [&](Interval X, bool WithSign) { return WithSign == Signed ? X : A.viewed(X, Bits, Signed); };
  switch (I.getIntrinsicID()) {
  case Intrinsic::umin:
    return View(A.minimum(Side(0, false), Side(1, false)), false);
  case Intrinsic::umax:
    return View(A.maximum(Side(0, false), Side(1, false)), false);
  case Intrinsic::smin:
    return View(A.minimum(Side(0, true), Side(1, true)), true);
  case Intrinsic::smax:
    return View(A.maximum(Side(0, true), Side(1, true)), true);
  case Intrinsic::abs:
    return View(A.wrapped(A.magnitude(Side(0, true)), Bits, true), true);
  case Intrinsic::usub_sat:
    return View(A.maximum(A.subtract(Side(0, false), Side(1, false)), A.constant(0, 0)), false);
  case Intrinsic::uadd_sat:
    return View(A.add(Side(0, false), Side(1, false)), false);
  case Intrinsic::ctpop:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
    return A.constant(0, Bits);
  default:
    return A.ofType(Bits, Signed);
  }
}

Interval Bounder::ofPhi(PHINode &I, bool Signed, unsigned Depth) {
  const Key Here{&I, Signed};
  IRBuilder<> B(&I);
  IntervalArithmetic A(B, MostBits);
  if (Endless.contains(Here))
    return anything(A, Signed);
  if (auto At = Phis.find(Here); At != Phis.end())
    return At->second;
  PHINode *Low = B.CreatePHI(B.getInt64Ty(), I.getNumIncomingValues()),
          *High = B.CreatePHI(B.getInt64Ty(), I.getNumIncomingValues());
  Phis[Here] = {Low, High};
  bool IsEndless = false;
  Comparisons Outside; // holds where this phi is used, not always
  std::swap(Outside, Assumed);
  for (unsigned Number = 0; Number != I.getNumIncomingValues(); ++Number) {
    BasicBlock *From = I.getIncomingBlock(Number);
    Value *V = I.getIncomingValue(Number);
    // An edge that was there before came first: two of them from one block bring the same.
    if (int Before = Low->getBasicBlockIndex(From); Before >= 0) {
      Low->addIncoming(Low->getIncomingValue(Before), From);
      High->addIncoming(High->getIncomingValue(Before), From);
      continue;
    }
    Instruction &End = *From->getTerminator();
    Assumed = KnownComparisons::onWay(*From, *I.getParent());
    Interval X = rangeOf(V, Signed, End, Depth);
    IRBuilder<> AtEnd(&End);
    IntervalArithmetic There(AtEnd, MostBits);
    IsEndless |= !X.High;
    Low->addIncoming(There.lowOf(X), From);
    High->addIncoming(There.highOf(X), From);
  }
  std::swap(Outside, Assumed);
  if (IsEndless) {
    Endless.insert(Here);
    FoundEndless = true;
  }
  return {Low, High};
}

} // namespace memshape
