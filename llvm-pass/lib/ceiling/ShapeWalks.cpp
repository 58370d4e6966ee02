// Loops that share an iterator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     while (p != end) {                 // an element that is wanted
//       while (p != end && !wanted(*p))  // those that are not
//         p += step;
//       ...
//       p += step;
//     }
//
// Scalar evolution knows no step of the outer loop, since data decides how far the inner one goes. But each step is
// taken from where the last one has led, below the end: so there are no more of them, in both loops together, than lie
// between start and end, and a block behind a step is executed no more often.

#include "Compat.h"
#include "ceiling/ShapeRanges.h"
#include "intervals/Bounder.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace memshape {

namespace {

/// The way that one number or pointer goes from a loop's header through the loop.
class Walk {
public:
  Walk(PHINode &Phi, const Loop &L, const DataLayout &DL) : Phi(Phi), L(L), DL(DL) {}

  /// False where something other than steps in one direction happens on the way, or where an older value comes back.
  bool find() { return follow() && !Steps.empty() && isChain(); }

  struct Step {
    Instruction *I;
    uint64_t Bytes; ///< of a number: how much it adds
  };
  ArrayRef<Step> steps() const { return Steps; }

private:
  /// Where the value is taken over: by the step Taker, or by the phi Taker on the edge from From.
  struct Use {
    Instruction *Taker;
    const BasicBlock *From;
  };
  bool follow();
  bool isChain() const;
  bool mayFollow(const Use &Before, const Use &After, const BasicBlock &Renewed) const;
  std::optional<uint64_t> stepOf(Instruction &I) const;

  PHINode &Phi;
  const Loop &L;
  const DataLayout &DL;
  SmallVector<Step, 4> Steps;
  MapVector<Instruction *, SmallVector<Use, 4>> Uses; ///< of each value on the way
};

} // namespace

/// The constant that I adds, which does not wrap around.
std::optional<uint64_t> Walk::stepOf(Instruction &I) const {
  if (auto *Gep = dyn_cast<GetElementPtrInst>(&I)) {
    APInt Bytes(DL.getIndexTypeSizeInBits(Gep->getType()), 0);
    if (!Gep->isInBounds() || !Gep->accumulateConstantOffset(DL, Bytes) || !Bytes.isStrictlyPositive())
      return std::nullopt;
    return Bytes.getZExtValue();
  }
  const APInt *Plus;
  if (!match(&I, m_NUWAdd(m_Value(), m_APInt(Plus))) || Plus->isZero() || Plus->getActiveBits() > 32)
    return std::nullopt;
  return Plus->getZExtValue();
}

bool Walk::follow() {
  constexpr size_t Most = 24;
  SmallVector<Value *, 8> Work;
  Uses[&Phi];
  const auto Take = [&](Value *From, Instruction &Taker, const BasicBlock &Where) {
    auto *I = dyn_cast<Instruction>(From);
    if (!I || !L.contains(I))
      return false;
    if (!Uses.contains(I))
      Work.push_back(I);
    Uses[I].push_back({&Taker, &Where});
    return Uses.size() <= Most;
  };
  BasicBlock *Latch = L.getLoopLatch();
  if (!Take(Phi.getIncomingValueForBlock(Latch), Phi, *Latch))
    return false;
  while (!Work.empty()) {
    auto *I = cast<Instruction>(Work.pop_back_val());
    if (auto *Inner = dyn_cast<PHINode>(I)) {
      for (unsigned Number = 0; Number != Inner->getNumIncomingValues(); ++Number)
        if (!Take(Inner->getIncomingValue(Number), *Inner, *Inner->getIncomingBlock(Number)))
          return false;
      continue;
    }
    const std::optional<uint64_t> Bytes = stepOf(*I);
    if (!Bytes || !Take(I->getOperand(0), *I, *I->getParent()))
      return false;
    Steps.push_back({I, *Bytes});
  }
  return true;
}

