// Evaluators and skeletons for tests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/prediction/Bounds.h"
#include "libmemshape/skeletons/Evaluator.h"
#include "libmemshape/skeletons/Skeleton.h"

#include <functional>
#include <tuple>

namespace memshape::test {

/// An evaluator that is a function.
class FunctionEvaluator final : public Evaluator {
public:
  explicit FunctionEvaluator(std::function<Footprint(const Question &)> F) : F(std::move(F)) {}
  Result<Footprint> evaluate(const Question &Asked) override {
    ++Count;
    return F(Asked);
  }
  unsigned Count = 0;

private:
  std::function<Footprint(const Question &)> F;
};

inline Footprint footprint(std::uint64_t Peak) {
  Footprint F;
  F.Outcome = Footprint::Status::Ok;
  F.Peak = F.Total = Peak;
  F.Allocations = 1;
  F.Microseconds = 2.5;
  return F;
}

/// An operator with shape symbols of 64 bits.
inline Skeleton withSymbols(const std::string &Name, const std::vector<std::string> &Symbols,
                            std::vector<SkeletonDecision> Decisions = {}) {
  Skeleton S;
  S.Decisions = std::move(Decisions);
  S.Operator = Name;
  S.Symbol = Name;
  S.Available = true;
  for (const std::string &Symbol : Symbols)
    S.Parameters.push_back({Symbol, Role::Shape, 64, true});
  return S;
}

inline SkeletonDecision branchAt(std::uint32_t Line, bool InLoop = false) {
  SkeletonDecision D;
  D.Place = {"LLT.h", "unblocked", Line, 11};
  D.Condition = "x <= 0";
  D.Effect = DecisionEffect::EndsLoop;
  D.InLoop = InLoop;
  return D;
}

/// Exact, lower, upper.
using Figures = std::tuple<bool, std::uint64_t, std::optional<std::uint64_t>>;
inline Figures figures(const Bounds &Of) { return {Of.Exact, Of.Lower, Of.Upper}; }

/// The answer that a question gives a decision, or the proposed one.
inline std::uint32_t answer(const Question &Asked, std::uint32_t Id, std::uint32_t Proposed) {
  auto Place = Asked.Branches.find(Id);
  return Place == Asked.Branches.end() ? Proposed : Place->second;
}

} // namespace memshape::test
