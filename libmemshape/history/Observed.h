//===- Observed.h - Answers to decisions that a run has shown ------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where data decide, a prediction supposes something. A run in its middle shows what its sites hold: a size that came
// from a count of events, a branch that was taken. The answers under which the skeleton comes through that very moment
// are looked for, and its figures with them are those of the rest of the run: the size that was seen once is the size
// wherever the operator uses it again.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_PREDICTION_OBSERVED_H
#define MEMSHAPE_TOOLS_PREDICTION_OBSERVED_H

#include "libmemshape/skeletons/Evaluator.h"
#include "libmemshape/skeletons/Skeleton.h"
#include "libmemshape/text/AllocatingPlace.h"

#include <functional>

namespace memshape {

struct Explanation {
  Question Asked; ///< with the answers
  Footprint Heap;
  bool Changed = false; ///< the answers are others than those of the question
};

/// The footprint of the call that came through Seen: under the answers of Asked, where these lead there, else under
/// others that do. Nothing where none were found before Enough says so. One answer after the other is changed, each to
/// the least memory that explains what is held; S is what Evaluate runs.
std::optional<Explanation> explain(const Skeleton &S, const Question &Asked, const HeldByPlace &Seen,
                                   Evaluator &Evaluate, const std::function<bool()> &Enough);

} // namespace memshape

#endif // MEMSHAPE_TOOLS_PREDICTION_OBSERVED_H
