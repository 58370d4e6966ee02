//===- GrowingArrays.h - Arrays that grow as elements come ----------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buckets: many arrays, each of which grows when it is full. That each of them can come to hold all elements is no
// bound for their sum. But an element that is appended to one of them is appended to no other one. So where a call
// allocates a new block for an array, and the old one goes,
//
//     size = at most a * (end - begin) + b
//
// the blocks of that call are, together, at most a times all that is ever appended: each block's share is what was
// appended to it and to those that it replaced.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_GROWINGARRAYS_H
#define MEMSHAPE_GROWINGARRAYS_H

#include "ceiling/Lifetimes.h"
#include "ceiling/ShapeRanges.h"
#include "llvm/ADT/SetVector.h"

namespace memshape {

class GrowingArrays {
public:
  GrowingArrays(llvm::Function &F, ModRefIndex &Accesses, ShapeRanges &Ranges, Lifetimes &Lives)
      : F(F), Accesses(Accesses), Ranges(Ranges), Lives(Lives) {}

  /// The bytes of all blocks that Call, and Others with it, hold at a time; null where Call makes no such blocks.
  llvm::Value *bytesOf(llvm::CallBase &Call, llvm::SmallPtrSetImpl<llvm::CallBase *> &Others);

private:
  /// What a size is at most: Factor times the distance, plus Constant.
  struct Line {
    double Factor = 0, Constant = 0;
  };
  /// A call that replaces a block by a larger one.
  struct Growth {
    llvm::LoadInst *End = nullptr;      ///< where the elements of the old block end
    llvm::Instruction *Bytes = nullptr; ///< of its elements
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

  // Of the array that is being looked at.
  llvm::SmallPtrSet<llvm::CallBase *, 4> Calls;
  llvm::SmallPtrSet<llvm::CallBase *, 4> Covered; ///< that put something into their block at once
  llvm::SmallSetVector<llvm::StoreInst *, 16> Stores;
  ShapeRanges::Additions Steps; ///< blocks that append, and how many bytes
  Interval Started;             ///< bytes that arrays have from the start
};

} // namespace memshape

#endif // MEMSHAPE_GROWINGARRAYS_H
