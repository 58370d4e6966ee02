// A run that stands for many.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where data decides, one number has to stand for all runs. With each decision answered alike each time it would be
// that of a corner: no sample is picked, or all are. Decisions that are asked again and again are answered by a coin
// instead, the same at each prediction: what takes three of them to be picked is picked in one of eight cases. What
// ends a loop keeps its proposal, which stays as long as something else can end it, and so does what is asked once.

#include "libmemshape/prediction/Methods.h"

#include <algorithm>
#include <set>

namespace memshape {

/// An answer of docs/formats.md, section 4: by a coin that falls alike in every evaluation.
constexpr std::uint32_t ByCoin = 3;
/// Other answers bring other decisions into sight.
constexpr unsigned MostRounds = 4;

/// Statuses that are asked the other way round, and the work that may take: a skeleton is quick, or there is no time.
constexpr unsigned MostStatuses = 64;
constexpr std::uint64_t StatusBudget = 2'000'000; // microseconds

/// A coin may answer it: it is asked again and again, and neither ends a loop nor stands for a call that succeeds.
static bool leftToChance(const SkeletonDecision &Decision, const DecisionUse &Use) {
  const bool EndsLoop = Decision.Effect == DecisionEffect::EndsLoop || Decision.Effect == DecisionEffect::MayEndLoop;
  return !Decision.IsValue && Use.Asked > 1 && !EndsLoop && !Decision.Succeeds;
}

/// It is no branch, and asked once: mostly what a function says of how it went, which its callers ask for.
static bool isStatus(const SkeletonDecision &Decision, const DecisionUse &Use) {
  return !Decision.IsValue && Use.Asked == 1 && Decision.Effect == DecisionEffect::ConditionInSize &&
         !Decision.Succeeds;
}

/// How far a run came: what it requested in all, and what it asked.
static std::pair<std::uint64_t, std::size_t> extentOf(const Footprint &Run) {
  return {static_cast<std::uint64_t>(Run.Total), Run.Decisions.size()};
}

/// A status that says no ends the operator early, and most of it is left out. Each that is met is answered the other
/// way round where the run comes further so, and brings the next one into sight.
static std::optional<Footprint> withStatuses(const Skeleton &S, Question &Next, const Footprint &From,
                                             Evaluator &Evaluate) {
  std::optional<Footprint> Best;
  std::set<std::uint32_t> Tried;
  std::uint64_t Work = 0;
  while (Tried.size() < MostStatuses && Work < StatusBudget) {
    const Footprint &Known = Best ? *Best : From;
    const auto Use = std::find_if(Known.Decisions.begin(), Known.Decisions.end(), [&](const DecisionUse &Each) {
      return Each.Id < S.Decisions.size() && isStatus(S.Decisions[Each.Id], Each) && !Next.Branches.contains(Each.Id) &&
             !Tried.contains(Each.Id);
    });
    if (Use == Known.Decisions.end())
      break;
    Tried.insert(Use->Id);
    Question Other = Next;
    Other.Branches[Use->Id] = Use->Ones ? 0 : 1;
    Result<Footprint> Answer = Evaluate.evaluate(Other);
    if (!Answer || Answer->Outcome == Footprint::Status::Limit || Answer->Outcome == Footprint::Status::Error)
      break;
    Work += Answer->WorkMicroseconds;
    if (Answer->Outcome != Footprint::Status::Ok || extentOf(*Answer) <= extentOf(Known))
      continue;
    Next = std::move(Other);
    Best = std::move(*Answer);
  }
  return Best;
}

std::optional<Footprint> representativeRun(const Skeleton &S, const Question &Asked, const Footprint &Proposed,
                                           Evaluator &Evaluate, Question::Sizes Sizes) {
  Question Next = Asked;
  std::optional<Footprint> Run = withStatuses(S, Next, Proposed, Evaluate);
  bool Changed = false;
  for (std::uint32_t Id = 0; Id < S.Decisions.size(); ++Id)
    if (S.Decisions[Id].Bounded && !Asked.Values.contains(Id)) {
      Next.SizesFromData = Sizes;
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
