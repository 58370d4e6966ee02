// What comparisons tell of ranges.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compat.h"
#include "ceiling/ShapeRanges.h"
#include "intervals/Bounder.h"
#include "intervals/IntervalOperations.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace memshape {

/// What V always is, refined by Facts.
Interval ShapeRanges::withFacts(Value *V, bool Signed, ArrayRef<Comparison> Facts) {
  const unsigned MetBefore = OpenMet;
  Interval X = of({V, nullptr, Signed});
  const unsigned MetByValue = OpenMet;
  const Interval Told = boundsFromFacts(V, Signed, Facts);
  // Where facts alone bound V, by more than that it is no overflow, it does not matter what was still open on the way.
  const auto *Number = dyn_cast_or_null<ConstantInt>(Told.High);
  const bool Settled =
      !X.High && Told.High && OpenMet == MetByValue && (!Number || Number->getValue().sle(int64_t(UINT32_MAX)));
  X = refined(A.meet(X, Told), V, Signed, Told, Facts);
  if (Settled)
    OpenMet = MetBefore;
  return X;
}

/// X, which Facts have bounded by what they Told of V, where the other signedness tells more.
Interval ShapeRanges::refined(Interval X, Value *V, bool Signed, Interval Told, ArrayRef<Comparison> Facts) {
  if (Signed)
    return X;
  const Interval ToldWithSign = boundsFromFacts(V, true, Facts);
  if (!V->getType()->isIntegerTy(64))
    return ToldWithSign.High
               ? A.meet(X, A.viewed(A.meet(of({V}), ToldWithSign), V->getType()->getIntegerBitWidth(), false))
               : X;
  if (!Told.High)
    return X;
  // A number whose highest bit is clear is the same signed and unsigned.
  const Interval WithSign = A.meet(of({V}), ToldWithSign);
  Value *Clear = B.CreateICmpNE(Told.High, B.getInt64(INT64_MAX));
  return WithSign.High ? A.meet(X, A.choose(Clear, {nullptr, WithSign.High}, {})) : X;
}

/// What Facts say of V, where they compare it with bounded values.
Interval ShapeRanges::boundsFromFacts(Value *V, bool Signed, ArrayRef<Comparison> Facts) {
  const unsigned Bits = V->getType()->isIntegerTy() ? V->getType()->getIntegerBitWidth() : 65;
  Interval All, Other; // in this signedness, and in the other one
  if (Bits > 64)
    return All;
  for (const Comparison &C : Facts) {
    std::optional<Comparison::About> About = C.about(V, Signed);
    if (!About || !canBeBounded(C.Right) || C.Right == V)
      continue;
    if (!Room)
      return {};
    --Room;
    const std::optional<Interval> Says =
        rangeImpliedBy(A, C, *About, Bits, [&](Value *Right, bool WithSign) { return of({Right, nullptr, WithSign}); });
    if (!Says)
      continue;
    Interval &View = About->ValueSigned == Signed ? All : Other;
    View = A.meet(View, *Says);
  }
  if (Other.isAnything())
    return All;
  if (Signed)
    Other = A.meet(Other, A.atLeast(0));
  return A.meet(All, A.viewed(Other, Bits, Signed));
}

/// What the one index of Element can be where the element, of Block, is read or written.
Interval ShapeRanges::indexIn(const Value &Block, GEPOperator &Element) {
  compat::OffsetMap Indices;
  APInt Constant(64, 0);
  if (!Element.collectOffset(DL, 64, Indices, Constant) || Indices.size() != 1 || Constant.isNegative() ||
      !Indices.begin()->second.isStrictlyPositive())
    return {};
  const int64_t Each = Indices.begin()->second.getSExtValue();
  Interval Bytes = A.constant(0, 0);
  const auto *Phi = dyn_cast<PHINode>(&Block); // of a block and null
  SmallVector<const Value *, 2> Blocks = {&Block};
  if (Phi)
    Blocks.assign(Phi->value_op_begin(), Phi->value_op_end());
  for (const Value *One : Blocks) {
    const auto *Call = dyn_cast<CallBase>(One);
    if (Phi && isa<ConstantPointerNull>(One))
      continue;
    if (!Call || runnerCall(*Call) != RunnerCall::Alloc)
      return {};
    Bytes = A.maximum(Bytes, {B.getInt64(0), at(Call->getArgOperand(AllocBytes), false, *Call).High});
  }
  return {nullptr, A.divide(A.subtract(Bytes, A.constant(1, 1)), A.constant(Each, Each)).High};
}

