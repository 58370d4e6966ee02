// A prediction from one run on zeros.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/prediction/Prediction.h"

namespace memshape {

/// Runs S, an operator as it is, at the shape; where that takes too long or too much memory, at smaller ones, and takes
/// the figures from their formulas. Never exact: other data may lead elsewhere. Why: what kept a skeleton from
/// answering, for the reader. Building: the argument, from 1, that was being built when it failed.
Result<Prediction> predictByReplay(const Skeleton &S, const Question &Asked, const RunnerOptions &Options,
                                   const std::string &Why, bool WithFormulas, std::uint32_t &Building);

} // namespace memshape
