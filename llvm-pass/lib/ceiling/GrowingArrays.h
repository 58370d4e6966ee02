// Arrays that grow as elements come.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buckets: many arrays, each of which grows when it is full. Each array may come to hold all elements, but that gives
// no useful bound for their sum. An element that is appended to one array is appended to no other, though. So if a call
// allocates a new block for an array whose old one is freed, and
//
//     size = at most a * (end - begin) + b
//
// then the blocks of that call hold together at most a times all that is ever appended: each block's share is what was
// appended to it and to the blocks that it replaced.

#pragma once

#include "ceiling/Lifetimes.h"
#include "ceiling/ShapeRanges.h"
#include "llvm/ADT/SetVector.h"

namespace memshape {

class GrowingArrays {
public:
  GrowingArrays(llvm::Function &F, ModRefIndex &Accesses, ShapeRanges &Ranges, Lifetimes &Lives)
      : F(F), Accesses(Accesses), Ranges(Ranges), Lives(Lives) {}

  /// The bytes of all blocks that Call, together with Others, holds at one time; null where Call does not make such
  /// blocks.
  llvm::Value *bytesOf(llvm::CallBase &Call, llvm::SmallPtrSetImpl<llvm::CallBase *> &Others);

private:
  /// An upper bound of a size: Factor times the distance, plus Constant.
  struct Line {
    double Factor = 0, Constant = 0;
  };
  /// A call that replaces a block by a larger one.
  struct Growth {
    llvm::LoadInst *End = nullptr;      ///< where the elements of the old block end
    llvm::Instruction *Bytes = nullptr; ///< of those elements
    Line Size;
  };
  std::optional<Growth> growthOf(llvm::CallBase &Call);
  std::optional<Line> lineOf(llvm::Value *V, const llvm::Instruction &Bytes, unsigned Depth) const;
  bool appends(llvm::Value *End, const llvm::StoreInst &Store, unsigned Depth);
  bool addStores(llvm::LoadInst &Load);

  llvm::Function &F;
  ModRefIndex &Accesses;
  ShapeRanges &Ranges;
  Lifetimes &Lives;
  llvm::DenseMap<llvm::CallBase *, std::optional<Growth>> Known;

  // State of the array that is being analysed.
  llvm::SmallPtrSet<llvm::CallBase *, 4> Calls;
  llvm::SmallPtrSet<llvm::CallBase *, 4> Covered; ///< calls that fill their block at once
  llvm::SmallSetVector<llvm::StoreInst *, 16> Stores;
  ShapeRanges::Additions Steps; ///< basic blocks that append, and how many bytes
  Interval Started;             ///< bytes that arrays have from the start
};

} // namespace memshape
