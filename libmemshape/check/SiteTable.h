// The sites of a skeleton, for a baseline.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/check/baseline/Baseline.h"
#include "libmemshape/formulas/FormulaSearch.h"

namespace memshape {

/// The absolute path of File, which the operator's unit names, if it is known.
std::string wholePath(const Skeleton &S, const std::string &File);

/// Sites that request something at one of Rows, most bytes first. Sites with the same place and code are one.
std::vector<BaselineSite> siteTable(const Skeleton &S, const std::vector<Footprint> &Rows, const FormulaSet &Formulas);

/// Decisions that were asked at one of Rows, one for each place.
std::vector<BaselineDecision> decisionTable(const Skeleton &S, const std::vector<Footprint> &Rows);

} // namespace memshape
