// Calls for real that may go another way.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function is called for real because its allocations follow from extents. Where they do not - it looks at data, at
// the clock, or its extents are data themselves - the call is made and counted all the same, and the answer says that
// it rests on it.

#pragma once

#include "data-flow/DataFlow.h"
#include "memory/ModRefIndex.h"
#include "memory/PointsTo.h"
#include "skeleton/SkeletonFacts.h"

namespace memshape {

/// Marks the calls whose extents lie in memory that data fills: on zeros they are not what they will be.
void markUnknownExtents(llvm::Module &M, const PointsTo &Memory, ModRefIndex &Accesses, const DataFlow &Flow);

/// Calls that are executed, but may do something else another time, are counted where they run, and can be left out
/// where they end the evaluation. They are listed in Facts.
void announceUnproven(llvm::Module &M, SkeletonFacts &Facts);

} // namespace memshape
