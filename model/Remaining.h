//===- Remaining.h - What a run that is going on will still take --------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// While a run goes on, part of its peak is no longer a guess: what was held already, and what is held now. The rest is
// bounded by the prediction, corrected by how the run's progress compares with what was expected at the same point.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_MODEL_REMAINING_H
#define MEMSHAPE_MODEL_REMAINING_H

#include "model/OperatorModel.h"

namespace memshape {

/// A run at one moment, bytes.
struct Progress {
  double Held = 0;           ///< resident or requested now, as the prediction counts
  double PeakSoFar = 0;      ///< at least Held
  double Proven = 0;         ///< what is certain to come on top of Held: sizes of sites that are known to be reached
  double Events = 0;         ///< share of the allocation events that have happened, 0 to 1; 0 where unknown
  double Expected = Unknown; ///< what the skeleton said would be held after these events, of the same kind as Held
};

/// The final peak's distribution and bound in the middle of a run. The prediction is shifted by the share in which the
/// run differs from the skeleton so far, the more the further it has come; nothing can fall below what was already held
/// or is proven to come (evidence of allocation sites; cf. phase models in k-Segments, IEEE Big Data 2023).
Forecast remainingPeak(const Forecast &Before, const Progress &Now);

/// True where a run will exceed Limit bytes with more than the probability that the bound's confidence leaves open.
bool willExceed(const Forecast &Final, double Limit);

} // namespace memshape

#endif // MEMSHAPE_MODEL_REMAINING_H
