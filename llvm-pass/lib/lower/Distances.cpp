// How far two addresses are apart.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/Lower.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace memshape {

void separateDistances(Module &M) {
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      Value *Ends[2], *Begins[2];
      const auto Sum = [](Value *(&Of)[2]) {
        return m_Add(m_CombineAnd(m_PtrToInt(m_Value()), m_Value(Of[0])),
                     m_CombineAnd(m_PtrToInt(m_Value()), m_Value(Of[1])));
      };
      if (!match(&I, m_Sub(Sum(Ends), Sum(Begins))))
        continue;
      const auto IsOne = [&](unsigned End, unsigned Begin) {
        return getUnderlyingObject(cast<PtrToIntOperator>(Ends[End])->getPointerOperand()) ==
               getUnderlyingObject(cast<PtrToIntOperator>(Begins[Begin])->getPointerOperand());
      };
      const unsigned First = IsOne(0, 1) || IsOne(1, 0);
      IRBuilder<> B(&I);
      Value *Apart = B.CreateSub(Ends[0], Begins[First]), *AlsoApart = B.CreateSub(Ends[1], Begins[1 - First]);
      I.replaceAllUsesWith(B.CreateAdd(Apart, AlsoApart));
      I.eraseFromParent();
    }
}

} // namespace memshape
