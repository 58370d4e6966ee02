// How far an operator reads and writes the memory behind its pointers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pointer has no size. But the places at which it is used do: their greatest distance from it, over all iterations, is
// arithmetic on the shape, as a ceiling's sizes are (ShapeRanges.h). What data chooses a place in has no such end.

#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace memshape {

class PointsTo;
class ModRefIndex;

inline constexpr char ReachName[] = "memshape.reach";

/// A function like F in Into that tells, as the results from number First on, of each of Pointers whose use has an end
/// how many bytes lie from the first place that F reads or writes through it, or from the pointer itself, to the last.
void buildReach(llvm::Function &F, const PointsTo &Memory, ModRefIndex &Accesses, llvm::FunctionAnalysisManager &FAM,
                llvm::ArrayRef<const llvm::Argument *> Pointers, unsigned First, llvm::Module &Into);

} // namespace memshape
