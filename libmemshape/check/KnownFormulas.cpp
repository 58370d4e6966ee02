// Formulas of a baseline, confirmed or replaced.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/check/BaselineParts.h"
#include "libmemshape/formulas/FormulaSampling.h"
#include "model/formula/Expression.h"

#include <algorithm>
#include <cmath>

namespace memshape {

static std::vector<double> asNumbers(const std::vector<std::int64_t> &Shape) { return {Shape.begin(), Shape.end()}; }

/// Formulas are evaluated in double precision: exact below 2^53, and a rounding error above.
static bool agrees(std::optional<double> Value, double Figure) {
  constexpr double Exactly = 9007199254740992.0, Rounding = 1e-12;
  return Value && std::abs(*Value - Figure) <= (Figure < Exactly ? 0.25 : Figure * Rounding);
}

static double figureOf(const FootprintRow &Row, std::size_t Figure) {
  const std::int64_t Figures[FigureCount] = {Row.Peak, Row.Total, Row.Output, Row.Allocations};
  return static_cast<double>(Figures[Figure]);
}

bool KnownFormulas::holdsAtRows(const std::string &Text, std::size_t Figure) const {
  return std::all_of(Now.Rows.begin(), Now.Rows.end(), [&](const BaselineRow &Row) {
    return agrees(valueOf(Text, Now.Symbols, asNumbers(Row.Shape)), static_cast<double>(Row.Figures[Figure]));
  });
}

bool KnownFormulas::holdAtProbes(const Question &Asked, Evaluator &Evaluate) {
  Domain Inside = probedDomain(S);
  for (std::size_t I = 0; I < Now.Symbols.size(); ++I)
    if (auto Found = Now.Where.find(Now.Symbols[I]); Found != Now.Where.end())
      Inside.Ranges[I] = Found->second;
  Inside.Ties = tiesOf(S, Asked, Evaluate);
  const std::vector<std::vector<std::int64_t>> Probes = probeShapes(Inside);
  const FootprintRows Rows = Evaluate.evaluateAt(Asked, Probes);
  bool All = true;
  for (std::size_t I = 0; I < FigureCount; ++I) {
    if (!Now.Formulas[I])
      continue;
    const std::optional<Expression> Read = Expression::parse(*Now.Formulas[I]);
    bool Fits = Read.has_value();
    for (std::size_t K = 0; Fits && K < Rows.size(); ++K) {
      if (!Rows[K])
        continue;
      std::map<std::string, double> At;
      for (std::size_t N = 0; N < Now.Symbols.size(); ++N)
        At[Now.Symbols[N]] = static_cast<double>(Probes[K][N]);
      Fits = agrees(Read->evaluate(At), figureOf(*Rows[K], I));
    }
    if (!Fits) {
      Now.Formulas[I].reset();
      All = false;
    }
  }
  return All;
}

bool KnownFormulas::confirm(const Question &Asked, Evaluator &Evaluate) {
  if (!Before || Before->Symbols.size() != Now.Symbols.size() || !Before->Sizes.empty())
    return false;
  // The same names in another order are the same symbols; renamed ones are matched by position.
  std::vector<std::string> Then = Before->Symbols, Sorted = Now.Symbols;
  std::sort(Then.begin(), Then.end());
  std::sort(Sorted.begin(), Sorted.end());
  const bool SameNames = Then == Sorted;
  bool Any = false, All = true;
  for (std::size_t I = 0; I < FigureCount; ++I)
    if (Before->Formulas[I]) {
      std::string Text = SameNames ? *Before->Formulas[I] : renamed(*Before->Formulas[I], Before->Symbols, Now.Symbols);
      if (holdsAtRows(Text, I))
        Now.Formulas[I] = std::move(Text);
      else
        All = false;
      Any |= Now.Formulas[I].has_value();
    }
  for (std::size_t I = 0; I < Now.Symbols.size(); ++I)
    if (auto Found = Before->Where.find(Before->Symbols[I]); Found != Before->Where.end())
      Now.Where[SameNames ? Before->Symbols[I] : Now.Symbols[I]] = Found->second;
  return (!Any || Now.Symbols.empty() || holdAtProbes(Asked, Evaluate)) && All;
}

void KnownFormulas::take(const FormulaSet &Found, const Question &Asked, Evaluator &Evaluate) {
  const std::optional<Recovered> *Figures[FigureCount] = {&Found.Peak, &Found.Total, &Found.Output, &Found.Allocations};
  const bool InShapeAlone = Found.Symbols.size() <= Now.Symbols.size();
  const Domain Whole = probedDomain(S);
  bool Any = false;
  for (std::size_t I = 0; I < FigureCount; ++I) {
    if (Now.Formulas[I] || !*Figures[I])
      continue;
    const Recovered &Formula = **Figures[I];
    std::string Text = Formula.Value.str(Found.Symbols);
    if (InShapeAlone && !holdsAtRows(Text, I))
      continue;
    // All formulas share one domain: the intersection.
    std::map<std::string, Range> Cut = Now.Where;
    bool Empty = false;
    for (std::size_t N = 0; N < Now.Symbols.size() && N < Formula.Valid.Ranges.size(); ++N) {
      const Range All = Whole.Ranges[N], Valid = Formula.Valid.Ranges[N];
      if (Valid.Low <= All.Low && Valid.High >= All.High)
        continue;
      Range &Kept = Cut.try_emplace(Now.Symbols[N], All).first->second;
      Kept = {std::max(Kept.Low, Valid.Low), std::min(Kept.High, Valid.High)};
      Empty |= Kept.Low > Kept.High;
    }
    if (Empty)
      continue;
    Now.Where = std::move(Cut);
    Now.Formulas[I] = std::move(Text);
    Any = true;
  }
  if (Any && InShapeAlone && !Now.Symbols.empty())
    holdAtProbes(Asked, Evaluate);
  // Symbols that no formula contains need no names.
  const bool None =
      std::none_of(std::begin(Now.Formulas), std::end(Now.Formulas), [](const auto &F) { return F.has_value(); });
  if (None)
    Now.Where.clear();
  else if (!InShapeAlone)
    Now.Sizes.assign(Found.Symbols.begin() + std::ssize(Now.Symbols), Found.Symbols.end());
}

void KnownFormulas::checkSites() {
  if (!Now.Sizes.empty())
    return;
  for (BaselineSite &Site : Now.Sites)
    for (std::size_t I = 0; Site.Formula && I < Now.Rows.size(); ++I)
      if (!agrees(valueOf(*Site.Formula, Now.Symbols, asNumbers(Now.Rows[I].Shape)), static_cast<double>(Site.Held[I])))
        Site.Formula.reset();
}

} // namespace memshape
