// One operator, then and now.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/check/Compare.h"

#include <string>
#include <vector>

namespace memshape {

class OperatorComparison {
public:
  /// OtherCompiler: only what an optimiser cannot have caused is an error.
  OperatorComparison(const BaselineOperator &Before, const BaselineOperator &Now, double Tolerance, bool OtherCompiler)
      : Before(Before), Now(Now), Tolerance(Tolerance), OtherCompiler(OtherCompiler) {}

  std::vector<Finding> findings();

private:
  /// How much worse a figure is, in increasing order of severity.
  enum class Grade { Less, Same, Tolerated, Bytes, Coefficient, Degree };

  Grade gradeOf(std::size_t Figure, FigureChange &Change) const;
  Grade gradeOfRows(const std::vector<std::uint64_t> &Then, const std::vector<std::uint64_t> &Today,
                    FigureChange &Change) const;
  bool fails(Grade G, const FigureChange &Change) const;
  void compareFigures();
  void compareSpaces();
  void compareBounds();
  void compareDecisions();
  void add(const char *Rule, Severity How, std::string Message, std::vector<FigureChange> Figures = {},
           std::optional<CodePlace> Place = std::nullopt);

  const BaselineOperator &Before, &Now;
  const double Tolerance;
  const bool OtherCompiler;
  std::vector<Finding> Found;
};

/// Compares two formulas far from the origin, where only the highest terms count.
struct FormulaGrowth {
  bool Degree = false;    ///< it grows faster in some symbol, or in all together
  double Coefficient = 1; ///< greatest ratio of the two where the degree is the same
};

/// Both formulas are text in Symbols.
FormulaGrowth growthFrom(const std::string &Before, const std::string &After, const std::vector<std::string> &Symbols);

} // namespace memshape
