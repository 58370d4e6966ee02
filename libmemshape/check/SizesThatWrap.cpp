// Sizes of a build that wrap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/check/SizesThatWrap.h"
#include "libmemshape/check/SiteTable.h"
#include "libmemshape/wraps/FirstWraps.h"

#include <algorithm>
#include <set>

namespace memshape {

/// For all shapes of one operator.
constexpr std::chrono::milliseconds Budget{5000};

static bool isFound(const SizeWrap &Wrap) { return Wrap.Bits < 64; }

static Finding findingOf(const Skeleton &S, const FirstWrap &First) {
  const SizeWrap &Wrap = S.Wraps[First.Wrap];
  Finding F;
  F.Rule = SizeWrapsRule;
  F.Operator = S.Operator;
  const std::vector<std::string> Symbols = S.shapeSymbols();
  for (std::size_t I = 0; I < Symbols.size(); ++I)
    F.Shape.emplace_back(Symbols[I], First.Shape[I]);
  F.Message = "the size " + (Wrap.Place.Text.empty() ? "" : Wrap.Place.Text + " ") + "wraps: from " +
              shapeText(S, First.Shape) + " on it does not fit " + typeText(Wrap);
  const SourcePlace &Place = Wrap.Place.Line ? Wrap.Place : S.Place;
  F.Place = CodePlace{wholePath(S, Place.File), Place.Function, Wrap.Place.Text, Place.Line, Place.Column};
  return F;
}

std::vector<Finding> sizesThatWrap(const Skeleton &Stored, const Surroundings &Around) {
  const Result<WholeOperator> Whole = wholeOperator(Stored, Around);
  const Skeleton &S = Whole && Whole->Source.Available ? Whole->Source : Stored;
  if (!S.Available || std::none_of(S.Wraps.begin(), S.Wraps.end(), isFound))
    return {};
  SkeletonSession Session(S, runnerOptions(S, Around));
  if (Session.start())
    return {};
  Session.setTimeouts(Budget, Budget);
  Question Asked;
  Asked.Settings.assign(S.parametersOf(Role::Setting).size(), 1);
  std::vector<Finding> Findings;
  std::set<std::pair<std::string, std::uint32_t>> Lines;
  for (const FirstWrap &First : firstWraps(S, Asked, Session))
    if (const SizeWrap &Wrap = S.Wraps[First.Wrap];
        isFound(Wrap) && Lines.insert({Wrap.Place.File, Wrap.Place.Line}).second)
      Findings.push_back(findingOf(S, First));
  return Findings;
}

} // namespace memshape
