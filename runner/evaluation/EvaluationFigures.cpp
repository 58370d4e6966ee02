// What an evaluation came to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/evaluation/Evaluation.h"

#include <algorithm>

using namespace memshape;

/// Bytes of the last call; FirstPeak is that of the call before it.
void Evaluation::takeHeap(EvaluationFigures &Figures, std::int64_t FirstPeak) {
  const Accounting::SpaceFigures Asked = Memory.Figures.figures(Space);
  Figures.Peak = Asked.Peak;
  Figures.Total = Asked.Total;
  Figures.Output = Asked.Live;
  Figures.OneTime = std::max<std::int64_t>(0, FirstPeak - Asked.Peak);
  Figures.Least = Asked.Sure;
  // Where only an earlier call has met teams, they may have decided everything.
  const std::int64_t BeforeTeams = Threads.metMoreBefore() ? 0 : InCall.BeforeTeams.value_or(Asked.Sure);
  // What a thread frees of others, its own account has not.
  Figures.Undecided = std::max<std::int64_t>(0, std::min(InCall.Decided ? InCall.Undecided : Asked.Sure, BeforeTeams));
  Figures.Most = Asked.Peak + (Space == 0 ? Threads.unlikelyBytes() : 0);
  Figures.Threads = Threads.asked() ? Threads.given() : 0;
  Figures.Teams = {Threads.regions(),   Threads.widest(),      Threads.largest(),
                   Threads.metNested(), Threads.askedCaller(), Threads.haveOwnVariables()};
  Figures.Varies = Memory.Figures.varies() || Asked.Slack != 0;
  Figures.Allocations = Asked.Allocations;
  Figures.Reallocations = Asked.Reallocations;
  if (Space != 0)
    return;
  Figures.Touched = Memory.Touched.blocks();
  Figures.TouchedWithTensors = Memory.Touched.blocksAndTensors();
  Figures.Kept = Memory.Touched.kept();
}

/// What each space and site held; of one shape among many, the sites' requests are nobody's question.
void Evaluation::takeSites(EvaluationFigures &Figures, bool OneOfMany) {
  for (unsigned Each = 0; Each < SpaceNames.size(); ++Each)
    if (const std::int64_t Peak = Memory.Figures.figures(Each).Peak; Peak || Each == 0)
      Figures.SpacePeaks.push_back({Each, Peak});
  addSites(Figures);
  if (!OneOfMany)
    for (std::int32_t Site = LibrarySite; const Accounting::SiteRequests &Asked : Memory.Figures.requests()) {
      if (Asked.Times)
        Figures.Requests.push_back({Site, Asked.Bytes, Asked.Times, Memory.Figures.live(Site), Asked.Reallocations});
      ++Site;
    }
}

void Evaluation::takeDecisions(EvaluationFigures &Figures) const {
  for (std::size_t Id = 0; Id < Decisions.size(); ++Id) {
    const DecisionState &Decision = Decisions[Id];
    if (!Decision.Asked)
      continue;
    Figures.Decisions.push_back({std::uint32_t(Id), Decision.Asked, Decision.Ones});
    if (Decision.IsValue)
      Figures.Values.push_back({std::uint32_t(Id), Decision.Least, Decision.Greatest});
  }
}

/// What it met by the way. EndsOfFirst: places where the first call may have ended.
void Evaluation::takeMet(EvaluationFigures &Figures, std::uint32_t EndsOfFirst) const {
  if (EndsOfFirst || InCall.Ends)
    Figures.MayEnd = {EndsOfFirst, InCall.Ends};
  Figures.FloatEvents = InRequest.FloatEvents;
  Figures.Compared = InRequest.Compared;
  Figures.Unknowns = InCall.Unknowns;
  Figures.UnknownsOfArguments = InCall.UnknownsOfArguments;
  Figures.Resized = InCall.Resized;
  Figures.Recalled = InRequest.Recalled;
  Figures.Recalled.insert(Figures.Recalled.end(), InCall.Recalled.begin(), InCall.Recalled.end());
  Figures.Endless = InRequest.Endless;
  Figures.Wraps = InRequest.Wraps;
}

/// What was live over the call, step by step.
void Evaluation::takeSteps(EvaluationFigures &Figures) const {
  for (std::size_t I = 0; I < Steps.size(); ++I) {
    const LiveSteps::Step Step = Steps[I];
    EvaluationFigures::Step &Out = Figures.Steps.emplace_back(Step.Event, Step.Site, Step.Change, Step.Live);
    for (std::size_t Site = 0; Site < Steps.sites(); ++Site)
      if (Step.Held[Site])
        Out.Held.push_back({std::int32_t(std::int64_t(Site) - 1), Step.Held[Site]});
  }
  Figures.Events = Steps.events();
  Figures.EventsPerStep = Steps.each();
}
