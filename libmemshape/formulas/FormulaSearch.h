// Formulas of everything a skeleton accounts for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/formulas/PartFormula.h"
#include "libmemshape/skeletons/Evaluator.h"
#include "libmemshape/skeletons/Skeleton.h"
#include "model/recovery/ModularFit.h"
#include "model/recovery/Recovery.h"

namespace memshape {

class FormulaCache;

/// Formulas in the operator's shape symbols; each member may be missing.
struct FormulaSet {
  /// What the formulas are in: the shape symbols, and sizes from data by their names.
  std::vector<std::string> Symbols;
  Shape Asked; ///< the asked shape in these symbols; empty where there is none
  std::optional<Recovered> Peak, Total, Output, Allocations;
  std::map<std::int64_t, Recovered> Sites; ///< bytes at the peak, by site id
  /// Bytes of what the caller builds, and extents of what it gets, by site id. They are there where the peak follows no law, too.
  std::map<std::int64_t, Recovered> Arguments;
  bool HoldsAtShape = false; ///< the peak's formula was confirmed at the asked shape
  bool OutOfTime = false;
  /// Where libraries that are called for real hold a part of the peak, and that has no closed form.
  std::optional<PartFormula> Part;
  /// Part says more than Peak: that is missing, does not hold, or describes fewer of the symbols. Sites are Part's
  /// then.
  bool prefersPart() const;
};

/// Symbols that a formula leaves at one value.
std::ptrdiff_t heldSymbols(const Domain &Valid);

/// Searches with the settings and assumptions of Asked. Where its Shape is empty the formulas are for shapes in
/// general; otherwise they are those that hold at Shape, or, when the peak has none there, general ones. AtShape is the
/// footprint at Shape, or at a typical shape where that is empty, or null. What was found before comes from Cache.
/// Sizes that come from data (AtShape lists those that were asked for) become symbols of their own.
FormulaSet searchFormulas(const Skeleton &S, const Question &Asked, Evaluator &Evaluate,
                          std::chrono::microseconds Budget, const Footprint *AtShape, const FormulaCache &Cache);

/// Turns formulas for shapes in general into those at the shape At, where Heap is the footprint: what says something else
/// there is left out.
void confirmAt(FormulaSet &Formulas, const Footprint &Heap, const Shape &At);

/// The figures that formulas give at a shape where nothing was run; nothing where the peak has none there.
std::optional<Footprint> extrapolated(const FormulaSet &Formulas, const std::vector<std::int64_t> &At);

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

/// Bytes at a shape, as they were measured: a run costs, so such figures are few, and they are what they are.
struct MeasuredFigure {
  Shape At;
  std::int64_t Bytes = 0;
};

/// The simplest formula on which all figures lie, to the byte, and whose values are whole numbers elsewhere, too; nothing
/// where none is found. Its domain is the box around the shapes. At least SamplesBeyondTerms figures more than terms are
/// needed, and these count as verified.
std::optional<Recovered> formulaThrough(std::size_t Symbols, const std::vector<MeasuredFigure> &Figures);

} // namespace memshape