/// What the value that Way adds to can be where it does: by comparisons, or as the index of an element that is written
/// there, in a block that must have room for it.
Interval ShapeRanges::limitInFront(const Edge &Way) {
  if (Way.To.Base)
    return {};
  Interval Limit = boundsFromFacts(Way.To.V, Way.To.Signed, factsOn(Way));
  SmallVector<Value *, 4> Same = {Way.To.V};
  for (User *U : Way.To.V->users())
    if (isa<SExtInst>(U) || isa<ZExtInst>(U)) // no element has a negative index
      Same.push_back(U);
  for (Value *Index : Same)
    for (User *U : Index->users())
      if (auto *Element = dyn_cast<GEPOperator>(U); Element && is_contained(Element->indices(), Index) && Way.Where)
        for (User *Access : Element->users())
          if (auto *Store = dyn_cast<StoreInst>(Access);
              Store && Store->getPointerOperand() == Element && Store->getParent() == Way.Where->getParent())
            Limit = A.meet(Limit, indexIn(*Element->getPointerOperand()->stripPointerCasts(), *Element));
  return Limit;
}

/// A number that is multiplied as long as it is below a limit: while (size < wanted) size *= 2.
Interval ShapeRanges::multipliedBelow(PHINode &Number, bool Signed) {
  const Loop *L = LI.getLoopFor(Number.getParent());
  const BasicBlock *Latch = L && L->getHeader() == Number.getParent() ? L->getLoopLatch() : nullptr;
  const APInt *By = nullptr;
  if (!Latch || Number.getNumIncomingValues() != 2)
    return {};
  constexpr uint64_t MostBits = 8;
  Value *Next = Number.getIncomingValueForBlock(Latch);
  const bool Shifts = match(Next, m_Shl(m_Specific(&Number), m_APInt(By))) && By->ule(MostBits);
  if (!Shifts && !(match(Next, m_Mul(m_Specific(&Number), m_APInt(By))) && By->ule(1 << MostBits)))
    return {};
  const Edge Back = {{&Number, nullptr, Signed}, {}, Latch->getTerminator(), Number.getParent()};
  const Interval Limit = boundsFromFacts(&Number, Signed, factsOn(Back));
  if (!Limit.High)
    return {};
  const unsigned First = Number.getIncomingBlock(0) == Latch;
  const Interval Start = at(Number.getIncomingValue(First), Signed, *Number.getIncomingBlock(First)->getTerminator());
  const int64_t Factor = Shifts ? int64_t(1) << By->getZExtValue() : By->getSExtValue();
  const Interval Multiplied = A.multiply(A.maximum(Limit, A.constant(0, 0)), A.constant(Factor, Factor));
  return {Signed ? nullptr : B.getInt64(0), A.maximum(Start, Multiplied).High};
}

Comparisons ShapeRanges::factsOn(const Edge &Way) {
  Comparisons Facts;
  if (Way.Where)
    Facts = Known.before(*Way.Where);
  if (Way.Where && Way.Behind)
    Facts.append(KnownComparisons::onWay(*Way.Where->getParent(), *Way.Behind));
  if (Way.Assumed)
    addComparisons(Way.Assumed, Way.Truth, Facts);
  return Facts;
}

Interval ShapeRanges::onWay(const Edge &Way) {
  const bool Compares = !Way.To.Base && !isa<Constant>(Way.To.V);
  Interval X = Compares ? withFacts(Way.To.V, Way.To.Signed, factsOn(Way)) : of(Way.To);
  if (Way.Shrinks)
    X = A.hull(X, A.constant(0, 0));
  return Way.Plus.isAnything() ? X : A.add(X, Way.Plus);
}

} // namespace memshape
