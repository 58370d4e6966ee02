// How one formula grows beside another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formulas are evaluated, not transformed: they may round, and be the greatest of several polynomials.

#include "libmemshape/check/FormulaGrowth.h"
#include "libmemshape/check/baseline/FormulaText.h"

#include <algorithm>
#include <cmath>

namespace memshape {

namespace {

/// So large that lower terms change the degree by less than a quarter; a product of four still fits a double.
constexpr double Far = 1 << 24;
/// Value of the symbols that are held constant.
constexpr double Usual = 1000;

struct Ray {
  double Degree = 0, Value = 0;
};

Ray along(const std::string &Text, const std::vector<std::string> &Symbols, std::size_t Only) {
  auto At = [&](double Extent) {
    std::vector<double> Values(Symbols.size(), Usual);
    for (std::size_t I = 0; I < Values.size(); ++I)
      if (Only == Symbols.size() || Only == I)
        Values[I] = Extent;
    return std::max(0.0, valueOf(Text, Symbols, Values).value_or(0));
  };
  const double Here = At(Far), Twice = At(2 * Far);
  Ray R;
  R.Value = Here;
  R.Degree = Here > 0 && Twice > 0 ? std::round(4 * std::log2(Twice / Here)) / 4 : 0;
  return R;
}

} // namespace

FormulaGrowth growthFrom(const std::string &Before, const std::string &After, const std::vector<std::string> &Symbols) {
  FormulaGrowth Found;
  // Each symbol alone, and all together.
  for (std::size_t Only = 0; Only <= Symbols.size(); ++Only) {
    const Ray Then = along(Before, Symbols, Only), Now = along(After, Symbols, Only);
    if (Now.Degree > Then.Degree)
      Found.Degree = true;
    else if (Now.Degree == Then.Degree && Now.Value > Then.Value)
      Found.Coefficient = std::max(Found.Coefficient, Then.Value > 0 ? Now.Value / Then.Value : HUGE_VAL);
  }
  return Found;
}

} // namespace memshape
