// Chunks for a job, and why these.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/planning/Planner.h"

#include <algorithm>
#include <array>
#include <utility>

namespace memshape::planning {

Binding greatestPart(const WorkerBytes &Worker) {
  if (Worker.atEnd() > Worker.during())
    return Binding::Gathered;
  const std::array<std::pair<std::uint64_t, Binding>, 5> Parts = {{{Worker.Operators, Binding::Operators},
                                                                   {add(Worker.Inputs, Worker.Copies), Binding::Inputs},
                                                                   {Worker.Blocks, Binding::Blocks},
                                                                   {Worker.Results, Binding::Results},
                                                                   {Worker.Held, Binding::Held}}};
  return std::max_element(Parts.begin(), Parts.end(), [](const auto &A, const auto &B) { return A.first < B.first; })
      ->second;
}

namespace {

/// Of the grids with one step fewer chunks along one axis, the one that would take least beyond the limit.
std::optional<Larger> nextLarger(const Problem &P, const Grid &Chosen) {
  std::optional<Larger> Next;
  for (std::size_t I = 0; I < Chosen.size(); ++I) {
    Grid G = Chosen;
    // Alignment may forbid some numbers.
    do
      --G[I];
    while (G[I] > 1 && !chunksOf(P.Axes[I], G[I]));
    if (G[I] < 1)
      continue;
    const std::optional<WorkerBytes> Worker = workerOf(P, G);
    if (Worker && (!Next || Worker->total() < Next->WorkerUpper))
      Next = {G, *tasksOf(G), Worker->total()};
  }
  return Next;
}

} // namespace

std::optional<Plan> plan(const Problem &P) {
  const Fewest Least = fewestTasks(P);
  if (!Least.Of)
    return std::nullopt;
  Plan Out;
  Out.Chunks = bestGrid(P, Least);
  Out.Tasks = *tasksOf(Out.Chunks);
  Out.FewestTasks = Least.Tasks;
  Out.LowerBound = std::max<std::int64_t>(Least.LowerBound, 1);
  Out.Complete = Least.Complete;
  Out.Largest = *largestTask(P, Out.Chunks);
  const Job J = jobOf(P, Out.Chunks, Out.Tasks);
  Out.Upper = workerBytes(P.On, J, Out.Largest.Bytes, true);
  Out.Expected = workerBytes(P.On, J, Out.Largest.Bytes, false);
  Out.On = P.On;
  Out.Next = nextLarger(P, Out.Chunks);
  if (Out.Tasks == 1)
    Out.Why = Binding::Nothing;
  else if (Out.FewestTasks == 1 || (Out.Next && Out.Next->WorkerUpper <= P.Limit))
    Out.Why = Binding::Parallelism;
  else
    Out.Why = greatestPart(Out.Upper);
  return Out;
}

std::optional<Plan> planWithEitherSource(Problem P) {
  P.On.From = Source::Blocks;
  if (std::optional<Plan> Blocks = plan(P))
    return Blocks;
  P.On.From = Source::Storage;
  return plan(P);
}

std::optional<std::uint64_t> leastLimit(const Problem &Given) {
  Problem P = Given;
  P.MostEvaluations = std::min<std::uint64_t>(P.MostEvaluations, 100'000); // some dozens of limits are tried
  const auto Holds = [&](std::uint64_t Limit) {
    P.Limit = Limit;
    return fewestTasks(P).Of.has_value();
  };
  if (!Holds(MostBytes))
    return std::nullopt;
  std::uint64_t Low = 0, High = MostBytes;
  // The finest grid takes least, or nearly so: the limit is looked for right below.
  Grid Finest;
  for (const Axis &Each : P.Axes)
    Finest.push_back(mostChunks(Each));
  if (const std::optional<WorkerBytes> Worker = workerOf(P, Finest); Worker && Holds(Worker->total())) {
    High = Worker->total();
    for (std::uint64_t Step = 1; Step < High; Step *= 2) {
      if (!Holds(High - Step)) {
        Low = High - Step;
        break;
      }
      High -= Step;
    }
  }
  while (High > Low + 1) {
    const std::uint64_t Middle = Low + (High - Low) / 2;
    (Holds(Middle) ? High : Low) = Middle;
  }
  return High;
}

} // namespace memshape::planning
