// A run that stands for many.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where data decides, one number has to stand for all runs. With each decision answered alike each time it would be
// that of a corner: no sample is picked, or all are. Decisions that are asked again and again are answered by a coin
// instead, the same at each prediction: what takes three of them to be picked is picked in one of eight cases. What
// ends a loop keeps its proposal, which stays as long as something else can end it, and so does what is asked once.

#pragma once

#include "libmemshape/skeletons/Evaluator.h"
#include "libmemshape/skeletons/Skeleton.h"

namespace memshape {

/// Sizes from data are where Sizes says between their bounds, and decisions in loops fall by a coin. Nothing where no
/// decision is answered otherwise than in Proposed, or where such a run does not return.
std::optional<Footprint> representativeRun(const Skeleton &S, const Question &Asked, const Footprint &Proposed,
                                           Evaluator &Evaluate, Question::Sizes Sizes);

} // namespace memshape
