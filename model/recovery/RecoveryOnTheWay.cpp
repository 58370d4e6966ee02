// The law on the way to a large shape.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Few evaluations, each of which may take long, at shapes that resemble the one in question: Way.h. What is found holds
// up to the largest shape that could be evaluated, and is used beyond.

#include "model/recovery/Recovery.h"
#include "model/recovery/Rounding.h"

#include <algorithm>

namespace memshape {

/// Extents from which the way is followed.
constexpr double FirstExtent = 16;
constexpr double UsualSlack = 1.5;
/// The law of a symbol that takes fewer values than this is nobody's to tell.
constexpr std::int64_t LeastTop = 40;
/// Steps from what is cheap to what can just be evaluated.
constexpr double Step = 2, LastStep = 1.4142135623730951;
/// How far an axis is looked along for roundings.
constexpr std::int64_t AxisLength = 60;

/// The longest shapes that can be evaluated often, and those that can be evaluated at all.
void Recovery::chooseWay() {
  const Way &To = Options.Toward;
  const auto Longest = static_cast<double>(To.longest());
  bool Growing = true;
  auto Reaches = [&](double Share) {
    const Shape At = To.at(Share);
    const std::optional<std::int64_t> Cost = Sample(At, Options.CostFigure);
    if (!Cost)
      return false;
    Growing = Growing && *Cost <= Options.MaxCost.count();
    if (Growing)
      Top = Share;
    else
      Far.push_back(At);
    Reached = Share;
    return true;
  };
  double Share = std::min(1.0, FirstExtent / std::max(1.0, Longest));
  for (; Share < 1 && !Sample.outOfTime(); Share *= Step)
    if (!Reaches(Share) && Reached > 0)
      break; // small shapes may be too small for the operator
  if (Reached > 0 && Share / LastStep < 1)
    Reaches(Share / LastStep);
  narrowWay(Options.WaySpan, UsualSlack);
}

void Recovery::narrowWay(double Span, double Slack) {
  Options.Toward.setSlack(Slack);
  Options.WaySpan = Span;
  const Shape Least = Options.Toward.at(Top / Span), Most = Options.Toward.at(Top);
  Whole.Ranges.clear();
  for (std::size_t I = 0; I < Symbols; ++I)
    Whole.Ranges.push_back({Options.Toward.isHeld(I) ? Most[I] : Least[I], Most[I]});
}

bool Recovery::hasWay() const {
  if (Top <= 0)
    return false;
  for (std::size_t I = 0; I < Symbols; ++I)
    if (!Options.Toward.isHeld(I) && Whole.Ranges[I].High < LeastTop)
      return false;
  return Options.Toward.longest() > 0;
}

Shape Recovery::drawIn(ShapeSource &Source, const Domain &Box) const {
  return Options.Toward.empty() ? Source.draw(Box) : Options.Toward.draw(Source, Top / Options.WaySpan, Top);
}

std::vector<Shape> Recovery::basesOnTheWay() const {
  std::vector<Shape> Found;
  for (double Share : {0.6, 0.35, 0.2, 0.1})
    if (Share * Options.WaySpan >= 1)
      Found.push_back(Options.Toward.at(Share * Top));
  return Found;
}

std::optional<Recovered> Recovery::searchOnTheWay(Quest &For) {
  const std::size_t Index = For.Index;
  const Region &Where = For.Where;
  std::vector<SymbolUse> &Uses = For.Uses;
  std::vector<Shape> &Explored = For.Explored;
  std::optional<Recovered> Found = propose(Index, Where, Uses, false, Explored);
  bool Rounded = false;
  for (std::size_t I = 0; I < Symbols && !Found && !Sample.outOfTime(); ++I) {
    if (!Where.isFree(I))
      continue;
    const Shape Start = Options.Toward.at(Top / 3);
    const AxisFinding Axis =
        lookAlong(I, Start, std::min(Options.Toward.end()[I], Start[I] + AxisLength), Index, Sample);
    if (Axis.Kind != AxisKind::Rounded)
      continue;
    Uses[I].Rounding = Axis.Use.Rounding;
    Rounded = true;
  }
  if (Rounded)
    Found = propose(Index, Where, Uses, false, Explored);
  // It was not found so far out, but has to hold there.
  if (Found && std::all_of(Far.begin(), Far.end(), [&](const Shape &At) { return holdsAt(Found->Value, At, Index); }))
    return Found;
  return std::nullopt;
}

} // namespace memshape
