//===- Ceiling.h - An upper bound where no run tells one ------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_PREDICTION_CEILING_H
#define MEMSHAPE_TOOLS_PREDICTION_CEILING_H

#include "tools/prediction/Answer.h"

namespace memshape {

/// Where P has no upper bound, lets the slicer count what Op can need at most: the greatest size of each block times
/// how many of them there can be, whatever data is. P stays as it is where that has no bound either.
void addCeiling(const WholeOperator &Op, const Surroundings &Around, Prediction &P);

} // namespace memshape

#endif // MEMSHAPE_TOOLS_PREDICTION_CEILING_H
