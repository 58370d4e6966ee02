// The stages of the slicer, by name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stages.cpp has what is done to an operator: a registry of stages, and for each kind of skeleton their names in order.
// Each stage is a pass of its own under its name (StagePass.h).

#pragma once

#include "data-flow/DataFlow.h"
#include "skeleton/SkeletonState.h"
#include "llvm/ADT/ArrayRef.h"

namespace memshape {

class Slice;

struct Stage {
  llvm::StringLiteral Name; ///< of its pass: "memshape-flatten"
  /// Changes M, or makes another module in State. False where there is no skeleton: the state says why.
  bool (*Run)(llvm::Module &M, SkeletonState &State);
  enum PointersType { DropsPointers, KeepsPointers } Pointers = DropsPointers; ///< that State has followed in M

  // As instrumentation asks a pass.
  llvm::StringRef name() const { return Name; }
  static bool isRequired() { return true; }
};

llvm::ArrayRef<Stage> stages();

/// The stages of a skeleton in the order in which they run.
llvm::SmallVector<const Stage *, 40> stagesOf(SkeletonKind Kind);

/// Calls of allocators that a program may replace go to those that it starts with. True where there are any.
bool takeInitialFunctions(llvm::Module &M, SkeletonFacts &Facts);

// Stages that are larger than a line or two, each in a file of its own.
bool resolveCalls(llvm::Module &M, SkeletonState &State);
bool resolveVirtualCalls(llvm::Module &M, SkeletonState &State);
bool dropArithmetic(llvm::Module &M, SkeletonState &State);
bool cutData(llvm::Module &M, SkeletonState &State);
bool dropResults(llvm::Module &M, SkeletonState &State);
bool countBlocks(llvm::Module &M, SkeletonState &State);
bool measureReach(llvm::Module &M, SkeletonState &State);
bool numberSites(llvm::Module &M, SkeletonState &State);
bool announceSizeWraps(llvm::Module &M, SkeletonState &State);
bool addEntry(llvm::Module &M, SkeletonState &State);
bool listMachineDependence(llvm::Module &M, SkeletonState &State);

/// False, with a reason, where the operator reads behind an object that nobody builds: a pointer in an argument that is
/// built otherwise, which has the width of its place.
bool leavesUnbuilt(SkeletonState &State);

/// Lists the extents that the operator tells of what it returns, and takes those out that data decides.
void settleResults(llvm::Module &M, const PointsTo &Memory, ModRefIndex &Accesses, const DataFlow &Flow,
                   SkeletonState &State);

/// P, passed as A, is a member of an argument, and of what S keeps only the argument's own bytes depend on it: it need
/// not be given.
bool isOptional(const ParameterFact &P, const llvm::Argument &A, const Slice &S);

} // namespace memshape
