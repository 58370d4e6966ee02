// Where indices and integers lead.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compat.h"
#include "memory/PointsTo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/PatternMatch.h"
#include <numeric>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace memshape {

/// V is a pointer as an integer, a constant more or less.
static bool isAddress(const Value *V) {
  const auto *Moved = dyn_cast<BinaryOperator>(V);
  if (Moved && Moved->getOpcode() == Instruction::Add && isa<ConstantInt>(Moved->getOperand(1)))
    V = Moved->getOperand(0);
  return isa<PtrToIntInst>(V);
}

bool isDifference(const Instruction &I) {
  return I.getOpcode() == Instruction::Sub && isAddress(I.getOperand(0)) && isAddress(I.getOperand(1));
}

/// I, a difference of two pointers, is a number of bytes: both are in the same objects. Where they are not, it may be
/// added to a pointer into the one object to lead into the other.
bool PointsTo::isDistance(const Instruction &I) const {
  SmallSetVector<unsigned, 4> From, To;
  for (Place T : targets(I.getOperand(0)))
    To.insert(T.Object);
  for (Place T : targets(I.getOperand(1)))
    From.insert(T.Object);
  return From.size() == To.size() && all_of(From, [&](unsigned Id) { return To.contains(Id); });
}

/// Index is a multiple of this: not 1 for the distance in bytes between two elements of an array.
int64_t PointsTo::distanceStep(const Value *Index) const {
  const auto *I = dyn_cast<BinaryOperator>(Index);
  if (!I || I->getOpcode() != Instruction::Sub || !isa<PtrToIntInst>(I->getOperand(0)) ||
      !isa<PtrToIntInst>(I->getOperand(1)))
    return 1;
  if (targets(I->getOperand(0)).empty() || targets(I->getOperand(1)).empty())
    return 0; // looked at again when they are known
  if (!isDistance(*I))
    return 1;
  int64_t Step = 0;
  for (Place To : targets(I->getOperand(0)))
    for (Place From : targets(I->getOperand(1))) {
      if (To.Object != From.Object)
        continue; // not of the same block: see isDistance
      if (To.isAnywhere() || From.isAnywhere())
        return 1;
      Step = std::gcd(Step, std::gcd(To.Offset - From.Offset, std::gcd(To.Stride, From.Stride)));
    }
  return Step;
}

/// Arithmetic on integers that were pointers stays in their objects, somewhere; their low bits lead nowhere.
void PointsTo::addArithmetic(const Instruction &I) {
  const uint64_t PageBytes = 4096;
  if (const auto *Mask = dyn_cast<ConstantInt>(I.getOperand(I.getNumOperands() - 1));
      Mask && I.getOpcode() == Instruction::And && Mask->getValue().ult(PageBytes))
    return;
  for (const Use &U : I.operands())
    if (carriesPointers(U->getType()))
      for (Place T : targets(U.get()))
        addTo(&I, {Place::anywhere(T.Object)});
}

/// V is made of unsigned parts: of a bucket, `hash % buckets`, whose number LLVM 19 does not say to be unsigned.
static bool isUnsigned(const Value *Index) {
  SmallVector<const Value *, 4> Work = {Index};
  SmallPtrSet<const Value *, 4> Seen;
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second || isa<ZExtInst>(V))
      continue;
    if (const auto *C = dyn_cast<ConstantInt>(V)) {
      if (C->isNegative())
        return false;
    } else if (const auto *Phi = dyn_cast<PHINode>(V)) {
      Work.append(Phi->op_begin(), Phi->op_end());
    } else if (const auto *Frozen = dyn_cast<FreezeInst>(V)) {
      Work.push_back(Frozen->getOperand(0));
    } else if (const auto *I = dyn_cast<BinaryOperator>(V); !I || I->getOpcode() != Instruction::URem) {
      return false;
    }
  }
  return true;
}

/// Gep's variable indices are not negative: by its own flag, or because they are made of unsigned parts.
static bool goesUpwards(const GetElementPtrInst &Gep) {
  return Gep.hasNoUnsignedWrap() || all_of(Gep.indices(), [](const Use &U) { return isUnsigned(U.get()); });
}

