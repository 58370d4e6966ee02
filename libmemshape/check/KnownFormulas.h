// Formulas of a baseline, confirmed or replaced.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/check/baseline/Baseline.h"
#include "libmemshape/formulas/FormulaSearch.h"

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

} // namespace memshape
