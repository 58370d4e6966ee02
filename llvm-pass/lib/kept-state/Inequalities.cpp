// Is a sum never negative?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kept-state/Inequalities.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memshape {

/// Most steps for one question.
static constexpr unsigned MostSteps = 20'000;
/// Most choices and facts that are combined in one proof.
static constexpr unsigned MostChoices = 12, MostFacts = 5;
/// No count of things in memory reaches this.
static constexpr int64_t OutOfReach = int64_t(1) << 48;

bool isExtent(const Value *V, unsigned Depth) {
  const unsigned MostDepth = 8;
  if (Depth == MostDepth || !V->getType()->isIntegerTy())
    return false;
  if (const auto *Number = dyn_cast<ConstantInt>(V))
    return !Number->isNegative();
  if (isa<Argument>(V) || isa<ZExtInst>(V))
    return true;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return false;
  const auto Both = [&] { return all_of(I->operands(), [&](const Use &U) { return isExtent(U.get(), Depth + 1); }); };
  switch (I->getOpcode()) {
  case Instruction::SExt:
  case Instruction::Freeze:
  case Instruction::Add:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem: return Both();
  default:
    if (const auto *Extreme = dyn_cast<MinMaxIntrinsic>(I))
      return isExtent(Extreme->getLHS(), Depth + 1) && isExtent(Extreme->getRHS(), Depth + 1);
    return false;
  }
}

Inequalities::Inequalities(Function &F, const DominatorTree &DT, const LoopInfo &Loops)
    : Layout(F.getParent()->getDataLayout()), DT(DT), Loops(Loops), Comparing(F, DT) {
  for (const BasicBlock *BB : ReversePostOrderTraversal<const Function *>(&F))
    Order[BB] = unsigned(Order.size());
}

/// An unsigned comparison says something about signed numbers if its greater side is not negative.
void Inequalities::addFacts(const Comparisons &Told, Facts &Into) {
  for (const Comparison &Each : reverse(Told)) { // outermost first
    if (!Each.Left->getType()->isIntOrPtrTy())
      continue;
    // The left side is the greater one; the opposite comparison is among the facts, too.
    const LinearForm Left = formOf(Each.Left), Right = formOf(Each.Right);
    LinearForm Distance = Left;
    Distance.add(Right, -1);
    switch (Each.Predicate) {
    case CmpInst::ICMP_SGT:
    case CmpInst::ICMP_UGT: Distance.add(LinearForm(-1)); break;
    case CmpInst::ICMP_SGE:
    case CmpInst::ICMP_UGE:
    case CmpInst::ICMP_EQ: break;
    default: continue;
    }
    if (CmpInst::isUnsigned(Each.Predicate) && !followsPlainly(Left, Into, MostFacts))
      continue;
    if (Distance.valid() && !Distance.Terms.empty())
      Into.push_back(std::move(Distance));
  }
}

bool Inequalities::neverNegative(const LinearForm &Sum, const BasicBlock &At) {
  StepsLeft = MostSteps;
  Facts Known = Assumed;
  addFacts(Comparing.before(*At.getTerminator()), Known);
  return follows(Sum, Known, MostChoices);
}

/// Proves it by adding up known facts.
bool Inequalities::followsPlainly(const LinearForm &Sum, const Facts &Known, unsigned Depth) {
  if (!Sum.valid() || StepsLeft == 0)
    return false;
  --StepsLeft;
  const auto *Bad = find_if(Sum.Terms, [](const auto &Each) { return Each.second < 0 || !isExtent(Each.first); });
  if (Bad == Sum.Terms.end())
    return Sum.constant() >= 0;
  if (Depth == 0)
    return false;
  for (const LinearForm &Fact : Known) {
    const int64_t Factor = Fact.factorOf(Bad->first);
    if (Factor == 0 || (Factor < 0) != (Bad->second < 0))
      continue;
    // Sum * |Factor| - Fact * |Bad|: without this term, and no greater than a multiple of the sum.
    LinearForm Rest;
    Rest.add(Sum.withoutDenominator(), std::abs(Factor));
    Rest.add(Fact.withoutDenominator(), -std::abs(Bad->second));
    if (followsPlainly(Rest, Known, Depth - 1))
      return true;
  }
  return false;
}

