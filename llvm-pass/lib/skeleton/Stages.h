// The stages of the slicer, by name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list itself is in Stages.cpp: what is done to an operator, in its order, for each kind of skeleton. Each stage is
// a pass of its own under its name (StagePass.h).

#pragma once

#include "data-flow/DataFlow.h"
#include "skeleton/SkeletonState.h"
#include "llvm/ADT/ArrayRef.h"

namespace memshape {

struct Stage {
  llvm::StringLiteral Name;    ///< of its pass: "memshape-flatten"
  unsigned Kinds;              ///< of skeletons that it has a part in: SkeletonKind, one bit each
  llvm::StringLiteral Purpose; ///< one line

  /// Changes M. False where there is no skeleton: the state says why. Null for a stage that makes the module.
  bool (*Run)(llvm::Module &M, SkeletonState &State);
  /// Makes the module that the other stages change, out of the operator's. Null where there is none.
  std::unique_ptr<llvm::Module> (*Make)(SkeletonState &State) = nullptr;

  bool isOf(SkeletonKind Kind) const { return Kinds & unsigned(Kind); }
};

/// All stages, in the order in which they run. One that runs twice stands there twice.
inline constexpr size_t StageCount = 49;
llvm::ArrayRef<Stage> stages();

// Stages that are larger than a line or two, each in a file of its own.
bool resolveCalls(llvm::Module &M, SkeletonState &State);
bool dropArithmetic(llvm::Module &M, SkeletonState &State);
bool cutData(llvm::Module &M, SkeletonState &State);
bool dropResults(llvm::Module &M, SkeletonState &State);
bool countBlocks(llvm::Module &M, SkeletonState &State);
bool numberSites(llvm::Module &M, SkeletonState &State);
bool addEntry(llvm::Module &M, SkeletonState &State);
bool listMachineDependence(llvm::Module &M, SkeletonState &State);

/// Lists the extents that the operator tells of what it returns, and takes those out that data decides.
void settleResults(llvm::Module &M, const PointsTo &Memory, ModRefIndex &Accesses, const DataFlow &Flow,
                   SkeletonState &State);

} // namespace memshape