/// Whether After may happen behind Before, before the value is computed anew in Renewed.
bool Walk::mayFollow(const Use &Before, const Use &After, const BasicBlock &Renewed) const {
  const bool OnEdges = isa<PHINode>(Before.Taker) && isa<PHINode>(After.Taker);
  const bool Apart = OnEdges && Before.Taker->getParent() != After.Taker->getParent(); // control takes one edge
  if (Before.Taker != After.Taker && Before.From == After.From && !Apart)
    return true;
  SmallVector<const BasicBlock *, 8> Work;
  if (isa<PHINode>(Before.Taker))
    Work.push_back(Before.Taker->getParent());
  else
    Work.append(succ_begin(Before.From), succ_end(Before.From));
  SmallPtrSet<const BasicBlock *, 16> Seen;
  while (!Work.empty()) {
    const BasicBlock *BB = Work.pop_back_val();
    if (BB == &Renewed || !L.contains(BB) || !Seen.insert(BB).second)
      continue;
    if (BB == After.From)
      return true;
    Work.append(succ_begin(BB), succ_end(BB));
  }
  return false;
}

/// Each value is taken over once, before it is computed anew: so all values are one chain, in which each step is taken
/// from the last one.
bool Walk::isChain() const {
  for (const auto &[V, Takers] : Uses)
    for (const Use &Before : Takers)
      for (const Use &After : Takers)
        if (mayFollow(Before, After, *V->getParent()))
          return false;
  return true;
}

/// Whether Index times Scale is a multiple of Bytes.
static bool isMultiple(const Value *Index, const APInt &Scale, uint64_t Bytes, const DataLayout &DL) {
  const uint64_t Each = Scale.abs().getLimitedValue();
  if (Each % Bytes == 0)
    return true;
  if (isPowerOf2_64(Bytes))
    return computeKnownBits(Index, DL).countMinTrailingZeros() + unsigned(countr_zero(Each)) >= Log2_64(Bytes);
  const APInt *By; // a product that wraps around is no multiple
  return match(Index, m_NUWMul(m_Value(), m_APInt(By))) && (APInt(128, Each) * By->zext(128)).urem(Bytes) == 0;
}

/// Whether Pointer lies a multiple of Bytes behind Base, however often it was moved.
static bool isMultipleFrom(const Value *Pointer, const Value *Base, uint64_t Bytes, const DataLayout &DL,
                           SmallPtrSetImpl<const Value *> &Seen) {
  constexpr size_t Most = 32;
  Pointer = Pointer->stripPointerCasts();
  if (Pointer == Base || !Seen.insert(Pointer).second)
    return true;
  if (Seen.size() > Most)
    return false;
  if (const auto *Phi = dyn_cast<PHINode>(Pointer))
    return all_of(Phi->incoming_values(), [&](const Value *V) { return isMultipleFrom(V, Base, Bytes, DL, Seen); });
  const auto *Gep = dyn_cast<GEPOperator>(Pointer);
  compat::OffsetMap Indices;
  APInt Constant(DL.getIndexTypeSizeInBits(Pointer->getType()), 0);
  return Gep && Gep->isInBounds() && Gep->collectOffset(DL, Constant.getBitWidth(), Indices, Constant) &&
         Constant.urem(Bytes) == 0 &&
         all_of(Indices, [&](const auto &Each) { return isMultiple(Each.first, Each.second, Bytes, DL); }) &&
         isMultipleFrom(Gep->getPointerOperand(), Base, Bytes, DL, Seen);
}

/// The pointer that Pointer was moved from.
static const Value *origin(const Value *Pointer) {
  constexpr unsigned Most = 16;
  for (unsigned Depth = 0; Depth != Most; ++Depth) {
    Pointer = Pointer->stripPointerCasts();
    if (const auto *Gep = dyn_cast<GEPOperator>(Pointer))
      Pointer = Gep->getPointerOperand();
    else
      break;
  }
  return Pointer;
}

/// What the value in front of each step is known to be below, or, if Unequal, not to have reached; null where that is
/// not known, or not the same.
static Value *endOf(const Walk &Way, const Loop &L, const KnownComparisons &Known, bool &Unequal) {
  Value *End = nullptr;
  Unequal = false;
  for (const Walk::Step &Each : Way.steps()) {
    Value *Here = nullptr;
    for (const Comparison &C : Known.before(*Each.I)) {
      const bool Below = C.Predicate == CmpInst::ICMP_ULT;
      if (Here || C.Left != Each.I->getOperand(0) || !L.isLoopInvariant(C.Right) ||
          (!Below && C.Predicate != CmpInst::ICMP_NE))
        continue;
      Here = C.Right;
      Unequal |= !Below;
    }
    if (!Here || (End && End != Here))
      return nullptr;
    End = Here;
  }
  return End;
}

