// Axes in chunks: how many each gets, and what the largest task takes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/include/memshape/planning.h"

namespace memshape::planning {

/// Sums and products of bytes stop here.
inline constexpr std::uint64_t MostBytes = INT64_MAX;

std::uint64_t add(std::uint64_t A, std::uint64_t B);
std::uint64_t multiply(std::uint64_t A, std::uint64_t B);
/// A*Part/Whole, rounded up.
std::uint64_t share(std::uint64_t A, std::uint64_t Part, std::uint64_t Whole);

using v1::ChunkRequest;
using v1::Sink;
using v1::Source;
using v1::TaskBytes;
using v1::WorkerParts;

/// What the tasks have in common.
struct Job {
  std::int64_t Tasks = 1;
  bool Halo = false;             ///< some task reads beyond its chunk
  std::uint64_t In = 0, Out = 0; ///< bytes of the whole arrays
};

/// By how much a worker without slack may hold more.
std::uint64_t slackOf(const WorkerParts &Worker);

/// Of a bound: one worker that gathers these results at the end holds no less, whatever the tasks are.
std::uint64_t leastGathered(std::uint64_t Out);

/// By what W says of workers. Upper: a bound instead of what is expected. Largest: the task that takes most.
WorkerParts workerBytes(const ChunkRequest &W, const Job &J, const TaskBytes &Largest, bool Upper);

using v1::Axis;
using v1::ChunkRun;

/// The axis in Count chunks that are as even as alignment allows; at most three runs. Nothing where some chunk would be
/// empty or shorter than the halo.
std::optional<std::vector<ChunkRun>> chunksOf(const Axis &A, std::int64_t Count);

/// No greater number of chunks is possible.
std::int64_t mostChunks(const Axis &A);

/// The lengths that tasks read along the axis, halo included: each once, the longest first.
std::vector<std::int64_t> taskExtents(const Axis &A, const std::vector<ChunkRun> &Chunks);

/// The first of them; nothing where there are no such chunks.
std::optional<std::int64_t> longestTask(const Axis &A, std::int64_t Count);

/// Chunks of each axis.
using Grid = std::vector<std::int64_t>;

/// The product; nothing above 2^62.
std::optional<std::int64_t> tasksOf(const Grid &G);

/// Some split axis has a halo.
bool readsNeighbours(const ChunkRequest &P, const Grid &G);

/// The job that a grid makes of the problem. Tasks: their number.
Job jobOf(const ChunkRequest &P, const Grid &G, std::int64_t Tasks);

struct LargestTask {
  std::vector<std::int64_t> Extents;
  TaskBytes Bytes;
};

/// The task whose bound is greatest, of all that differ; nothing where an axis cannot have so many chunks.
std::optional<LargestTask> largestTask(const ChunkRequest &P, const Grid &G);

/// What a worker holds at most with that grid; nothing where there is no such grid.
std::optional<WorkerParts> workerOf(const ChunkRequest &P, const Grid &G, bool Upper = true);

/// That is within the limit, and the tasks are not too many.
bool fits(const ChunkRequest &P, const Grid &G);

} // namespace memshape::planning
