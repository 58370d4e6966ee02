//===- ValueRanges.h - How large can a value from data be? ----------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value that comes from data is not known, but often bounded: by its type, by a mask, by a comparison with what the
// shape gives. Beside such a value two others are computed, the least and the greatest number that it can be there:
//
//   k = min(x[0], n)        k         is in  [-inf, n]
//   if (k < 0) return;      k         is in  [0, n]
//   malloc(4 * k)           4 * k     is in  [0, 4 * n]
//
// They are values of the skeleton like all others: where k is a sum of a hundred bytes, the skeleton adds up a hundred
// times 255, and where a decision leads another way they differ. So they hold for the run in which they are computed.
//
// Sizes of blocks are handed to the runner with their bounds (memshape_sk_within): a run in which each is as large as
// it can be has the greatest peak of all runs that take the same way, since no way depends on the size of a block. A
// comparison of a bounded value is a decision only as far as the bounds leave it open.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_VALUERANGES_H
#define MEMSHAPE_VALUERANGES_H

#include "data-flow/DataFlow.h"

namespace memshape {

/// What is data in M, and who touches which memory, after M was given bounds of what data decide: sizes of blocks and
/// comparisons have them, a switch on data is a chain of comparisons, counts of loops are asked for once.
std::pair<std::unique_ptr<ModRefIndex>, std::unique_ptr<DataFlow>> flowWithBounds(llvm::Module &M, llvm::Function &Root,
                                                                                  const PointsTo &Memory);

/// Tells the runner of value decisions that reach nothing but sizes which are handed over with bounds. The numbers of
/// these decisions.
llvm::SmallVector<unsigned, 4> markBoundedValues(llvm::Module &M);

} // namespace memshape

#endif // MEMSHAPE_VALUERANGES_H
