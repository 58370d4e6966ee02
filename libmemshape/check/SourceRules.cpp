// Rules about the source alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/check/SourceRules.h"
#include "libmemshape/check/BaselineParts.h"
#include "libmemshape/processes/Workers.h"
#include "libmemshape/text/Try.h"
#include "libmemshape/wraps/FirstWraps.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace memshape {

namespace {

/// For all shapes of one operator.
constexpr std::chrono::milliseconds Budget{5000};

bool isFound(const SizeWrap &Wrap) { return Wrap.Bits < 64; }

Finding findingOf(const Skeleton &S, const FirstWrap &First) {
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

/// One finding for each line of the operator whose sizes wrap, with the smallest shape, but for integers of 64 bits: no
/// memory has the shapes at which they wrap.
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

struct SourceRule {
  std::string_view Id;
  std::vector<Finding> (*Find)(const Skeleton &Stored, const Surroundings &Around);
};
constexpr SourceRule SourceRules[] = {{SizeWrapsRule, sizesThatWrap}, {ContractRule, contractsOf}};

} // namespace

bool isSourceRule(std::string_view Rule) {
  return std::ranges::find(SourceRules, Rule, &SourceRule::Id) != std::end(SourceRules);
}

Result<Comparison> checkSource(const Surroundings &Around, const std::function<bool(std::string_view Rule)> &Wanted) {
  Comparison Out;
  if (std::ranges::none_of(SourceRules, Wanted, &SourceRule::Id))
    return Out;
  MEMSHAPE_TRY(std::vector<Skeleton> Skeletons, skeletonsOf(Around.Files));
  for (const SourceRule &Rule : SourceRules) {
    if (!Wanted(Rule.Id))
      continue;
    std::vector<std::vector<Finding>> Found(Skeletons.size());
    std::vector<std::size_t> Order(Skeletons.size());
    std::iota(Order.begin(), Order.end(), 0);
    forEachAtOnce(Order, availableWorkers(), [&](std::size_t I) { Found[I] = Rule.Find(Skeletons[I], Around); });
    Comparison OfRule;
    OfRule.Operators = Skeletons.size();
    for (std::vector<Finding> &Each : Found)
      std::ranges::move(Each, std::back_inserter(OfRule.Findings));
    if (Rule.Id == ContractRule)
      OfRule.Contracts = OfRule.Findings.size();
    Out.add(OfRule);
  }
  return Out;
}

} // namespace memshape
