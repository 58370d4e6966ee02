// Chunks for a job, and why these.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/planning/Planner.h"

#include <algorithm>
#include <array>
#include <utility>

namespace memshape::planning {

Binding greatestPart(const WorkerParts &Worker) {
  if (Worker.at_end() > Worker.during())
    return Binding::gathered;
  const std::array<std::pair<std::uint64_t, Binding>, 5> Parts = {{{Worker.operators, Binding::operators},
                                                                   {add(Worker.inputs, Worker.copies), Binding::inputs},
                                                                   {Worker.blocks, Binding::blocks},
                                                                   {Worker.results, Binding::results},
                                                                   {Worker.held, Binding::held}}};
  return std::max_element(Parts.begin(), Parts.end(), [](const auto &A, const auto &B) { return A.first < B.first; })
      ->second;
}

/// Of the grids with one step fewer chunks along one axis, the one that would take least beyond the limit.
static std::optional<LargerChunks> nextLarger(const ChunkRequest &P, const Grid &Chosen) {
  std::optional<LargerChunks> Next;
  for (std::size_t I = 0; I < Chosen.size(); ++I) {
    Grid G = Chosen;
    // Alignment may forbid some numbers.
    do
      --G[I];
    while (G[I] > 1 && !chunksOf(P.axes[I], G[I]));
    if (G[I] < 1)
      continue;
    const std::optional<WorkerParts> Worker = workerOf(P, G);
    if (Worker && (!Next || Worker->total() < Next->worker_bytes))
      Next = {G, *tasksOf(G), Worker->total()};
  }
  return Next;
}

static std::optional<ChunkPlan> planWith(const ChunkRequest &P, Source From) {
  const Fewest Least = fewestTasks(P);
  if (!Least.Of)
    return std::nullopt;
  ChunkPlan Out;
  Out.grid = bestGrid(P, Least);
  for (std::size_t I = 0; I < P.axes.size(); ++I)
    Out.chunks.push_back(*chunksOf(P.axes[I], Out.grid[I]));
  Out.tasks = *tasksOf(Out.grid);
  Out.fewest_tasks = Least.Tasks;
  Out.lower_bound = std::max<std::int64_t>(Least.LowerBound, 1);
  Out.complete = Least.Complete;
  LargestTask Largest = *largestTask(P, Out.grid);
  Out.largest_task = std::move(Largest.Extents);
  Out.largest_bytes = Largest.Bytes;
  const Job J = jobOf(P, Out.grid, Out.tasks);
  Out.upper = workerBytes(P, J, Largest.Bytes, true);
  Out.expected = workerBytes(P, J, Largest.Bytes, false);
  Out.source = From;
  Out.next_larger = nextLarger(P, Out.grid);
  if (Out.tasks == 1)
    Out.binding = Binding::nothing;
  else if (Out.fewest_tasks == 1 || (Out.next_larger && Out.next_larger->worker_bytes <= P.limit_bytes))
    Out.binding = Binding::parallelism;
  else
    Out.binding = greatestPart(Out.upper);
  return Out;
}

std::optional<v1::Error> wrongWith(const ChunkRequest &P) {
  const auto Wrong = [](const std::string &What) { return v1::Error{v1::ErrorCode::arguments, What}; };
  if (P.axes.empty())
    return Wrong("there is no extent to split");
  for (const Axis &Each : P.axes) {
    const std::string Name = Each.name.empty() ? "an axis" : "'" + Each.name + "'";
    if (Each.extent < 1)
      return Wrong(Name + " has no elements: there is nothing to split");
    if (Each.halo < 0)
      return Wrong("the halo of " + Name + " is negative");
    if (Each.align < 1)
      return Wrong("the alignment of " + Name + " is below 1: " + Each.name + "=" + std::to_string(Each.align));
    if (Each.halo > Each.extent)
      return Wrong("the halo of " + Name + ", " + std::to_string(Each.halo) + ", is longer than the axis, " +
                   std::to_string(Each.extent) + ": no chunk is shorter than its halo");
  }
  constexpr std::int64_t Most = 1'000'000'000;
  if (P.workers < 1 || P.threads < 1 || P.max_tasks < 1 || P.workers > Most || P.threads > Most)
    return Wrong(
        "workers, threads and tasks are at least 1 (--workers, --threads, --max-tasks), workers and threads at "
        "most " +
        std::to_string(Most));
  return std::nullopt;
}

std::optional<ChunkPlan> plan(const ChunkRequest &Given) {
  ChunkRequest P = Given;
  for (Source From : {Source::blocks, Source::storage})
    if (From == Given.source.value_or(From)) {
      P.source = From;
      std::optional<ChunkPlan> Found = planWith(P, From);
      if (!Found)
        continue;
      if (!Given.source && From == Source::storage && readsNeighbours(P, Found->grid))
        Found->notes.push_back(
            {"halo_from_storage",
             "each task has to read its chunk and the halo from storage: an engine that cuts halos out of blocks keeps "
             "a worker's share of the input besides, for which there is no room"});
      return Found;
    }
  return std::nullopt;
}

std::optional<std::uint64_t> leastLimit(const ChunkRequest &Given) {
  ChunkRequest P = Given;
  P.source = Given.source.value_or(Source::storage);                         // takes less
  P.most_evaluations = std::min<std::uint64_t>(P.most_evaluations, 100'000); // some dozens of limits are tried
  const auto Holds = [&](std::uint64_t Limit) {
    P.limit_bytes = Limit;
    return fewestTasks(P).Of.has_value();
  };
  if (!Holds(MostBytes))
    return std::nullopt;
  std::uint64_t Low = 0, High = MostBytes;
  // The finest grid takes least, or nearly so: the limit is looked for right below.
  Grid Finest;
  for (const Axis &Each : P.axes)
    Finest.push_back(mostChunks(Each));
  if (const std::optional<WorkerParts> Worker = workerOf(P, Finest); Worker && Holds(Worker->total())) {
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
