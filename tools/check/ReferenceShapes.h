//===- ReferenceShapes.h - Shapes that a baseline speaks of ---------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_CHECK_REFERENCESHAPES_H
#define MEMSHAPE_TOOLS_CHECK_REFERENCESHAPES_H

#include "tools/prediction/Evaluator.h"
#include "tools/prediction/Skeleton.h"

namespace memshape {

/// A small, a medium and a large shape, none of them cubic, at which the operator returns; fewer where there are none.
/// Which ones depends on the operator alone, not on the machine or its load.
std::vector<std::vector<std::int64_t>> chooseShapes(const Skeleton &S, const Question &Asked, Evaluator &Evaluate);

/// Shapes at which a formula is confirmed, small ones first; the same on every machine.
std::vector<std::vector<std::int64_t>> probeShapes(const Skeleton &S);

} // namespace memshape

#endif // MEMSHAPE_TOOLS_CHECK_REFERENCESHAPES_H
