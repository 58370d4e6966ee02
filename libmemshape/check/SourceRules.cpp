// Rules about the source alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/check/SourceRules.h"
#include "libmemshape/check/Contracts.h"
#include "libmemshape/check/SizesThatWrap.h"
#include "libmemshape/processes/Workers.h"
#include "libmemshape/text/Try.h"

#include <algorithm>
#include <numeric>

namespace memshape {

namespace {

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
