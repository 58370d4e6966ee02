// Comparisons of places in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of two blocks comes first is nobody's choice. But most comparisons are of two places in one block, the bounds of
// an array, say, whose order is known. Which kind one is shows where it is executed:
//
//     while (at < end)      while (memshape_sk_compare(at, end, 0), at < end)
//
// Whether two ranges overlap is asked by two comparisons, of which the order of blocks decides each, but not both:
//
//     at < other + m && other < at + n

#pragma once

#include "llvm/IR/Module.h"

namespace memshape {

/// Marks the comparisons and differences of places of M, but those of places that are known to lie in one object. True
/// where some place is made a number of in another way.
bool markComparedPlaces(llvm::Module &M);

} // namespace memshape
