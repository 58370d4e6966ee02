// How far an operator reads and writes the memory behind its pointers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pointer has no size. But the places at which it is used do: their greatest distance from it, over all iterations, is
// arithmetic on the shape, as a ceiling's sizes are (ShapeRanges.h). What data chooses a place in has no such end.

#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"

namespace memshape {

class PointsTo;
class ModRefIndex;
class ShapeRanges;
class StandIn;

/// The function beside the operator's that tells such numbers.
inline constexpr char ReachName[] = "memshape.reach";

/// Tells in Made, a function like F where Ranges emits, as the results from number First on, of each of Pointers whose
/// use has an end how many bytes lie from the first place that F reads or writes through it, or from the pointer itself,
/// to the last.
void buildReach(llvm::Function &F, const PointsTo &Memory, ModRefIndex &Accesses, ShapeRanges &Ranges,
                llvm::ArrayRef<const llvm::Argument *> Pointers, unsigned First, StandIn &Made);

} // namespace memshape
