// Loops that move one of several numbers in each iteration.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     while (i < n && j < m)
//       if (a[i] < b[j])
//         ++i;
//       else
//         ++j;
//
// Data decides which one moves, so scalar evolution knows no step of either. But none of both ever moves back, and in
// each iteration one of them moves: there are no more iterations than both have steps to make.

#include "ceiling/ShapeRanges.h"
#include "intervals/Bounder.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace memshape {

namespace {

/// A number of a loop's header that moves in one direction alone.
struct Mover {
  PHINode *From;
  bool Down;
  bool Signed; ///< in which sense its sums do not wrap around
};

/// What movers of a loop have moved by in one iteration, together.
class Moves {
public:
  Moves(ArrayRef<Mover> Movers, const Loop &L, const LoopInfo &LI, const DominatorTree &DT)
      : Movers(Movers), L(L), LI(LI), DT(DT) {}

  /// The least on any way from header to latch; nothing where one of them does something else.
  std::optional<uint64_t> least() {
    Values Now;
    for (const Mover &Each : Movers)
      Now.push_back(Each.From->getIncomingValueForBlock(L.getLoopLatch()));
    return least(Now);
  }

private:
  using Values = SmallVector<Value *, 2>;
  std::optional<uint64_t> least(Values Now);
  bool goBack(Value *&V, const Mover &To, uint64_t &Moved) const;

  ArrayRef<Mover> Movers;
  const Loop &L;
  const LoopInfo &LI;
  const DominatorTree &DT;
  unsigned Room = 200; ///< choices that may still be followed
};

} // namespace

/// What decides which number I is: a select, or a sum with a truth value. Null if nothing does.
static Value *conditionOf(Instruction *I, bool &IsNot) {
  Value *Condition = nullptr, *Opposite = nullptr;
  if (!match(I, m_Select(m_Value(Condition), m_Value(), m_Value())))
    match(I, m_c_Add(m_Value(), m_ZExt(m_Value(Condition))));
  if (!Condition || !Condition->getType()->isIntegerTy(1))
    return nullptr;
  IsNot = match(Condition, m_Not(m_Value(Opposite)));
  return IsNot ? Opposite : Condition;
}

/// Goes from V back to where it is chosen among several values, or to the header.
bool Moves::goBack(Value *&V, const Mover &To, uint64_t &Moved) const {
  constexpr unsigned Bits = 31;
  while (V != To.From) {
    auto *I = dyn_cast<Instruction>(V);
    const APInt *Plus;
    if (!I || !L.contains(I))
      return false;
    const bool KeepsSign =
        To.Signed ? match(I, m_NSWAdd(m_Value(), m_Value())) : match(I, m_NUWAdd(m_Value(), m_Value()));
    if (bool IsNot; isa<PHINode>(I) ? !LI.isLoopHeader(I->getParent())
                                    : conditionOf(I, IsNot) && (isa<SelectInst>(I) || (KeepsSign && !To.Down)))
      return true;
    if (To.Signed ? !match(I, m_NSWAdd(m_Value(), m_APInt(Plus))) : !match(I, m_NUWAdd(m_Value(), m_APInt(Plus))))
      return false;
    const APInt Step = To.Down ? -*Plus : *Plus;
    if (Step.isNegative() || Step.getActiveBits() > Bits)
      return false;
    Moved += Step.getZExtValue();
    V = I->getOperand(0);
  }
  return true;
}

std::optional<uint64_t> Moves::least(Values Now) {
  uint64_t Moved = 0;
  Instruction *Latest = nullptr; // what is chosen last
  for (size_t I = 0; I != Now.size(); ++I) {
    if (!goBack(Now[I], Movers[I], Moved))
      return std::nullopt;
    auto *Chosen = Now[I] == Movers[I].From ? nullptr : cast<Instruction>(Now[I]);
    if (Chosen && (!Latest || DT.dominates(Latest, Chosen)))
      Latest = Chosen;
  }
  if (!Latest)
    return Moved;
  std::optional<uint64_t> Least;
  const auto *Phi = dyn_cast<PHINode>(Latest);
  bool IsNot = false;
  const Value *Condition = Phi ? nullptr : conditionOf(Latest, IsNot);
  for (unsigned Way = 0, Ways = Phi ? Phi->getNumIncomingValues() : 2; Way != Ways; ++Way) {
    if (!Room)
      return std::nullopt;
    --Room;
    Values Before = Now;
    uint64_t ByTruth = 0;
    for (Value *&Each : Before) {
      auto *Chosen = cast<Instruction>(Each);
      auto *Other = dyn_cast<PHINode>(Chosen);
      if (Phi && Other && Other->getParent() == Phi->getParent())
        Each = Other->getIncomingValueForBlock(Phi->getIncomingBlock(Way));
      if (Phi || Other || conditionOf(Chosen, IsNot) != Condition)
        continue;
      const bool IsTrue = (Way == 0) != IsNot;
      if (isa<SelectInst>(Chosen)) {
        Each = Chosen->getOperand(IsTrue ? 1 : 2);
      } else {
        ByTruth += IsTrue;
        Each = Chosen->getOperand(isa<ZExtInst>(Chosen->getOperand(0)) ? 1 : 0);
      }
    }
    const std::optional<uint64_t> Here = least(Before);
    if (!Here)
      return std::nullopt;
    Least = Least ? std::min(*Least, *Here + ByTruth) : *Here + ByTruth;
  }
  return Moved + *Least;
}

Interval ShapeRanges::movedTogether(const Loop &L) {
  constexpr size_t Most = 6;
  SmallVector<Mover, Most> Found;
  for (PHINode &Phi : L.getHeader()->phis())
    for (const auto &[Down, Signed] : {std::pair(false, true), {true, true}, {false, false}})
      if (const Mover One{&Phi, Down, Signed};
          Found.size() < Most && canBeBounded(&Phi) && Moves(One, L, LI, DT).least())
        Found.push_back(One);
  Interval Fewest;
  const auto Steps = [&](const Mover &Each) {
    const Interval Range = at(Each.From, Each.Signed, *L.getHeader()->getFirstNonPHIIt());
    return A.maximum(A.constant(0, 0), A.subtract(Range, Range));
  };
  for (size_t I = 0; I != Found.size(); ++I)
    for (size_t J = 0; J != I; ++J)
      if (Found[I].From != Found[J].From && Moves({Found[I], Found[J]}, L, LI, DT).least().value_or(0))
        Fewest = A.meet(Fewest, A.add(A.add(Steps(Found[I]), Steps(Found[J])), A.constant(1, 1)));
  return {nullptr, Fewest.High};
}

} // namespace memshape
