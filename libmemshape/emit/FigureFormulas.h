// Formulas of what predictions say.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A search for formulas samples a skeleton with the answers to decisions that it proposes. A prediction says more: what
// is expected, a bound over all answers, what arguments take. Where one of these is not the skeleton's own figure, its
// formula is looked for among predictions.

#pragma once

#include "libmemshape/prediction/Answer.h"

namespace memshape {

/// Formulas of one figure, each with its domain. An operator may do small shapes in another way than large ones.
struct Cases {
  std::vector<Recovered> All; ///< the first holds for most shapes
  bool Everywhere = true;     ///< what lies in no domain is not refuted
};

/// In the shape symbols. Each may be empty; the first of several holds for most shapes.
struct FigureFormulas {
  Cases Peak;                       ///< heap.peak_bytes: the peak where that is exact, otherwise what is expected
  Cases Upper;                      ///< heap.upper_bytes
  Cases Output;                     ///< heap.output_bytes
  Cases Tensors;                    ///< bytes of all arguments that are built
  Domain Hull;                      ///< the box around what was tried
  Shape Most;                       ///< no formula is to be used beyond these extents: there some is refuted
  bool Bounded = true;              ///< there is an upper bound at each shape that was tried
  bool Exact = true;                ///< each was exact
  unsigned Predictions = 0;         ///< that all formulas agree with
  Prediction Typical;               ///< one of them
  std::unique_ptr<Skeleton> Source; ///< that Typical speaks of
};

/// At settings, threads and answers of Asked, whose shape is not used. Fails where no shape has an answer.
Result<FigureFormulas> figureFormulas(const WholeOperator &Op, const Question &Asked, const Surroundings &Around);

} // namespace memshape
