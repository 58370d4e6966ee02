/* Chunks that fit.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   How to split an array so that no worker goes beyond its memory, for engines
   that apply an operator to each chunk: as few, as large, as even tasks as
   possible. What a task takes is a function of the caller, most often a formula
   of <memshape/memshape.h>.

   Sizes are bytes, extents are counts of elements. */

#pragma once

#include <memshape/expected.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace memshape::v1 {

/// One extent of an array.
struct Axis {
  std::int64_t extent = 1; ///< at least 1
  std::int64_t halo = 0;   ///< that a task reads beyond its chunk on each side, as far as the array reaches
  std::int64_t align = 1;  ///< chunks begin at multiples of it
  bool split = false;      ///< it may have more than one chunk
};

/// What one task takes.
struct TaskBytes {
  std::uint64_t upper = 0;    ///< that the operator requests at most, its output included
  std::uint64_t expected = 0; ///< of that, what is expected
  std::uint64_t input = 0, output = 0;
};

/// What becomes of the results of tasks.
enum class Sink {
  store,   ///< each leaves its worker as it comes
  persist, ///< they stay where they were computed
  gather   ///< they stay, and at the end one worker puts them together
};

struct ChunkRequest {
  std::vector<Axis> axes;
  /// Bytes of a task whose input has these extents, halo included; one per axis. Called some ten to 10^6 times.
  std::function<TaskBytes(const std::vector<std::int64_t> &extents)> task;
  bool monotone = true; ///< a task that is nowhere longer never takes more
  std::uint64_t limit_bytes = 0;
  std::int64_t workers = 1, threads = 1;           ///< threads of each worker
  std::uint64_t held_bytes = 0;                    ///< by each worker before its first task
  std::uint64_t one_time_bytes = 0;                ///< that the first call of the operator adds
  std::uint64_t input_bytes = 0, output_bytes = 0; ///< of the whole arrays
  std::int64_t max_tasks = std::numeric_limits<std::int64_t>::max();
  Sink sink = Sink::gather;
  bool keeps_neighbours = true; ///< the engine cuts a task's input from blocks that it keeps; no: the task reads it
};

/// What one worker holds when that is most.
struct WorkerParts {
  std::uint64_t held = 0, operators = 0, inputs = 0, blocks = 0, results = 0, copies = 0, slack = 0;
  std::uint64_t gathered = 0; ///< at the end, in the place of all but held
  std::uint64_t total = 0;
};

struct ChunkPlan {
  std::vector<std::vector<std::int64_t>> chunks; ///< lengths along each axis
  std::int64_t tasks = 0;
  std::int64_t fewest_tasks = 0;          ///< that fit
  std::int64_t lower_bound = 0;           ///< fewer do not fit
  std::vector<std::int64_t> largest_task; ///< its extents, halo included
  TaskBytes largest_bytes;
  WorkerParts expected, upper;
  std::string binding;                       ///< what keeps chunks from being larger: "operators", "results"...
  std::optional<std::int64_t> larger_tasks;  ///< of the next larger chunks
  std::optional<std::uint64_t> larger_bytes; ///< that a worker would take with them
};

/// The best plan. Errors: arguments; no_answer, where nothing fits.
MEMSHAPE_API Expected<ChunkPlan> plan_chunks(const ChunkRequest &request);

/// The least limit_bytes with which there is a plan. Errors: arguments; no_answer, where none would do.
MEMSHAPE_API Expected<std::uint64_t> least_limit(const ChunkRequest &request);

} // namespace memshape::v1

#ifndef MEMSHAPE_INSIDE
namespace memshape {
using namespace v1;
}
#endif
