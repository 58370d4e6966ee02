//===- Representative.cpp - A run that stands for many --------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/prediction/Representative.h"

#include <algorithm>

namespace memshape {

namespace {

/// An answer of docs/formats.md, section 4: by a coin that falls alike in every evaluation.
constexpr std::uint32_t ByCoin = 3;
/// Other answers bring other decisions into sight.
constexpr unsigned MostRounds = 4;

/// A coin may answer it: it is asked again and again, and neither ends a loop nor stands for a call that succeeds.
bool leftToChance(const SkeletonDecision &Decision, const DecisionUse &Use) {
  const auto Says = [&](const char *Word) { return Decision.Effect.find(Word) != std::string::npos; };
  return !Decision.IsValue && Use.Asked > 1 && !Says("loop") && !Says("succeed");
}

} // namespace

std::optional<Footprint> representativeRun(const Skeleton &S, const Question &Asked, const Footprint &Proposed,
                                           Evaluator &Evaluate) {
  Question Next = Asked;
  std::optional<Footprint> Run;
  bool Changed = false;
  for (std::uint32_t Id = 0; Id < S.Decisions.size(); ++Id)
    if (S.Decisions[Id].Bounded && !Asked.Values.contains(Id)) {
      Next.SizesFromData = Question::Sizes::Middle;
      Changed = true;
    }
  for (unsigned Round = 0; Round < MostRounds; ++Round) {
    const std::size_t Before = Next.Branches.size();
    for (const DecisionUse &Use : (Run ? *Run : Proposed).Decisions)
      if (Use.Id < S.Decisions.size() && leftToChance(S.Decisions[Use.Id], Use))
        Next.Branches.emplace(Use.Id, ByCoin);
    if (Next.Branches.size() == Before && !Changed)
      break;
    Changed = false;
    Result<Footprint> Answer = Evaluate.evaluate(Next);
    if (!Answer || Answer->Outcome != Footprint::Status::Ok)
      return std::nullopt;
    Run = std::move(*Answer);
  }
  return Run;
}

} // namespace memshape
