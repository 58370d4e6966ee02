// What answers, or bounds, where a skeleton does not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/prediction/Answer.h"
#include "libmemshape/skeletons/Evaluator.h"
#include "libmemshape/skeletons/Skeleton.h"

namespace memshape {

/// The calls that building arguments came to and that reach out of the process: "'fopen', 'fclose'"; "" without any.
std::string reachingOut(const Skeleton &S, const Footprint &Heap);

/// Why there is no answer where the evaluation ended while an argument was being built, and what to do.
Failure notBuilt(const Skeleton &S, const Question &Asked, const Footprint &Heap);

/// The same of argument Number, where a run came to calls that reach out: Called.
Failure notBuilt(const Skeleton &S, const Question &Asked, std::uint32_t Number, const std::string &Called);

/// Where P has no upper bound, or only the greatest of some runs, lets the slicer count what Op can need at most: the
/// greatest size of each block times how many of them there can be, whatever data is. Where that has no end either P
/// has no upper bound: what some runs need bounds no other.
void addCeiling(const WholeOperator &Op, const Surroundings &Around, Prediction &P);

/// Runs S, an operator as it is, at the shape; where that takes too long or too much memory, at smaller ones, and takes
/// the figures from their formulas. Never exact: other data may lead elsewhere. Why: what kept a skeleton from
/// answering, for the reader. Building: the argument, from 1, that was being built when it failed.
Result<Prediction> predictByReplay(const Skeleton &S, const Question &Asked, const RunnerOptions &Options,
                                   const std::string &Why, bool WithFormulas, std::uint32_t &Building);

/// Sizes from data are where Sizes says between their bounds, and decisions in loops fall by a coin. Nothing where no
/// decision is answered otherwise than in Proposed, or where such a run does not return.
std::optional<Footprint> representativeRun(const Skeleton &S, const Question &Asked, const Footprint &Proposed,
                                           Evaluator &Evaluate, Question::Sizes Sizes);

} // namespace memshape
