// Calls of which not all is known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function is called for real because its allocations follow from extents. Where they do not - it looks at data, at
// the clock, or its extents are data themselves - the call is made and counted all the same, and the answer says that
// it rests on it. A function that is not known is not called at all.

#pragma once

#include "data-flow/DataFlow.h"
#include "memory/ModRefIndex.h"
#include "memory/PointsTo.h"
#include "skeleton/SkeletonState.h"

namespace memshape {

/// Marks the calls whose extents lie in memory that data fills: on zeros they are not what they will be.
void markUnknownExtents(llvm::Module &M, const PointsTo &Memory, ModRefIndex &Accesses, const DataFlow &Flow);

/// Calls that are executed, but may do something else another time, are counted where they run, and can be left out
/// where they end the evaluation. They are listed in Facts.
void announceUnproven(llvm::Module &M, SkeletonFacts &Facts);

/// What is called by Call, a call of a function that is not known, and why it is not.
SkeletonUnknown unknownCall(const llvm::CallBase &Call, const PointsTo &Memory, const SkeletonState &State);

/// Lists what the program chooses and is taken to request nothing, of all calls of M.
void listSilentCalls(const llvm::Module &M, const PointsTo &Memory, SkeletonState &State);

} // namespace memshape
