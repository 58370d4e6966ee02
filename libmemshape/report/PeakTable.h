// Peaks of a skeleton at many shapes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/skeletons/Evaluator.h"
#include "libmemshape/skeletons/Skeleton.h"

namespace memshape {

/// One shape and the peak of the skeleton there.
struct PeakTableRow {
  std::vector<std::int64_t> Shape;
  FootprintRow Figures;
};

/// Evaluates small and large values of each symbol, with the others as in Typical; all symbols equal; and, if there is
/// no Formula for other shapes, the corners of a coarse grid. Shapes at which the operator does not return, or for
/// which time runs out, are left out. The caller sets the timeout.
std::vector<PeakTableRow> peakTable(const Skeleton &S, const Question &Typical, bool Formula, Evaluator &Evaluate);

} // namespace memshape