/// Control goes on from Block to To only where this holds: conditions of which each does, Negated where none may.
static SmallVector<const Value *, 4> neededFor(const BasicBlock &Block, const BasicBlock &To, bool &Negated) {
  const auto *Branch = dyn_cast<BranchInst>(Block.getTerminator());
  if (!Branch || !Branch->isConditional() || Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return {};
  Negated = Branch->getSuccessor(1) == &To;
  SmallVector<const Value *, 4> Needed = {Branch->getCondition()};
  for (unsigned N = 0; N != Needed.size(); ++N) {
    const Value *Left, *Right;
    if (Negated ? match(Needed[N], m_LogicalOr(m_Value(Left), m_Value(Right)))
                : match(Needed[N], m_LogicalAnd(m_Value(Left), m_Value(Right))))
      Needed.append({Left, Right});
  }
  return Needed;
}

/// How many values Counter, a number in the head of a loop, can have from one entry of the loop to the next, where that
/// is at most Most; else 0. Only a test of the counter against a constant, in front of the next iteration, is looked at.
static unsigned valuesOf(const PHINode &Counter, unsigned Most) {
  const Value *First = nullptr, *Next = nullptr;
  const APInt *Start, *Step, *End;
  for (unsigned Way : {0, 1}) {
    First = Counter.getIncomingValue(Way);
    Next = Counter.getIncomingValue(1 - Way);
    if (!match(First, m_APInt(Start)) || !match(Next, m_Add(m_Specific(&Counter), m_APInt(Step))))
      continue;
    bool Negated = false;
    for (const Value *Test : neededFor(*Counter.getIncomingBlock(1 - Way), *Counter.getParent(), Negated)) {
      const auto *Compare = dyn_cast<ICmpInst>(Test);
      if (!Compare || !match(Compare->getOperand(1), m_APInt(End)) ||
          (Compare->getOperand(0) != &Counter && Compare->getOperand(0) != Next))
        continue;
      APInt Now = *Start;
      for (unsigned Count = 1; Count <= Most; ++Count) {
        const APInt Then = Now + *Step;
        if (ICmpInst::compare(Compare->getOperand(0) == Next ? Then : Now, *End, Compare->getPredicate()) == Negated)
          return Count;
        Now = Then;
      }
    }
  }
  return 0;
}

/// The most iterations, from each entry on, of the loop with this head, where it is short: a vector in space, say. 0
/// where it may be longer.
static unsigned shortIterations(const BasicBlock &Head) {
  const unsigned Short = 4;
  if (!Head.hasNPredecessors(2))
    return 0;
  for (const PHINode &Counter : Head.phis())
    if (Counter.getType()->isIntegerTy())
      if (unsigned Count = valuesOf(Counter, Short))
        return Count;
  return 0;
}

/// The values of Phi where it counts a short loop by constants; else none.
static SmallVector<const Value *, 4> countedValues(const PHINode &Phi) {
  const unsigned Count = shortIterations(*Phi.getParent());
  const APInt *Start, *Step;
  SmallVector<const Value *, 4> Values;
  for (unsigned Way : {0, 1})
    if (Count && match(Phi.getIncomingValue(Way), m_APInt(Start)) &&
        match(Phi.getIncomingValue(1 - Way), m_Add(m_Specific(&Phi), m_APInt(Step))))
      for (unsigned I = 0; I != Count; ++I)
        Values.push_back(ConstantInt::get(Phi.getType(), *Start + *Step * I));
  return Values;
}

/// Byte offsets of Gep where its one index is a choice of constants, as in `node = node->child[key < node->key]`, or
/// counts a short loop; else none.
static SmallVector<int64_t, 4> offsetChoices(const GetElementPtrInst &Gep, const DataLayout &DL) {
  if (Gep.getNumIndices() != 1 || !Gep.getType()->isPointerTy())
    return {};
  SmallVector<int64_t, 4> Choices;
  int64_t Stride = DL.getTypeAllocSize(Gep.getSourceElementType()).getKnownMinValue();
  SmallVector<const Value *, 4> Values;
  const Value *Index = Gep.idx_begin()->get();
  if (const auto *Select = dyn_cast<SelectInst>(Index))
    Values = {Select->getTrueValue(), Select->getFalseValue()};
  else if (const auto *Phi = dyn_cast<PHINode>(Index); Phi && (Values = countedValues(*Phi)).empty())
    Values.append(Phi->op_begin(), Phi->op_end());
  for (const Value *V : Values) {
    const auto *C = dyn_cast<ConstantInt>(V);
    if (!C)
      return {};
    Choices.push_back(C->getSExtValue() * Stride);
  }
  return Choices;
}

void PointsTo::visitIndex(const GetElementPtrInst &Gep) {
  PlaceSet Moved;
  PlaceSet From = targets(Gep.getPointerOperand());
  APInt Fixed(64, 0);
  compat::OffsetMap Variable;
  if (!Gep.getType()->isPointerTy() || !Gep.collectOffset(DL, 64, Variable, Fixed)) {
    for (Place T : From)
      Moved.push_back(Place::anywhere(T.Object));
  } else if (Variable.empty()) {
    for (Place T : From)
      Moved.push_back(T.moved(Fixed.getSExtValue()));
  } else if (SmallVector<int64_t, 4> Choices = offsetChoices(Gep, DL); !Choices.empty()) {
    for (Place T : From)
      for (int64_t Choice : Choices)
        Moved.push_back(T.moved(Choice));
  } else {
    int64_t Step = 0;
    for (const auto &[Index, Scale] : Variable)
      Step = std::gcd(Step, Scale.getSExtValue() * distanceStep(Index));
    for (Place T : From) {
      Place Start = T.moved(Fixed.getSExtValue());
      Moved.push_back(Start.stepped(Step, partAt(Start), !goesUpwards(Gep)));
    }
  }
  addTo(&Gep, Moved);
}

/// A pointer that walks by a fixed number of bytes each time around the loop is not followed step by step, unless the
/// loop is short.
void PointsTo::visitPhi(const PHINode &Phi) {
  int64_t Step = 0;
  bool Backwards = false;
  SmallVector<const Value *, 4> Starts;
  for (const Value *V : Phi.incoming_values()) {
    APInt Offset(64, 0);
    if (V->getType()->isPointerTy() &&
        V->stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/true) == &Phi) {
      Step = std::gcd(Step, Offset.getSExtValue());
      Backwards |= Offset.isNegative();
    } else if (carriesPointers(V->getType())) {
      Starts.push_back(V);
    }
  }
  const unsigned Count = Step && Phi.getNumIncomingValues() == 2 ? shortIterations(*Phi.getParent()) : 0;
  for (const Value *V : Starts) {
    PlaceSet From = targets(V), Walked;
    for (Place T : From) {
      if (!Count)
        Walked.push_back(T.stepped(Step, partAt(T), Backwards));
      for (unsigned I = 0; I != Count; ++I)
        Walked.push_back(T.moved(int64_t(I) * (Backwards ? -Step : Step)));
    }
    addTo(&Phi, Walked);
  }
}

} // namespace memshape
