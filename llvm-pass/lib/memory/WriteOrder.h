// Which writes come before a read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Points-to knows no order. For variables of the root there is one: the root runs once, and its variables live no
// longer. What is written to such a variable behind its last read, nobody sees; nor what was written before its
// lifetime starts anew.
//
//     loop:  start of s;  s = {...};  fill(image, s);  end of s;  *pixel = x     pixel may lie in s, for all that is
//                                                                                known; fill never sees x

#pragma once

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"

namespace memshape {

class WriteOrder {
public:
  /// Root must run once at a time, on one thread.
  explicit WriteOrder(const llvm::Function &Root);

  /// What Origin, a variable or a call, has made can be there when To runs as From leaves it; all three are in the root.
  bool canReach(const llvm::Instruction &From, const llvm::Instruction &To, const llvm::Instruction &Origin);

private:
  using Block = const llvm::BasicBlock *;
  /// Starts and ends of a variable's lifetime, by block.
  using Markers = llvm::DenseMap<Block, llvm::SmallVector<const llvm::Instruction *, 2>>;

  const Markers &markersOf(const llvm::Instruction &Origin);
  const llvm::BitVector &reachedFrom(Block Start, const llvm::Instruction &Origin, const Markers &Ends);

  llvm::DenseMap<Block, unsigned> Numbers;
  llvm::DenseMap<const llvm::Instruction *, Markers> Lifetimes;
  /// Blocks that are entered behind a block before the variable's lifetime starts or ends; for all variables without
  /// such marks under null.
  llvm::DenseMap<std::pair<Block, const llvm::Instruction *>, llvm::BitVector> Reached;
  uint64_t Steps = 0; ///< blocks that were walked over
};

} // namespace memshape
