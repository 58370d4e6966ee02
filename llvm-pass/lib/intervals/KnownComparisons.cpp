// Comparisons that hold at a place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "intervals/KnownComparisons.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace memshape {

/// Most dominating blocks that are visited.
static constexpr unsigned MostAbove = 64;

std::optional<Comparison::About> Comparison::about(const Value *V, bool Signed) const {
  const bool SaysSigned = CmpInst::isSigned(Predicate), Equality = ICmpInst::isEquality(Predicate);
  if (Left == V)
    return About{Equality ? Signed : SaysSigned, Equality ? Signed : SaysSigned};
  if (match(Left, m_ZExt(m_Specific(V))))
    return About{false, SaysSigned};
  if (match(Left, m_SExt(m_Specific(V))) && (SaysSigned || Predicate == CmpInst::ICMP_EQ))
    return About{true, true};
  // The greater of V and something else is at least V.
  const bool FromAbove = Predicate == CmpInst::ICMP_SLT || Predicate == CmpInst::ICMP_SLE ||
                         Predicate == CmpInst::ICMP_ULT || Predicate == CmpInst::ICMP_ULE;
  if (const auto *Extreme = dyn_cast<MinMaxIntrinsic>(Left);
      Extreme && !Equality && Extreme->isSigned() == SaysSigned && (Extreme->getLHS() == V || Extreme->getRHS() == V) &&
      FromAbove == (Extreme->getIntrinsicID() == Intrinsic::smax || Extreme->getIntrinsicID() == Intrinsic::umax))
    return About{SaysSigned, SaysSigned};
  const APInt *Offset;
  constexpr unsigned MostShifted = 32;
  if (match(Left, m_LShr(m_Specific(V), m_APInt(Offset))) && Offset->ult(MostShifted) && !Offset->isZero())
    return About{false, Equality ? false : SaysSigned, 0, false, unsigned(Offset->getZExtValue())};
  if (!match(Left, m_Add(m_Specific(V), m_APInt(Offset))) || Offset->getSignificantBits() > 32)
    return std::nullopt;
  if (SaysSigned && cast<OverflowingBinaryOperator>(Left)->hasNoSignedWrap())
    return About{true, true, Offset->getSExtValue()};
  if (Predicate == CmpInst::ICMP_ULT || Predicate == CmpInst::ICMP_ULE)
    return About{!Offset->isNegative(), false, Offset->getSExtValue(), true};
  return std::nullopt;
}

/// What x - 5 < -2 says of x, as which the optimiser asks x < 3 || x > 4.
static void addRange(CmpInst::Predicate Holds, Value *Left, const Value *Right, Comparisons &Into) {
  Value *Of;
  const APInt *Offset, *Bound;
  if (!match(Left, m_Add(m_Value(Of), m_APInt(Offset))) || !match(Right, m_APInt(Bound)))
    return;
  const ConstantRange Range = ConstantRange::makeExactICmpRegion(Holds, *Bound).subtract(*Offset);
  if (Range.isFullSet() || Range.isEmptySet())
    return;
  const auto Add = [&](CmpInst::Predicate Compares, const APInt &With) {
    Into.push_back({Compares, Of, ConstantInt::get(Of->getType(), With)});
  };
  if (!Range.isWrappedSet()) {
    Add(CmpInst::ICMP_UGE, Range.getUnsignedMin());
    Add(CmpInst::ICMP_ULE, Range.getUnsignedMax());
  }
  if (!Range.isSignWrappedSet()) {
    Add(CmpInst::ICMP_SGE, Range.getSignedMin());
    Add(CmpInst::ICMP_SLE, Range.getSignedMax());
  }
}

void addComparisons(Value *Condition, bool Truth, Comparisons &Into, unsigned Depth) {
  const unsigned MostDepth = 6;
  if (Depth > MostDepth)
    return;
  Value *One, *Two;
  if (auto *Compare = dyn_cast<ICmpInst>(Condition)) {
    CmpInst::Predicate Holds = Truth ? Compare->getPredicate() : Compare->getInversePredicate();
    Into.push_back({Holds, Compare->getOperand(0), Compare->getOperand(1)});
    Into.push_back({CmpInst::getSwappedPredicate(Holds), Compare->getOperand(1), Compare->getOperand(0)});
    addRange(Holds, Compare->getOperand(0), Compare->getOperand(1), Into);
  } else if (match(Condition, m_Not(m_Value(One)))) {
    addComparisons(One, !Truth, Into, Depth + 1);
  } else if (auto *Same = dyn_cast<FreezeInst>(Condition)) {
    addComparisons(Same->getOperand(0), Truth, Into, Depth + 1);
  } else if ((Truth && match(Condition, m_LogicalAnd(m_Value(One), m_Value(Two)))) ||
             (!Truth && match(Condition, m_LogicalOr(m_Value(One), m_Value(Two))))) {
    addComparisons(One, Truth, Into, Depth + 1);
    addComparisons(Two, Truth, Into, Depth + 1);
  }
}

KnownComparisons::KnownComparisons(Function &F, const DominatorTree &Dominators) : DT(Dominators) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && (runnerCall(*Call) == RunnerCall::Check || isa<AssumeInst>(Call)))
      Checks[I.getParent()].push_back(Call);
}

Comparisons KnownComparisons::onWay(const BasicBlock &From, const BasicBlock &To) {
  Comparisons Found;
  const auto *Branch = dyn_cast<BranchInst>(From.getTerminator());
  if (Branch && Branch->isConditional() && Branch->getSuccessor(0) != Branch->getSuccessor(1))
    addComparisons(Branch->getCondition(), Branch->getSuccessor(0) == &To, Found);
  return Found;
}

Comparisons KnownComparisons::before(const Instruction &At) const {
  Comparisons Found;
  const DomTreeNode *Node = DT.getNode(At.getParent());
  for (unsigned Above = 0; Node && Above != MostAbove; ++Above, Node = Node->getIDom()) {
    const BasicBlock *Block = Node->getBlock();
    if (auto There = Checks.find(Block); There != Checks.end())
      for (CallBase *Check : There->second) {
        Value *Bad;
        if (Block == At.getParent() && !Check->comesBefore(&At))
          continue;
        if (isa<AssumeInst>(Check)) // if it does not hold, the call does not return
          addComparisons(Check->getArgOperand(0), true, Found);
        else if (match(Check->getArgOperand(0), m_ZExt(m_Value(Bad))))
          addComparisons(Bad, false, Found);
      }
    if (const BasicBlock *Before = Block->getSinglePredecessor())
      Found.append(onWay(*Before, *Block));
  }
  return Found;
}

} // namespace memshape
