// One axis in chunks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/planning/Grid.h"

#include <algorithm>

namespace memshape::planning {

/// Times may be zero.
static void append(std::vector<ChunkRun> &Runs, std::int64_t Length, std::int64_t Times) {
  if (Times <= 0)
    return;
  if (!Runs.empty() && Runs.back().length == Length)
    Runs.back().times += Times;
  else
    Runs.push_back({Length, Times});
}

std::optional<std::vector<ChunkRun>> chunksOf(const Axis &A, std::int64_t Count) {
  const std::int64_t Units = (A.extent - 1) / A.align + 1;
  if (Count < 1 || Count > Units || (Count > 1 && !A.split))
    return std::nullopt;
  std::vector<ChunkRun> Runs;
  if (Count == 1) {
    append(Runs, A.extent, 1);
    return Runs;
  }
  const std::int64_t Each = Units / Count, More = Units % Count;
  const std::int64_t Missing = Units * A.align - A.extent; // of the last unit
  if (Missing == 0) {
    append(Runs, (Each + 1) * A.align, More);
    append(Runs, Each * A.align, Count - More);
  } else {
    // The last chunk lacks a part of its last unit: it is the one to get more units.
    append(Runs, Each * A.align, More ? Count - More : Count - 1);
    append(Runs, (Each + 1) * A.align, More - 1);
    append(Runs, (More ? Each + 1 : Each) * A.align - Missing, 1);
  }
  for (const ChunkRun &Run : Runs)
    if (Run.length < std::max<std::int64_t>(A.halo, 1))
      return std::nullopt;
  return Runs;
}

std::int64_t mostChunks(const Axis &A) {
  if (!A.split)
    return 1;
  const std::int64_t Shortest = std::max<std::int64_t>(A.halo, 1);
  // A chunk of whole units is not shorter than the halo.
  const std::int64_t Units = (A.extent - 1) / A.align + 1, UnitsEach = (Shortest - 1) / A.align + 1;
  std::int64_t Most = std::max<std::int64_t>(1, Units / UnitsEach);
  // The last chunk may be too short with that many, and with fewer, as long as each of the others gets no more units.
  for (int Tries = 0; Tries < 2 && Most > 1 && !chunksOf(A, Most); ++Tries)
    --Most;
  return Most;
}

std::vector<std::int64_t> taskExtents(const Axis &A, const std::vector<ChunkRun> &Chunks) {
  std::int64_t Count = 0, Place = 0;
  for (const ChunkRun &Run : Chunks)
    Count += Run.times;
  std::vector<std::int64_t> Extents;
  for (const ChunkRun &Run : Chunks) {
    const bool First = Place == 0, Last = Place + Run.times == Count;
    Place += Run.times;
    if (Count == 1)
      Extents.push_back(Run.length);
    else {
      const std::int64_t Ends = (First ? 1 : 0) + (Last ? 1 : 0);
      if (Run.times > Ends || Ends == 0)
        Extents.push_back(Run.length + 2 * A.halo);
      if (Ends > 0)
        Extents.push_back(Run.length + A.halo);
    }
  }
  std::sort(Extents.begin(), Extents.end(), std::greater<>());
  Extents.erase(std::unique(Extents.begin(), Extents.end()), Extents.end());
  return Extents;
}

std::optional<std::int64_t> longestTask(const Axis &A, std::int64_t Count) {
  if (A.align == 1 && A.split && Count > 2) { // often asked
    const std::int64_t Each = A.extent / Count, More = A.extent % Count;
    if (Each < std::max<std::int64_t>(A.halo, 1))
      return std::nullopt;
    return std::max(Each + (More > 1 ? 1 : 0) + 2 * A.halo, Each + (More > 0 ? 1 : 0) + A.halo);
  }
  const std::optional<std::vector<ChunkRun>> Chunks = chunksOf(A, Count);
  return Chunks ? std::optional(taskExtents(A, *Chunks).front()) : std::nullopt;
}

} // namespace memshape::planning
