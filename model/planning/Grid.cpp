// How many chunks each axis gets, and what the largest task takes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/planning/Grid.h"

namespace memshape::planning {

std::optional<std::int64_t> tasksOf(const Grid &G) {
  std::int64_t Tasks = 1;
  for (std::int64_t Count : G)
    if (__builtin_mul_overflow(Tasks, Count, &Tasks) || Tasks > (INT64_C(1) << 62))
      return std::nullopt;
  return Tasks;
}

bool readsNeighbours(const ChunkRequest &P, const Grid &G) {
  for (std::size_t I = 0; I < G.size(); ++I)
    if (G[I] > 1 && P.axes[I].halo > 0)
      return true;
  return false;
}

Job jobOf(const ChunkRequest &P, const Grid &G, std::int64_t Tasks) {
  return {Tasks, readsNeighbours(P, G), P.input_bytes, P.output_bytes};
}

std::optional<LargestTask> largestTask(const ChunkRequest &P, const Grid &G) {
  if (P.monotone) {
    LargestTask Longest;
    Longest.Extents.reserve(G.size());
    for (std::size_t I = 0; I < G.size(); ++I) {
      const std::optional<std::int64_t> Length = longestTask(P.axes[I], G[I]);
      if (!Length)
        return std::nullopt;
      Longest.Extents.push_back(*Length);
    }
    Longest.Bytes = P.task(Longest.Extents);
    return Longest;
  }
  std::vector<std::vector<std::int64_t>> Extents(G.size());
  for (std::size_t I = 0; I < G.size(); ++I) {
    const std::optional<std::vector<ChunkRun>> Chunks = chunksOf(P.axes[I], G[I]);
    if (!Chunks)
      return std::nullopt;
    Extents[I] = taskExtents(P.axes[I], *Chunks);
  }
  std::optional<LargestTask> Largest;
  std::vector<std::size_t> At(G.size(), 0);
  for (;;) {
    std::vector<std::int64_t> Task(G.size());
    for (std::size_t I = 0; I < G.size(); ++I)
      Task[I] = Extents[I][At[I]];
    const TaskBytes Bytes = P.task(Task);
    if (!Largest || add(Bytes.upper, Bytes.input) > add(Largest->Bytes.upper, Largest->Bytes.input))
      Largest = {Task, Bytes};
    std::size_t I = 0;
    while (I < G.size() && ++At[I] == Extents[I].size())
      At[I++] = 0;
    if (I == G.size())
      return Largest;
  }
}

std::optional<WorkerParts> workerOf(const ChunkRequest &P, const Grid &G, bool Upper) {
  const std::optional<std::int64_t> Tasks = tasksOf(G);
  const std::optional<LargestTask> Largest = Tasks ? largestTask(P, G) : std::nullopt;
  if (!Largest)
    return std::nullopt;
  return workerBytes(P, jobOf(P, G, *Tasks), Largest->Bytes, Upper);
}

bool fits(const ChunkRequest &P, const Grid &G) {
  const std::optional<std::int64_t> Tasks = tasksOf(G);
  if (!Tasks || *Tasks > P.max_tasks)
    return false;
  const std::optional<WorkerParts> Worker = workerOf(P, G);
  return Worker && Worker->total() <= P.limit_bytes;
}

} // namespace memshape::planning
