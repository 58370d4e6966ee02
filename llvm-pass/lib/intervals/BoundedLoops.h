// Loops whose trip count is data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a value from data is the trip count of loops that allocate or free, each iteration would be a decision of its
// own, and a loop that frees could run more often than the one that allocated. Instead the value is asked for once, by
// bisecting its bounds. This takes as many decisions as the distance of the bounds has bits:
//
//   k = x[0] & 31;                         low = 0; high = 31;
//   for (i = 0; i < k; ++i) ...    -->     while (low < high)
//                                            if (k > middle) low = middle + 1; else high = middle;
//                                          for (i = 0; i < low; ++i) ...

#pragma once

#include "data-flow/DataFlow.h"

namespace memshape {

/// True if M changed, its blocks too.
bool askForCountsOnce(llvm::Module &M, const DataFlow &Flow);

} // namespace memshape
