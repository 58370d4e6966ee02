// Bounds of values from data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value that comes from data is unknown, but often bounded: by its type, by a mask, by a comparison with something
// that depends on the shape. For such a value, the least and greatest number that it can be are computed:
//
//   k = min(x[0], n)        k         is in  [-inf, n]
//   if (k < 0) return;      k         is in  [0, n]
//   malloc(4 * k)           4 * k     is in  [0, 4 * n]
//
// These bounds are ordinary values of the skeleton: if k is a sum of a hundred bytes, the skeleton adds 255 a hundred
// times. If a decision takes another branch, the bounds differ. So they hold for the run in which they are computed.
//
// Sizes of blocks are passed to the runner with their bounds (memshape_sk_within); without an upper one, the least size
// still tells what every run takes. A run in which each size is at its upper bound has the greatest peak of all runs on
// the same path, because no path depends on a block's size. A comparison of a bounded value is a decision only if the
// bounds do not determine it.

#pragma once

#include "data-flow/DataFlow.h"

namespace memshape {

/// Bounds what data decides in M: sizes of blocks and comparisons get bounds, a switch on data becomes a chain of
/// comparisons, trip counts are asked for once. Returns the analyses of M after that: what is data, and who accesses
/// which memory.
std::pair<std::unique_ptr<ModRefIndex>, std::unique_ptr<DataFlow>> flowWithBounds(llvm::Module &M, llvm::Function &Root,
                                                                                  const PointsTo &Memory);

/// Tells the runner which value decisions are used only for sizes with bounds. Returns the numbers of these decisions.
llvm::SmallVector<unsigned, 4> markBoundedValues(llvm::Module &M);

/// True if M changed, its blocks too.
bool askForCountsOnce(llvm::Module &M, const DataFlow &Flow);

} // namespace memshape
