// Formulas of what predictions say.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A search for formulas samples a skeleton with the answers to decisions that it proposes. A prediction says more: what
// is expected, a bound over all answers, what arguments take. Where one of these is not the skeleton's own figure, its
// formula is looked for among predictions.

#pragma once

#include "libmemshape/prediction/Answer.h"

namespace memshape {

/// In the shape symbols. Each may be missing.
struct FigureFormulas {
  std::optional<Recovered> Peak;    ///< heap.peak_bytes: the peak where that is exact, otherwise what is expected
  std::optional<Recovered> Upper;   ///< heap.upper_bytes
  std::optional<Recovered> Output;  ///< heap.output_bytes
  std::optional<Recovered> Tensors; ///< bytes of all arguments that are built
  bool Bounded = true;              ///< there is an upper bound at each shape that was tried
  bool Exact = true;                ///< each was exact
  unsigned Predictions = 0;         ///< that all formulas agree with
  Prediction Typical;               ///< one of them
  std::unique_ptr<Skeleton> Source; ///< that Typical speaks of
};

/// At settings, threads and answers of Asked, whose shape is not used. Fails where no shape has an answer.
Result<FigureFormulas> figureFormulas(const WholeOperator &Op, const Question &Asked, const Surroundings &Around);

} // namespace memshape
