//===- FormulaGrowth.h - How one formula grows beside another ------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_CHECK_FORMULAGROWTH_H
#define MEMSHAPE_TOOLS_CHECK_FORMULAGROWTH_H

#include <string>
#include <vector>

namespace memshape {

/// Far from the origin, where the highest terms are all that counts.
struct FormulaGrowth {
  bool Degree = false;    ///< faster in some symbol, or in all at once
  double Coefficient = 1; ///< greatest ratio of the two where the degree is the same
};

/// Both in Symbols, as text.
FormulaGrowth growthFrom(const std::string &Before, const std::string &After, const std::vector<std::string> &Symbols);

} // namespace memshape

#endif // MEMSHAPE_TOOLS_CHECK_FORMULAGROWTH_H
