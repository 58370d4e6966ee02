// A law for a shape that takes too long.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/formulas/FormulaSearch.h"

namespace memshape {

/// What smaller shapes say of a large one.
struct Approach {
  FormulaSet Formulas;          ///< the peak's is missing where they show no law
  std::optional<Shape> Reached; ///< the largest shape on the way that could be evaluated
  bool Contradictory = false;   ///< laws were found, but they disagree
};

/// Looks for formulas on the way to the shape of Asked, which takes too long itself: model/recovery/Way.h. Where a
/// symbol that only guards can be told it has its asked value throughout, and the law with it has to agree with the one
/// without.
Approach formulasToward(const Skeleton &S, const Question &Asked, Evaluator &Evaluate,
                        std::chrono::microseconds Budget);

} // namespace memshape
