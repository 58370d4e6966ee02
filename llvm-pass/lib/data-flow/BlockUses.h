// What is done with blocks, and until when.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For advice alone: what an allocation's block holds, and which other allocations find it unused. Nothing in a skeleton
// depends on it.

#pragma once

#include "memory/ModRefIndex.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <string>

namespace memshape {

/// A place that allocates, as numberSites tells them apart: location and allocator.
using AllocatingPlace = std::pair<const llvm::DILocation *, const llvm::MDNode *>;
AllocatingPlace allocatingPlace(const llvm::CallBase &Allocation);

struct BlockUse {
  bool IsKnown = true;  ///< all uses are in the root
  std::string Elements; ///< the type of all that is stored in it: "double"; "" where there are several
  bool IsMixed = false;
  /// Of allocations behind this one: those that find its block in use; that find it in use only to be copied to theirs;
  /// and all of them.
  llvm::SmallSetVector<AllocatingPlace, 4> Used, Copied, Behind;
  llvm::SmallSetVector<AllocatingPlace, 4>
      CopiedTo; ///< allocations whose blocks are given what is in this one, its own among them

  bool isUnusedAfter(AllocatingPlace Other) const { return !Used.contains(Other) && !Copied.contains(Other); }
};

using BlockUses = llvm::MapVector<AllocatingPlace, BlockUse>;

/// Of the allocations of Root, before anything is cut.
BlockUses findBlockUses(llvm::Module &M, llvm::Function &Root, const PointsTo &Memory, const ModRefIndex &Accesses);

} // namespace memshape
