//===- SiteTable.h - Sites of a skeleton in the words of a baseline ------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_CHECK_SITETABLE_H
#define MEMSHAPE_TOOLS_CHECK_SITETABLE_H

#include "libmemshape/check/baseline/Baseline.h"
#include "libmemshape/formulas/FormulaSearch.h"

namespace memshape {

/// File, which the operator's unit names, from the root of the file system where that is known.
std::string wholePath(const Skeleton &S, const std::string &File);

/// Sites that request something at one of Rows, most bytes first. Sites that nobody could tell apart are one.
std::vector<BaselineSite> siteTable(const Skeleton &S, const std::vector<Footprint> &Rows, const FormulaSet &Formulas);

/// Decisions that were asked at one of Rows, one for each place.
std::vector<BaselineDecision> decisionTable(const Skeleton &S, const std::vector<Footprint> &Rows);

} // namespace memshape

#endif // MEMSHAPE_TOOLS_CHECK_SITETABLE_H