/// A walk in equal steps that is Between away from its end comes to it: nothing if it may start behind it, or pass it.
static Interval stepsTo(Interval Between, uint64_t Bytes, bool Unequal, IntervalArithmetic &A, IRBuilder<> &B) {
  if (!Between.High || (Unequal && !Between.Low))
    return {};
  const int64_t Each = int64_t(Bytes);
  Interval Steps = A.divide(A.add(A.maximum(A.constant(0, 0), {nullptr, Between.High}), A.constant(0, Each - 1)),
                            A.constant(Each, Each));
  if (Unequal)
    Steps = A.choose(B.CreateICmpSGE(Between.Low, B.getInt64(0)), Steps, {});
  return {nullptr, Steps.High};
}

Interval ShapeRanges::walked(const Loop &L, const BasicBlock &BB) {
  const BasicBlock *Latch = L.getLoopLatch();
  BasicBlock *Before = L.getLoopPredecessor();
  const Instruction &Entry = *Before->getTerminator();
  Interval Fewest;
  for (PHINode &Phi : L.getHeader()->phis()) {
    const bool IsPointer = Phi.getType()->isPointerTy();
    if (!IsPointer && !Phi.getType()->isIntegerTy(64))
      continue;
    Walk Way(Phi, L, DL);
    bool Unequal = false;
    Value *Start = Phi.getIncomingValueForBlock(Before), *End = Way.find() ? endOf(Way, L, Known, Unequal) : nullptr;
    if (!End)
      continue;
    const uint64_t Bytes = Way.steps().front().Bytes;
    if (any_of(Way.steps(), [&](const Walk::Step &Each) { return Each.Bytes != Bytes; }) || (!IsPointer && Bytes != 1))
      continue;
    SmallPtrSet<const Value *, 16> Seen[2];
    if (IsPointer && Unequal &&
        (!isMultipleFrom(End, origin(End), Bytes, DL, Seen[0]) ||
         !isMultipleFrom(Start, origin(End), Bytes, DL, Seen[1])))
      continue;
    const Interval Between =
        IsPointer ? bytesBetween(Start, End, Entry) : A.subtract(at(End, false, Entry), at(Start, false, Entry));
    const Interval Times = stepsTo(Between, Bytes, Unequal, A, B);
    for (const Walk::Step &Each : Way.steps())
      if (DT.dominates(Each.I->getParent(), &BB))
        Fewest = A.meet(Fewest, Times);
      else if (DT.dominates(Each.I->getParent(), Latch))
        Fewest = A.meet(Fewest, A.add(Times, A.constant(1, 1)));
  }
  return {nullptr, Fewest.High};
}

/// What V is more than From, of L's header, at least, where it is made of From by sums in one iteration of L; INT64_MAX
/// where V leads back to itself.
static std::optional<int64_t> climbFrom(const PHINode &From, const Loop &L, Value *V,
                                        SmallPtrSetImpl<const Value *> &Above) {
  constexpr size_t Most = 32;
  if (V == &From)
    return 0;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Above.size() > Most || !L.contains(I) || (isa<PHINode>(I) && I->getParent() == L.getHeader()))
    return std::nullopt;
  if (!Above.insert(V).second)
    return INT64_MAX;
  const auto Of = [&](unsigned Operand) { return climbFrom(From, L, I->getOperand(Operand), Above); };
  const APInt *Plus;
  std::optional<int64_t> Climbs;
  if (isa<SExtInst>(I) || match(I, m_NNegZExt(m_Value())) ||
      (isa<TruncInst>(I) && cast<TruncInst>(I)->hasNoSignedWrap())) {
    Climbs = Of(0);
  } else if (match(I, m_NSWAdd(m_Value(), m_APInt(Plus))) && Plus->isNonNegative() && Plus->getActiveBits() < 31) {
    Climbs = Of(0);
    if (Climbs && *Climbs != INT64_MAX)
      *Climbs += Plus->getSExtValue();
  } else if (match(I, m_SMax(m_Value(), m_Value()))) {
    const std::optional<int64_t> X = Of(0), Y = Of(1);
    Climbs = X && Y ? std::max(*X, *Y) : X ? X : Y;
  } else if (auto *Phi = dyn_cast<PHINode>(I)) {
    Climbs = INT64_MAX;
    for (Value *Each : Phi->incoming_values()) {
      const std::optional<int64_t> X = climbFrom(From, L, Each, Above);
      Climbs = X && Climbs ? std::optional(std::min(*X, *Climbs)) : std::nullopt;
    }
  }
  Above.erase(V);
  return Climbs;
}

