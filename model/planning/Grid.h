// How many chunks each axis gets, and what the largest task takes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/planning/Chunks.h"
#include "model/planning/WorkerMemory.h"

#include <functional>
#include <span>

namespace memshape::planning {

/// Chunks of each axis.
using Grid = std::vector<std::int64_t>;
/// What a task of these extents takes, one per axis, halo included.
using TaskFunction = std::function<TaskBytes(std::span<const std::int64_t> Extents)>;

struct Problem {
  std::vector<Axis> Axes;
  TaskFunction Bytes;
  bool Monotone = true; ///< a task that is nowhere longer never takes more
  Workers On;
  std::uint64_t Limit = 0;            ///< bytes of one worker
  std::int64_t MostTasks = INT64_MAX; ///< wanted
  /// Of grids, in one walk: each takes some hundred nanoseconds where bytes come from a formula.
  std::uint64_t MostEvaluations = 2'000'000;
  std::uint64_t In = 0, Out = 0; ///< bytes of the whole arrays
};

/// The product; nothing above 2^62.
std::optional<std::int64_t> tasksOf(const Grid &G);

/// Some split axis has a halo.
bool readsNeighbours(const Problem &P, const Grid &G);

/// The job that a grid makes of the problem. Tasks: their number.
Job jobOf(const Problem &P, const Grid &G, std::int64_t Tasks);

struct LargestTask {
  std::vector<std::int64_t> Extents;
  TaskBytes Bytes;
};

/// The task whose bound is greatest, of all that differ; nothing where an axis cannot have so many chunks.
std::optional<LargestTask> largestTask(const Problem &P, const Grid &G);

/// What a worker holds at most with that grid; nothing where there is no such grid.
std::optional<WorkerBytes> workerOf(const Problem &P, const Grid &G, bool Upper = true);

/// That is within the limit, and the tasks are not too many.
bool fits(const Problem &P, const Grid &G);

} // namespace memshape::planning
