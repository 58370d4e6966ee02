// What a caller may have done before the call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/prediction/Bounds.h"

namespace memshape {

/// Holds Range, the bounds at Asked of a footprint Proposed, against other circumstances of the call: other rounding of
/// floating-point numbers, other places of blocks, more calls before, and calls at other shapes. Where one of them
/// changes the footprint, Range is not exact, spans both, and says so. Evaluations are made only for what the skeleton
/// looks at.
void holdUnderCircumstances(const Skeleton &S, const Question &Asked, const Footprint &Proposed, Evaluator &Evaluate,
                            Bounds &Range);

} // namespace memshape
