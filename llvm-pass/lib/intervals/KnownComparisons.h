// Comparisons that hold at a place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After `if (k > n) return;` k is at most n. All collected comparisons hold whenever control is at the place. They come
// from branches of which one side dominates the place, and from earlier checks that would have ended the call.

#pragma once

#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace memshape {

/// Left compares with Right as Predicate says.
struct Comparison {
  llvm::CmpInst::Predicate Predicate;
  llvm::Value *Left, *Right;

  /// The same as a statement about a value that Left is made of: the value plus Offset, signed or unsigned, compares
  /// with Right, signed or unsigned. Where the sum may wrap around, only an upper bound is implied. Of an unsigned value
  /// without its lowest bits, Shifted of them, it is the rest that compares.
  struct About {
    bool ValueSigned, RightSigned;
    int64_t Offset = 0;
    bool Wraps = false;
    unsigned Shifted = 0;
  };
  std::optional<About> about(const llvm::Value *V, bool Signed) const;
};

using Comparisons = llvm::SmallVector<Comparison, 8>;

/// Adds what follows from the i1 Condition being Truth.
void addComparisons(llvm::Value *Condition, bool Truth, Comparisons &Into, unsigned Depth = 0);

class KnownComparisons {
public:
  KnownComparisons(llvm::Function &F, const llvm::DominatorTree &DT);
  /// All that holds right before At.
  Comparisons before(const llvm::Instruction &At) const;
  /// What the branch at the end of From implies on its edge to To.
  static Comparisons onWay(const llvm::BasicBlock &From, const llvm::BasicBlock &To);

private:
  const llvm::DominatorTree &DT;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<llvm::CallBase *, 2>> Checks;
};

} // namespace memshape
