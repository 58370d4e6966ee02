// Is a sum never negative?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proves it from comparisons on the path to a place, from assumptions about terms, and separately for all paths that
// lead there. Assumes that extents are not negative and that sizes do not wrap around.

#pragma once

#include "intervals/KnownComparisons.h"
#include "kept-state/LinearForm.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace memshape {

class Inequalities {
public:
  Inequalities(llvm::Function &F, const llvm::DominatorTree &DT, const llvm::LoopInfo &Loops);

  LinearForm formOf(const llvm::Value *V) const { return LinearForm::of(V, Layout); }
  /// Sets sums that are not negative at the start of the function.
  void assume(llvm::SmallVector<LinearForm, 8> NeverNegative) { Assumed = std::move(NeverNegative); }
  /// Whether Sum is never negative at the end of At.
  bool neverNegative(const LinearForm &Sum, const llvm::BasicBlock &At);

private:
  using Facts = llvm::SmallVector<LinearForm, 8>;
  void addFacts(const Comparisons &Told, Facts &Into);
  bool follows(const LinearForm &Sum, const Facts &Known, unsigned Depth);
  bool followsPlainly(const LinearForm &Sum, const Facts &Known, unsigned Depth);
  bool followsOnAllWays(const LinearForm &Sum, const Facts &Known, unsigned Depth, const llvm::BasicBlock &Meeting);
  bool followsOfChoice(const LinearForm &Sum, const Facts &Known, unsigned Depth, const llvm::Value &Choice);
  const llvm::BasicBlock *lastMeeting(const LinearForm &Sum) const;

  const llvm::DataLayout &Layout;
  const llvm::DominatorTree &DT;
  const llvm::LoopInfo &Loops;
  KnownComparisons Comparing;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Order; ///< each block after those that lead to it
  Facts Assumed;
  unsigned StepsLeft = 0;
};

/// Whether V is computed from extents in a way that it is never negative.
bool isExtent(const llvm::Value *V, unsigned Depth = 0);

} // namespace memshape