/// The last block in which paths join that choose a term.
const BasicBlock *Inequalities::lastMeeting(const LinearForm &Sum) const {
  const BasicBlock *Last = nullptr;
  for (const auto &[Term, Factor] : Sum.Terms)
    if (const auto *Phi = dyn_cast<PHINode>(Term);
        Phi && (!Last || Order.lookup(Phi->getParent()) > Order.lookup(Last)))
      Last = Phi->getParent();
  return Last;
}

bool Inequalities::followsOnAllWays(const LinearForm &Sum, const Facts &Known, unsigned Depth,
                                    const BasicBlock &Meeting) {
  // In a loop a value differs between iterations.
  if (Loops.getLoopFor(&Meeting))
    return false;
  for (const BasicBlock *From : predecessors(&Meeting)) {
    if (!DT.isReachableFromEntry(From))
      continue;
    LinearForm There = Sum;
    Facts KnownThere = Known;
    for (const PHINode &Phi : Meeting.phis()) {
      const LinearForm Incoming = formOf(Phi.getIncomingValueForBlock(From));
      There.replace(&Phi, Incoming);
      for (LinearForm &Fact : KnownThere)
        Fact.replace(&Phi, Incoming);
    }
    addFacts(Comparing.before(*From->getTerminator()), KnownThere);
    addFacts(KnownComparisons::onWay(*From, Meeting), KnownThere);
    if (!follows(There, KnownThere, Depth - 1))
      return false;
  }
  return true;
}

/// Proves it for both alternatives of Choice: a minimum, a maximum or a select.
bool Inequalities::followsOfChoice(const LinearForm &Sum, const Facts &Known, unsigned Depth, const Value &Choice) {
  const auto With = [&](const Value *Chosen, const Facts &KnownThen) {
    LinearForm Then = Sum;
    Then.replace(&Choice, formOf(Chosen));
    return follows(Then, KnownThen, Depth - 1);
  };
  if (const auto *Select = dyn_cast<SelectInst>(&Choice)) {
    for (const bool Truth : {true, false}) {
      Facts KnownThen = Known;
      Comparisons Told;
      addComparisons(const_cast<Value *>(Select->getCondition()), Truth, Told);
      addFacts(Told, KnownThen);
      if (!With(Truth ? Select->getTrueValue() : Select->getFalseValue(), KnownThen))
        return false;
    }
    return true;
  }
  const auto *Extreme = dyn_cast<MinMaxIntrinsic>(&Choice);
  if (!Extreme)
    return false;
  const Value *One = Extreme->getLHS(), *Two = Extreme->getRHS();
  const bool IsMax = Extreme->getIntrinsicID() == Intrinsic::smax || Extreme->getIntrinsicID() == Intrinsic::umax;
  if (!Extreme->isSigned())
    for (const Value *Each : {One, Two})
      if (!follows(formOf(Each), Known, Depth - 1))
        return false;
  const int64_t Factor = Sum.factorOf(&Choice);
  // A limit that no size reaches has no effect.
  if (const auto *Limit = dyn_cast<ConstantInt>(Two);
      Limit && !IsMax && Limit->getBitWidth() <= 64 && Limit->getSExtValue() >= OutOfReach)
    return With(One, Known);
  if (IsMax == (Factor > 0))
    return With(One, Known) || With(Two, Known);
  return With(One, Known) && With(Two, Known);
}

bool Inequalities::follows(const LinearForm &Sum, const Facts &Known, unsigned Depth) {
  if (followsPlainly(Sum, Known, MostFacts))
    return true;
  if (Depth == 0 || !Sum.valid() || StepsLeft == 0)
    return false;
  if (const BasicBlock *Meeting = lastMeeting(Sum))
    return followsOnAllWays(Sum, Known, Depth, *Meeting);
  for (const auto &[Term, Factor] : Sum.Terms)
    if (isa<SelectInst>(Term) || isa<MinMaxIntrinsic>(Term))
      return followsOfChoice(Sum, Known, Depth, *Term);
  return false;
}

} // namespace memshape
