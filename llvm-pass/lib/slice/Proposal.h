// Which way a decision goes by default.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "memshape/SkeletonCodes.h"
#include "slice/Slice.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instruction.h"

namespace memshape {

/// The side that a branch decision takes when nobody says otherwise, and what hangs on it.
struct Proposal {
  bool Answer = false;
  bool InLoop = false;
  bool Succeeds = false; ///< a library call before it is taken to succeed
  DecisionEffect Effect = DecisionEffect::ConditionInSize;
};

/// Proposes for the truth values of one slice. Functions may not change meanwhile: what tells which blocks lie behind
/// which edge is computed once for each, and slices of large operators ask for thousands of answers.
class Proposer {
public:
  explicit Proposer(const Slice &Of) : S(Of) {}

  /// For the truth value Verdict: to stay in a loop that has another way out, to leave one that has not, else the side
  /// with more of the slice behind it. Where neither has more, arguments are there and all else is false.
  Proposal propose(llvm::Instruction &Verdict);

private:
  struct Regions {
    Regions(llvm::Function &F, const Slice &S);

    /// Live instructions that run only after Edge is taken.
    unsigned weightBehind(const llvm::BasicBlockEdge &Edge) const;

    llvm::DominatorTree DT;
    llvm::LoopInfo LI;
    llvm::DenseMap<const llvm::BasicBlock *, unsigned> Weight; ///< live instructions in the blocks that it dominates
  };

  const Regions &regionsOf(llvm::Function &F);
  Proposal byWeight(llvm::Instruction &Verdict);

  const Slice &S;
  llvm::DenseMap<const llvm::Function *, std::unique_ptr<Regions>> Known;
};

} // namespace memshape
