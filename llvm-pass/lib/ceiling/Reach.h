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

/// A function like F that tells, as a result under the number of each of Pointers whose use has an end, the bytes from
/// the first place that F reads or writes through it, or from the pointer itself, to the last.
llvm::Function *buildReach(llvm::Function &F, const PointsTo &Memory, ModRefIndex &Accesses,
                           llvm::FunctionAnalysisManager &FAM, llvm::ArrayRef<const llvm::Argument *> Pointers);

} // namespace memshape
