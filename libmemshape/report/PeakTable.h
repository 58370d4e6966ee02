//===- PeakTable.h - What a skeleton says at many shapes ------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_REPORT_PEAKTABLE_H
#define MEMSHAPE_TOOLS_REPORT_PEAKTABLE_H

#include "libmemshape/skeletons/Evaluator.h"
#include "libmemshape/skeletons/Skeleton.h"

namespace memshape {

/// One shape and what the skeleton came to there.
struct PeakTableRow {
  std::vector<std::int64_t> Shape;
  FootprintRow Figures;
};

/// Asks at each symbol's small and large values with the others as in Typical, at all symbols equal, and, where there
/// is no Formula to compute other shapes from, at the corners of a coarse grid. Shapes at which the operator does not
/// return, or for which the time was too short, are left out. The timeout is set by the caller.
std::vector<PeakTableRow> peakTable(const Skeleton &S, const Question &Typical, bool Formula, Evaluator &Evaluate);

} // namespace memshape

#endif // MEMSHAPE_TOOLS_REPORT_PEAKTABLE_H
