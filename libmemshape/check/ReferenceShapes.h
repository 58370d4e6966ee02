// Shapes at which a baseline has figures.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/skeletons/Evaluator.h"
#include "libmemshape/skeletons/Skeleton.h"
#include "model/formula/Formula.h"

namespace memshape {

/// A small, a medium and a large shape, none with all extents equal, at which the operator returns; fewer if there are
/// none. They depend on the operator alone, not on the machine or its load.
std::vector<std::vector<std::int64_t>> chooseShapes(const Skeleton &S, const Question &Asked, Evaluator &Evaluate);

/// Shapes that are long, or short, in one symbol alone, for an operator without a closed form: if the peak is the
/// greatest of several phases, each phase may be the greatest at another shape. None if there is only one symbol.
std::vector<std::vector<std::int64_t>> stretchedShapes(const Skeleton &S, const Question &Asked, Evaluator &Evaluate);

/// Formulas are found on shapes up to this extent.
constexpr std::int64_t LargestProbed = 2000;

/// Shapes inside Where (one range per symbol) at which a formula is confirmed, small ones first; the same on every
/// machine.
std::vector<std::vector<std::int64_t>> probeShapes(const Domain &Where);

/// The range of the operator's shape symbols, up to LargestProbed.
Domain probedDomain(const Skeleton &S);

} // namespace memshape
