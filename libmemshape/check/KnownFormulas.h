//===- KnownFormulas.h - Formulas of a baseline, confirmed or replaced ----===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_CHECK_KNOWNFORMULAS_H
#define MEMSHAPE_TOOLS_CHECK_KNOWNFORMULAS_H

#include "libmemshape/check/baseline/Baseline.h"
#include "libmemshape/check/baseline/FormulaText.h"
#include "libmemshape/formulas/FormulaSearch.h"

namespace memshape {

/// Fills the formulas of Now, whose rows are known. A formula is in only if it says what every row says.
class KnownFormulas {
public:
  /// Before: the operator in the baseline; may be null.
  KnownFormulas(const Skeleton &S, const BaselineOperator *Before, BaselineOperator &Now)
      : S(S), Before(Before), Now(Now) {}

  /// True where all formulas of the baseline hold at the rows and at many other shapes; at as many as a slow skeleton
  /// answers for in time, so that they do not come and go with the load of a machine.
  bool confirm(const Question &Asked, Evaluator &Evaluate);
  /// What a search has found, for figures without a confirmed formula, as far as it can be confirmed later.
  void take(const FormulaSet &Found, const Question &Asked, Evaluator &Evaluate);
  /// Formulas of sites that do not say what the rows say are dropped.
  void checkSites();

private:
  bool holdsAtRows(const std::string &Text, std::size_t Figure) const;
  /// Which of Now's formulas hold at probes inside Now.Where; those that do not are dropped.
  bool holdAtProbes(const Question &Asked, Evaluator &Evaluate);

  const Skeleton &S;
  const BaselineOperator *Before;
  BaselineOperator &Now;
};

} // namespace memshape

#endif // MEMSHAPE_TOOLS_CHECK_KNOWNFORMULAS_H
