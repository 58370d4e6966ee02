// Comparisons of places in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "data-flow/ComparedPlaces.h"
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

/// Follows places, and the numbers made of them, to where they are compared.
class Places {
public:
  /// Looks at I, if it makes a number of a place or compares two.
  void add(Instruction &I) {
    if (isa<PtrToIntInst>(I))
      addNumber(I);
    else if (auto *Compare = dyn_cast<ICmpInst>(&I); Compare && Compare->getOperand(0)->getType()->isPtrOrPtrVectorTy())
      addComparison(*Compare);
  }

  /// Tells the runner what is compared. True if something else is done with numbers.
  bool mark(Module &M) {
    while (!Numbers.empty())
      follow(*Numbers.pop_back_val());
    for (Instruction *At : Comparisons) {
      IRBuilder<> B(At);
      const auto Place = [&](unsigned I) {
        Value *Compared = At->getOperand(I);
        return Compared->getType()->isPointerTy() ? Compared : B.CreateIntToPtr(Compared, B.getPtrTy());
      };
      B.CreateCall(runnerFunction(M, RunnerCall::Compare), {Place(0), Place(1), B.getInt32(!isa<ICmpInst>(At))});
    }
    return Other;
  }

private:
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
    constexpr std::uint64_t BlockAlignment = 16;
    for (User *Each : Number.users()) {
      auto &Use = cast<Instruction>(*Each);
      const APInt *Mask;
      if (isa<ICmpInst>(Use) || Use.getOpcode() == Instruction::Sub)
        addComparison(Use);
      else if (isa<PHINode, SelectInst, FreezeInst>(Use) || Use.getOpcode() == Instruction::Add)
        addNumber(Use);
      else
        Other |=
            !isa<IntToPtrInst>(Use) && !(match(&Use, m_And(m_Value(), m_APInt(Mask))) && Mask->ult(BlockAlignment));
    }
  }

  SetVector<Instruction *> Comparisons;
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
