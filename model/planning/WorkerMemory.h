// What a worker holds while it works off its tasks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measured on workers of Dask: docs/chunks.md, section "What a worker holds".

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

} // namespace memshape::planning
