// How one formula grows beside another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>
#include <vector>

namespace memshape {

/// Compares two formulas far from the origin, where only the highest terms count.
struct FormulaGrowth {
  bool Degree = false;    ///< it grows faster in some symbol, or in all together
  double Coefficient = 1; ///< greatest ratio of the two where the degree is the same
};

/// Both formulas are text in Symbols.
FormulaGrowth growthFrom(const std::string &Before, const std::string &After, const std::vector<std::string> &Symbols);

} // namespace memshape