Interval ShapeRanges::climbed(const Loop &L) {
  Interval Fewest;
  for (PHINode &Phi : L.getHeader()->phis()) {
    if (!canBeBounded(&Phi))
      continue;
    SmallPtrSet<const Value *, 16> Above;
    const std::optional<int64_t> Climbs = climbFrom(Phi, L, Phi.getIncomingValueForBlock(L.getLoopLatch()), Above);
    if (!Climbs || *Climbs <= 0 || *Climbs > INT32_MAX)
      continue;
    const Interval Range = at(&Phi, true, *L.getHeader()->getFirstNonPHIIt());
    const Interval Way = A.maximum(A.constant(0, 0), A.subtract(Range, Range));
    Fewest = A.meet(Fewest, A.add(A.divide(Way, A.constant(*Climbs, *Climbs)), A.constant(1, 1)));
  }
  return {nullptr, Fewest.High};
}

/// The constant step of Phi, of L's header, per iteration; Next is its next value. 0 for anything else.
static int64_t stepOf(PHINode &Phi, const Loop &L, const DataLayout &DL, GEPOperator *&Next) {
  Next = dyn_cast<GEPOperator>(Phi.getIncomingValueForBlock(L.getLoopLatch()));
  APInt Step(DL.getIndexTypeSizeInBits(Phi.getType()), 0);
  if (!Next || Next->getPointerOperand() != &Phi || !Next->accumulateConstantOffset(DL, Step))
    return 0;
  return Step.getSExtValue();
}

/// X copies from Y on what another pointer reads that moves in step with it, over a known range: X advances at most by
/// the size of that range.
std::optional<ShapeRanges::Node> ShapeRanges::copiedFrom(Value *X, Value *Y) {
  auto *Gep = dyn_cast<GEPOperator>(X);
  auto *Phi = dyn_cast<PHINode>(Gep ? Gep->getPointerOperand() : X);
  const Loop *L = Phi ? LI.getLoopFor(Phi->getParent()) : nullptr;
  const BasicBlock *Latch = L ? L->getLoopLatch() : nullptr;
  const BasicBlock *Before = L ? L->getLoopPredecessor() : nullptr;
  const auto *Branch = Latch ? dyn_cast<BranchInst>(Latch->getTerminator()) : nullptr;
  GEPOperator *Next = nullptr;
  if (!Before || !Branch || !Branch->isConditional() || Phi->getParent() != L->getHeader() ||
      Phi->getIncomingValueForBlock(Before)->stripPointerCasts() != Y)
    return std::nullopt;
  const int64_t Step = stepOf(*Phi, *L, DL, Next);
  if (Step <= 0 || (Gep && Gep != Next))
    return std::nullopt;
  const auto *Compare = dyn_cast<ICmpInst>(Branch->getCondition());
  const bool LeavesIfTrue = !L->contains(Branch->getSuccessor(0));
  if (!Compare || LeavesIfTrue != L->contains(Branch->getSuccessor(1)) ||
      Compare->getPredicate() != (LeavesIfTrue ? CmpInst::ICMP_EQ : CmpInst::ICMP_NE))
    return std::nullopt;
  for (PHINode &Other : L->getHeader()->phis())
    for (unsigned Side : {0u, 1u}) {
      GEPOperator *OtherNext = nullptr;
      Value *End = Compare->getOperand(1 - Side);
      if (Other.getType()->isPointerTy() && stepOf(Other, *L, DL, OtherNext) == Step &&
          Compare->getOperand(Side) == OtherNext && L->isLoopInvariant(End))
        return distance(End, Other.getIncomingValueForBlock(Before), *Before->getTerminator());
    }
  return std::nullopt;
}

} // namespace memshape
