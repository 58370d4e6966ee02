// Comparisons of places in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "data-flow/ComparedPlaces.h"
#include "memshape/SkeletonAbi.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace memshape {

namespace {

/// Of two places, which one a comparison asks to be the lower one: the one on Low's side of memory.
struct Sides {
  const Value *Low, *High; ///< what they lie in, or are counted from
  bool operator==(const Sides &) const = default;
};

std::optional<Sides> sidesOf(const ICmpInst &Compare) {
  if (!Compare.isRelational() || !Compare.getOperand(0)->getType()->isPointerTy())
    return std::nullopt;
  const Value *One = getUnderlyingObject(Compare.getOperand(0)), *Other = getUnderlyingObject(Compare.getOperand(1));
  return ICmpInst::isLT(Compare.getPredicate()) || ICmpInst::isLE(Compare.getPredicate()) ? Sides{One, Other}
                                                                                          : Sides{Other, One};
}

/// Uses of comparisons that I is the conjunction of, or the disjunction.
void partsOf(Instruction &I, bool And, SmallVectorImpl<Use *> &Parts) {
  if (!(And ? match(&I, m_LogicalAnd(m_Value(), m_Value())) : match(&I, m_LogicalOr(m_Value(), m_Value()))))
    return;
  for (Use &Each : I.operands())
    if (isa<ICmpInst>(Each))
      Parts.push_back(&Each);
    else if (auto *Inner = dyn_cast<Instruction>(Each); Inner && Inner->hasOneUse())
      partsOf(*Inner, And, Parts);
}

/// Follows places, and the numbers made of them, to where they are compared.
class Places {
public:
  /// Looks at I, if it makes a number of a place or compares two.
  void add(Instruction &I) {
    if (isa<PtrToIntInst>(I))
      addNumber(I);
    else if (auto *Compare = dyn_cast<ICmpInst>(&I); Compare && Compare->getOperand(0)->getType()->isPtrOrPtrVectorTy())
      addComparison(*Compare);
    else if (I.getType()->isIntegerTy(1))
      addOverlap(I);
  }

  /// Tells the runner what is compared. True where something else is made of a place.
  bool mark(Module &M) {
    while (!Numbers.empty())
      follow(*Numbers.pop_back_val());
    for (Instruction *At : Comparisons) {
      IRBuilder<> B(At);
      const auto Place = [&](unsigned I) {
        Value *Compared = At->getOperand(I);
        return Compared->getType()->isPointerTy() ? Compared : B.CreateIntToPtr(Compared, B.getPtrTy());
      };
      const auto Asks = !isa<ICmpInst>(At)              ? MEMSHAPE_SK_DISTANCE
                        : saysWhetherRangesOverlap(*At) ? MEMSHAPE_SK_OVERLAP
                                                        : MEMSHAPE_SK_ORDER;
      B.CreateCall(runnerFunction(M, RunnerCall::Compare), {Place(0), Place(1), B.getInt32(Asks)});
    }
    return Other;
  }

private:
  /// Whether two ranges overlap: each begins below the end of the other one. Of ranges in two blocks one comparison is
  /// true, and the other is not, whichever block comes first.
  void addOverlap(Instruction &I) {
    for (const bool And : {true, false}) {
      SmallVector<Use *, 4> Parts;
      partsOf(I, And, Parts);
      for (Use *One : Parts)
        for (const Use *Other : Parts)
          if (const auto Of = sidesOf(*cast<ICmpInst>(One->get())), Against = sidesOf(*cast<ICmpInst>(Other->get()));
              Of && Against && Of->Low != Of->High && *Against == Sides{Of->High, Of->Low})
            Overlaps.insert(One);
    }
  }

  /// Wherever At is used, another comparison is beside it.
  bool saysWhetherRangesOverlap(const Instruction &At) const {
    return all_of(At.uses(), [&](const Use &Each) { return Overlaps.contains(&Each); });
  }

  void addNumber(Instruction &I) {
    if (!I.getType()->isIntegerTy(64))
      Other = true;
    else if (Known.insert(&I).second)
      Numbers.push_back(&I);
  }

  void addComparison(Instruction &I) {
    const Value *One = I.getOperand(0), *Two = I.getOperand(1);
    if (const auto *Compare = dyn_cast<ICmpInst>(&I); Compare && Compare->isEquality())
      return;
    if (One->getType()->isVectorTy())
      Other = true;
    else if (!One->getType()->isPointerTy() || getUnderlyingObject(One) != getUnderlyingObject(Two))
      Comparisons.insert(&I);
  }

  /// What is done with Number beside comparing it: the lowest bits are those of every block.
  void follow(Instruction &Number) {
    for (User *Each : Number.users()) {
      auto &Use = cast<Instruction>(*Each);
      const APInt *Mask;
      if (isa<ICmpInst>(Use) || Use.getOpcode() == Instruction::Sub)
        addComparison(Use);
      else if (isa<PHINode, SelectInst, FreezeInst>(Use) || Use.getOpcode() == Instruction::Add)
        addNumber(Use);
      else
        Other |= !isa<IntToPtrInst>(Use) &&
                 !(match(&Use, m_And(m_Value(), m_APInt(Mask))) && Mask->ult(MEMSHAPE_SK_BLOCK_ALIGNMENT));
    }
  }

  SetVector<Instruction *> Comparisons;
  SmallPtrSet<const Use *, 8> Overlaps;   ///< of comparisons, two of which say whether ranges overlap
  SmallVector<Instruction *, 16> Numbers; ///< not followed yet
  SmallPtrSet<Instruction *, 16> Known;
  bool Other = false;
};

} // namespace

bool markComparedPlaces(Module &M) {
  Places All;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      All.add(I);
  return All.mark(M);
}

} // namespace memshape
