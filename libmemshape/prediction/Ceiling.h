// An upper bound where no run tells one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/prediction/Answer.h"

namespace memshape {

/// Where P has no upper bound, or only the greatest of some runs, lets the slicer count what Op can need at most: the
/// greatest size of each block times how many of them there can be, whatever data is. Where that has no end either P
/// has no upper bound: what some runs need bounds no other.
void addCeiling(const WholeOperator &Op, const Surroundings &Around, Prediction &P);

} // namespace memshape
