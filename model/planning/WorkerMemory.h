// What a worker holds while it works off its tasks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measured on workers of Dask: docs/chunks.md, section "What a worker holds".

#pragma once

#include <cstdint>

namespace memshape::planning {

/// Sums and products of bytes stop here.
inline constexpr std::uint64_t MostBytes = INT64_MAX;

std::uint64_t add(std::uint64_t A, std::uint64_t B);
std::uint64_t multiply(std::uint64_t A, std::uint64_t B);
/// A*Part/Whole, rounded up.
std::uint64_t share(std::uint64_t A, std::uint64_t Part, std::uint64_t Whole);

/// What one task takes, halo included. Bytes.
struct TaskBytes {
  std::uint64_t Upper = 0;    ///< that the operator requests at most, its output included
  std::uint64_t Expected = 0; ///< of that, what is expected to be written
  std::uint64_t In = 0, Out = 0;
};

/// What becomes of results.
enum class Sink { Store, Persist, Gather };
/// Who cuts a task's input: the engine, from blocks that it keeps, or the task, from storage.
enum class Source { Blocks, Storage };

struct Workers {
  std::int64_t Count = 1, Threads = 1;
  std::uint64_t Held = 0;    ///< by each before its first task, bytes
  std::uint64_t OneTime = 0; ///< that the first call of the operator adds
  Sink Into = Sink::Store;
  Source From = Source::Blocks;
};

/// What the tasks have in common.
struct Job {
  std::int64_t Tasks = 1;
  bool Halo = false;             ///< some task reads beyond its chunk
  std::uint64_t In = 0, Out = 0; ///< bytes of the whole arrays
};

/// What one worker holds when that is most, by what it is. Bytes.
struct WorkerBytes {
  std::uint64_t Held = 0;
  std::uint64_t Operators = 0; ///< requested in the calls that run together, outputs included
  std::uint64_t Inputs = 0;    ///< of these calls
  std::uint64_t Blocks = 0;    ///< of the input, that the engine loads early because neighbours need them
  std::uint64_t Results = 0;   ///< that stay, or that are on their way
  std::uint64_t Copies = 0;    ///< pieces of neighbours
  std::uint64_t Slack = 0;     ///< of a bound: by how much the counts above were exceeded in measurements
  std::uint64_t Gathered = 0;  ///< at the end, all results in one worker, twice; in the place of the six above

  std::uint64_t during() const;
  std::uint64_t atEnd() const { return add(Held, Gathered); }
  std::uint64_t total() const;
};

/// By how much a worker without slack may hold more.
std::uint64_t slackOf(const WorkerBytes &Worker);

/// Of a bound: one worker that gathers these results at the end holds no less, whatever the tasks are.
std::uint64_t leastGathered(std::uint64_t Out);

/// Upper: a bound instead of what is expected. Largest: the task that takes most.
WorkerBytes workerBytes(const Workers &W, const Job &J, const TaskBytes &Largest, bool Upper);

} // namespace memshape::planning
