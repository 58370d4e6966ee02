/* Chunks that fit.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   How to split an array so that no worker goes beyond its memory, for engines
   that apply an operator to each chunk: as few, as large, as even tasks as
   possible. What a task takes is a function of the caller, most often a formula
   of <memshape/memshape.h>.

   Sizes are bytes, extents are counts of elements. */

#pragma once

#include "expected.h"
#include "names.h"

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
  std::string name = {};   ///< for messages

  template <class Of, class Visitor> static void members(Of &of, Visitor &&v) {
    v("extent", of.extent), v("halo", of.halo), v("align", of.align), v("split", of.split), v("name", of.name);
  }
};

/// Times chunks of length elements, one after the other.
struct ChunkRun {
  std::int64_t length = 0, times = 0;
  friend bool operator==(const ChunkRun &, const ChunkRun &) = default;
};

/// What one task takes, halo included.
struct TaskBytes {
  std::uint64_t upper = 0;    ///< that the operator requests at most, its output included
  std::uint64_t expected = 0; ///< of that, what is expected to be written
  std::uint64_t input = 0, output = 0;

  template <class Visitor> void members(Visitor &&v) const {
    v("upper", upper), v("expected", expected), v("input", input), v("output", output);
  }
};

/// What becomes of the results of tasks.
enum class Sink {
  store,   ///< each leaves its worker as it comes
  persist, ///< they stay where they were computed
  gather   ///< they stay, and at the end one worker puts them together
};

/// Who cuts a task's input out of the array.
enum class Source {
  blocks, ///< the engine, from blocks; where tasks have halos it keeps a worker's share of the input
  storage ///< the task, which reads its chunk and the halo
};

/// What keeps chunks from being larger.
enum class Binding {
  nothing,     ///< the array is one chunk
  parallelism, ///< fewer tasks would fit, but leave workers or threads idle
  operators,   ///< memory: what calls request is most of it
  inputs,      ///< inputs of the tasks that run
  blocks,      ///< blocks that the engine keeps for neighbours
  results,     ///< results that stay
  gathered,    ///< all results in one worker
  held         ///< what workers hold before
};

struct ChunkRequest {
  std::vector<Axis> axes = {};
  /// Bytes of a task whose input has these extents, halo included; one per axis. Called some ten to 10^6 times.
  std::function<TaskBytes(const std::vector<std::int64_t> &extents)> task = {};
  bool monotone = true;                            ///< a task that is nowhere longer never takes more
  std::uint64_t limit_bytes = 0;                   ///< of one worker
  std::int64_t workers = 1, threads = 1;           ///< threads of each worker
  std::uint64_t held_bytes = 0;                    ///< by each worker before its first task
  std::uint64_t one_time_bytes = 0;                ///< that the first call of the operator adds
  std::uint64_t input_bytes = 0, output_bytes = 0; ///< of the whole arrays
  std::int64_t max_tasks = std::numeric_limits<std::int64_t>::max();
  Sink sink = Sink::gather;
  std::optional<Source> source = {}; ///< blocks, or storage where blocks leave no room, where not given
  /// Of grids, in one search: each takes some hundred nanoseconds where bytes come from a formula.
  std::uint64_t most_evaluations = 2'000'000;

  template <class Of, class Visitor> static void members(Of &of, Visitor &&v) {
    v("axes", of.axes), v("monotone", of.monotone), v("limit_bytes", of.limit_bytes), v("workers", of.workers);
    v("threads", of.threads), v("held_bytes", of.held_bytes), v("one_time_bytes", of.one_time_bytes);
    v("input_bytes", of.input_bytes), v("output_bytes", of.output_bytes), v("max_tasks", of.max_tasks);
    v("sink", of.sink), v("source", of.source), v("most_evaluations", of.most_evaluations);
  }
};

/// What one worker holds when that is most, by what it is.
struct WorkerParts {
  std::uint64_t held = 0;
  std::uint64_t operators = 0; ///< requested in the calls that run together, outputs included
  std::uint64_t inputs = 0;    ///< of these calls
  std::uint64_t blocks = 0;    ///< of the input, that the engine loads early because neighbours need them
  std::uint64_t results = 0;   ///< that stay, or that are on their way
  std::uint64_t copies = 0;    ///< pieces of neighbours
  std::uint64_t slack = 0;     ///< of a bound: by how much the counts above were exceeded in measurements
  std::uint64_t gathered = 0;  ///< at the end, all results in one worker, twice; in the place of the six above

  MEMSHAPE_API std::uint64_t during() const; ///< while tasks run
  MEMSHAPE_API std::uint64_t at_end() const;
  MEMSHAPE_API std::uint64_t total() const; ///< the greater of the two

  template <class Visitor> void members(Visitor &&v) const {
    v("held", held), v("operators", operators), v("inputs", inputs), v("blocks", blocks);
    v("results", results), v("copies", copies), v("slack", slack), v("gathered", gathered);
  }
};

/// What a reader has to know beside the numbers.
struct Note {
  std::string code; ///< stable, as in "called_for_real"; docs/commands.md and docs/chunks.md list them
  std::string text; ///< one sentence

  template <class Visitor> void members(Visitor &&v) const { v("code", code), v("text", text); }
};

/// The next larger chunks, and what a worker would take with them.
struct LargerChunks {
  std::vector<std::int64_t> grid; ///< chunks along each axis
  std::int64_t tasks = 0;
  std::uint64_t worker_bytes = 0;
};

struct ChunkPlan {
  std::vector<std::int64_t> grid;            ///< chunks along each axis
  std::vector<std::vector<ChunkRun>> chunks; ///< along each axis
  std::int64_t tasks = 0;
  std::int64_t fewest_tasks = 0;          ///< that fit
  std::int64_t lower_bound = 0;           ///< fewer do not fit
  bool complete = true;                   ///< the search was: fewest_tasks is proven
  std::vector<std::int64_t> largest_task; ///< its extents, halo included
  TaskBytes largest_bytes;
  WorkerParts expected, upper;
  Source source = Source::blocks; ///< that the plan counts on
  Binding binding = Binding::nothing;
  std::optional<LargerChunks> next_larger;
  std::vector<Note> notes;
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
