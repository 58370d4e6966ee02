// The bounds of values in one function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "intervals/Bounder.h"
#include "intervals/IntervalOperations.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace memshape {

bool canBeBounded(const Value *V) { return V->getType()->isIntegerTy() && V->getType()->getIntegerBitWidth() <= 64; }

static Interval anything(IntervalArithmetic &A, bool Signed) { return Signed ? Interval() : A.atLeast(0); }

/// The bounds of V at At. If a phi turns out to be unbounded, what was computed from it is discarded and computed
/// again.
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
    // A size that the runner chooses is within its own bounds.
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
  // An end at the limit of the type is no bound.
  if (const auto *Low = dyn_cast_or_null<ConstantInt>(X.Low); Low && Low->equalsInt(uint64_t(INT64_MIN)))
    X.Low = nullptr;
  if (const auto *High = dyn_cast_or_null<ConstantInt>(X.High); High && High->equalsInt(INT64_MAX))
    X.High = nullptr;
  return X;
}

/// Refines X by Facts that compare V with a known value.
Interval Bounder::refined(Interval X, Value *V, bool Signed, Instruction &At, ArrayRef<Comparison> Facts,
                          unsigned Depth) {
  IRBuilder<> B(&At);
  IntervalArithmetic A(B, MostBits);
  const unsigned Bits = V->getType()->getIntegerBitWidth();
  Interval Other; // in the other signedness
  for (const Comparison &C : Facts) {
    std::optional<Comparison::About> About = C.about(V, Signed);
    if (!About || !canBeBounded(C.Right) || Flow.isData(C.Right))
      continue;
    const std::optional<Interval> Says =
        rangeImpliedBy(A, C, *About, Bits, [&](Value *Right, bool WithSign) { return A.exactly(Right, WithSign); });
    if (!Says)
      continue;
    Interval &View = About->ValueSigned == Signed ? X : Other;
    View = A.meet(View, *Says);
  }
  if (Other.isAnything())
    return X;
  // The operands of V may give more in that signedness, too.
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
  if (Value * X, *Y; match(I, m_Sub(m_PtrToInt(m_Value(X)), m_PtrToInt(m_Value(Y)))))
    return A.viewed(distance(X, Y, At, Depth), Bits, Signed);
  if (auto *Choice = dyn_cast<SelectInst>(I))
    return ofSelect(*Choice, Signed, At, Depth);
  if (auto *Phi = dyn_cast<PHINode>(I))
    return ofPhi(*Phi, Signed, Depth);
  if (auto *Call = dyn_cast<CallBase>(I); Call && !isa<IntrinsicInst>(Call))
    return ofCall(*Call, Signed, At, Depth);
  if (auto *Load = dyn_cast<LoadInst>(I))
    return ofLoad(*Load, Signed, Depth);
  if (isa<FPToSIInst>(I))
    return A.viewed(realRange(I->getOperand(0), At, Depth).Between, Bits, Signed);
  if (isa<FPToUIInst>(I))
    return A.viewed(A.wrapped(realRange(I->getOperand(0), At, Depth).Between, Bits, false), Bits, Signed);
  return intervalOf(A, *I, Signed,
                    [&](Value *Operand, bool WithSign) { return rangeOf(Operand, WithSign, At, Depth); });
}

Interval Bounder::ofSelect(SelectInst &I, bool Signed, Instruction &At, unsigned Depth) {
  IRBuilder<> B(&At);
  IntervalArithmetic A(B, MostBits);
  Value *Condition = I.getCondition();
  if (Value *Product = productOfNew(I))
    return rangeOf(Product, Signed, At, Depth);
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
  Comparisons Outside; // these hold where this phi is used, not everywhere
  std::swap(Outside, Assumed);
  for (unsigned Number = 0; Number != I.getNumIncomingValues(); ++Number) {
    BasicBlock *From = I.getIncomingBlock(Number);
    Value *V = I.getIncomingValue(Number);
    // An existing edge comes first: two edges from one block carry the same value.
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
