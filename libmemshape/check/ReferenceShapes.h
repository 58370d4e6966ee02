//===- ReferenceShapes.h - Shapes that a baseline speaks of ---------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_CHECK_REFERENCESHAPES_H
#define MEMSHAPE_TOOLS_CHECK_REFERENCESHAPES_H

#include "libmemshape/skeletons/Evaluator.h"
#include "libmemshape/skeletons/Skeleton.h"
#include "model/formula/Formula.h"

namespace memshape {

/// A small, a medium and a large shape, none of them cubic, at which the operator returns; fewer where there are none.
/// Which ones depends on the operator alone, not on the machine or its load.
std::vector<std::vector<std::int64_t>> chooseShapes(const Skeleton &S, const Question &Asked, Evaluator &Evaluate);

/// Shapes that are long, or short, in one symbol alone, for an operator without a closed form: where the peak is the
/// greatest of several phases, each of these may decide somewhere else. None where there is one symbol only.
std::vector<std::vector<std::int64_t>> stretchedShapes(const Skeleton &S, const Question &Asked, Evaluator &Evaluate);

/// Formulas are found on shapes up to there.
constexpr std::int64_t LargestProbed = 2000;

/// Shapes at which a formula is confirmed, those inside Where (one range per symbol), small ones first; the same on
/// every machine.
std::vector<std::vector<std::int64_t>> probeShapes(const Domain &Where);

/// All that the operator's shape symbols can be, up to LargestProbed.
Domain probedDomain(const Skeleton &S);

} // namespace memshape

#endif // MEMSHAPE_TOOLS_CHECK_REFERENCESHAPES_H
