// What the baseline of an operator is made of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/check/baseline/Baseline.h"
#include "libmemshape/formulas/FormulaSearch.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/skeletons/Evaluator.h"
#include "libmemshape/skeletons/Skeleton.h"
#include "model/formula/Formula.h"

namespace memshape {

/// Fills the formulas of Now, whose rows are known. A formula is kept only if it agrees with every row.
class KnownFormulas {
public:
  /// Before: the operator in the baseline; may be null.
  KnownFormulas(const Skeleton &S, const BaselineOperator *Before, BaselineOperator &Now)
      : S(S), Before(Before), Now(Now) {}

  /// True if all formulas of the baseline hold at the rows and at many other shapes. A slow skeleton is asked at fewer
  /// shapes, whose number does not depend on the load of the machine.
  bool confirm(const Question &Asked, Evaluator &Evaluate);
  /// Takes the results of a search for figures without a confirmed formula, if they can be confirmed later.
  void take(const FormulaSet &Found, const Question &Asked, Evaluator &Evaluate);
  /// Drops formulas of sites that do not agree with the rows.
  void checkSites();

private:
  bool holdsAtRows(const std::string &Text, std::size_t Figure) const;
  /// Checks Now's formulas at probes inside Now.Where, and drops those that do not hold.
  bool holdAtProbes(const Question &Asked, Evaluator &Evaluate);

  const Skeleton &S;
  const BaselineOperator *Before;
  BaselineOperator &Now;
};

/// A small, a medium and a large shape, none with all extents equal, at which the operator returns; fewer if there are
/// none. They depend on the operator alone, not on the machine or its load.
std::vector<std::vector<std::int64_t>> chooseShapes(const Skeleton &S, const Question &Asked, Evaluator &Evaluate);

/// Shapes that are long, or short, in one symbol alone, for an operator without a closed form: if the peak is the
/// greatest of several phases, each phase may be the greatest at another shape. None if there is only one symbol.
std::vector<std::vector<std::int64_t>> stretchedShapes(const Skeleton &S, const Question &Asked, Evaluator &Evaluate);

/// Formulas are found on shapes up to this extent.
constexpr std::int64_t LargestProbed = 2000;

/// Shapes inside Where (one range per symbol) at which a formula is confirmed, small ones first; the same on every
/// machine.
std::vector<std::vector<std::int64_t>> probeShapes(const Domain &Where);

/// The range of the operator's shape symbols, up to LargestProbed.
Domain probedDomain(const Skeleton &S);

/// The absolute path of File, which the operator's unit names, if it is known.
std::string wholePath(const Skeleton &S, const std::string &File);

/// Sites that request something at one of Rows, most bytes first. Sites with the same place and code are one.
std::vector<BaselineSite> siteTable(const Skeleton &S, const std::vector<Footprint> &Rows, const FormulaSet &Formulas);

/// Decisions that were asked at one of Rows, one for each place.
std::vector<BaselineDecision> decisionTable(const Skeleton &S, const std::vector<Footprint> &Rows);

/// "[NAME:]a=1,b=2" for --shape and "[NAME:]x=1.5" for --set. Without NAME, a shape is for every operator with exactly
/// these symbols, and a setting for every operator that has it.
class GivenArguments {
public:
  /// Fails for arguments that fit no operator.
  static Result<GivenArguments> read(const std::vector<std::string> &Shapes, const std::vector<std::string> &Settings,
                                     const std::vector<Skeleton> &Skeletons, const std::vector<std::string> &Names);

  std::vector<std::vector<std::int64_t>> shapes(const std::string &Name, const Skeleton &S) const;
  std::optional<double> setting(const std::string &Name, const std::string &Setting) const;

private:
  struct Assignment {
    std::string Operator; ///< empty: any
    GivenValues Values;
  };
  static Result<Assignment> split(const std::string &Text, const char *Option);
  static bool fits(const Assignment &A, const std::string &Name, const Skeleton &S);

  std::vector<Assignment> Shapes, Settings;
};

} // namespace memshape
