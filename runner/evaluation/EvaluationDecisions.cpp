// Answers to decisions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers that a request gives, and answers that are chosen where it gives none.

#include "runner/evaluation/Evaluation.h"

#include "runner/evaluation/Exploration.h"
#include "runner/protocol/Ending.h"

#include <algorithm>
#include <memshape/SkeletonAbi.h>

using namespace memshape;

/// A loop that asks more often than this is taken to be endless.
constexpr std::uint64_t MaxAsked = std::uint64_t(1) << 32;
/// Iterations of a loop that only another answer ends may be long, so the work limit is checked after so many
/// proposals.
constexpr std::uint64_t ProposalsAtOnce = std::uint64_t(1) << 14;
constexpr std::int64_t ProposalWork = 500'000 * WorkPerMicrosecond;

/// The answer to a decision that is asked for the Time-th time, from 1.
static std::uint32_t answerOf(BranchAnswer How, std::uint64_t Time, std::uint64_t Ones) {
  switch (How) {
  case BranchAnswer::No: return 0;
  case BranchAnswer::Yes: return 1;
  case BranchAnswer::InTurns: return std::uint32_t(Time & 1);
  case BranchAnswer::AtRandom: return std::uint32_t((Time * 0x9e3779b97f4a7c15) >> 63); // the same at each evaluation
  case BranchAnswer::YesAtFirst: return Time == 1;
  case BranchAnswer::NoAtFirst: return Time != 1;
  case BranchAnswer::YesSoOften: return Time <= Ones;
  }
  return 0;
}

/// A pseudo-random bit per decision and time, so that all combinations of several decisions occur.
static std::uint32_t drawn(std::uint32_t Decision, std::uint64_t Time) {
  std::uint64_t Bits = (Time + (std::uint64_t(Decision) << 40)) * 0x9e3779b97f4a7c15;
  Bits = (Bits ^ Bits >> 31) * 0xbf58476d1ce4e5b9;
  return std::uint32_t(Bits >> 63);
}

/// Marks the decisions that need no bookkeeping while they are asked. Proposals: the proposal is the answer where none
/// is given.
void Evaluation::answerSimply(bool Proposals) {
  for (DecisionState &State : Decisions) {
    const bool Same = State.GivenBranch == BranchAnswer::No || State.GivenBranch == BranchAnswer::Yes;
    const std::uint64_t Proposed = !State.GivenBranch && Proposals ? ProposalsAtOnce : 0;
    State.AskedSimply = std::uint32_t(Same ? MEMSHAPE_SK_PROPOSALS : Proposed);
    State.Proposals = Same ? 0 : 1;
    State.Always = State.GivenBranch == BranchAnswer::Yes ? 1 : 0;
  }
}

Evaluation::DecisionState &Evaluation::ask(std::uint32_t Decision) {
  if (Decision >= Decisions.size())
    endWith("error", "the skeleton asks a decision that was not announced");
  DecisionState &State = Decisions[Decision];
  meetDecision();
  if (++State.Asked > MaxAsked)
    endWith("limit", "the skeleton asked one decision 2^32 times: with the answers given it does not end");
  return State;
}

std::uint32_t Evaluation::decideWithCare(std::uint32_t Decision, std::uint32_t Proposed, const DecisionPoint &From) {
  if (Exploring && Decision < Decisions.size() && !Decisions[Decision].GivenBranch)
    return Exploring->decide(Decision, From);
  DecisionState &State = ask(Decision);
  std::uint32_t Answer = Proposed & 1;
  if (State.GivenBranch)
    Answer = answerOf(*State.GivenBranch, State.Asked, State.GivenValue);
  else if (State.Asked > MEMSHAPE_SK_PROPOSALS || (State.Asked > ProposalsAtOnce && workDone() > ProposalWork))
    Answer = drawn(Decision, State.Asked);
  else if (State.AskedSimply && State.Asked > State.AskedSimply)
    State.AskedSimply += std::uint32_t(ProposalsAtOnce);
  if (Exploring && State.Asked > MEMSHAPE_SK_PROPOSALS)
    Exploring->giveUp("an answer that is given leads to no end");
  State.Ones += Answer;
  return Answer;
}

std::uint64_t Evaluation::dataOfArgument(std::uint32_t Number, std::uint64_t Proposed) {
  if (Building)
    isEndless(std::int32_t(Building) - 1);
  const std::uint64_t Time = ++InCall.AskedOfArguments;
  return Time > ProposalsAtOnce ? drawn(Number, Time) : Proposed;
}

std::uint64_t Evaluation::value(std::uint32_t Decision, std::uint64_t Proposed, bool Bounded) {
  DecisionState &State = ask(Decision);
  if (!State.HasValue && !(Bounded && Sizes != SizesFromData::AsAnswered))
    cannotExplore("a size comes from data");
  InCall.Guessed |= !State.HasValue;
  const std::uint64_t Answer = State.HasValue ? State.GivenValue : Proposed;
  State.IsValue = true;
  State.Least = std::min(State.Least, Answer);
  State.Greatest = std::max(State.Greatest, Answer);
  return Answer;
}
