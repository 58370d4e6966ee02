/* Orders of a graph of tasks.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What the command `memshape schedule` prints, as values. A graph is a document
   memshape.graph/1, which docs/commands.md describes; docs/graphs.md says how
   the answers are found.

   While a node runs, its inputs, its output and its work bytes are in memory.
   An output lives until its last consumer has ended, that of a node without
   consumers until the end. Sizes are bytes. */

#pragma once

#include "expected.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memshape::v1 {

/// What the answer has as little of as it can.
enum class Objective { peak, makespan, io };

struct ScheduleRequest {
  std::optional<std::uint64_t> memory_bytes = {}; ///< that no moment may exceed
  std::uint32_t processors = 1;                   ///< from 1 to 10^6
  std::optional<Objective> objective = {};        ///< where not given: makespan with several processors, otherwise peak
  bool whole_outputs = false;                     ///< with the objective io: an output leaves memory as a whole
  bool edges = false;                             ///< with a memory: edges that keep any execution within it
  bool timed = false;                             ///< start, processor and makespan on one processor, too
  std::string folder = {};                        ///< where files that nodes name are looked for first
  bool trust = false;                             ///< nodes' operators may be predicted without a sandbox
};

/// After a node has ended, an output or a part of it is written and leaves memory.
struct OutputEviction {
  std::string id;
  std::uint64_t bytes = 0;
  std::string after;
};

/// One node ends before the other begins.
struct OrderedPair {
  std::string from, to;
};

/// A node of the answered order.
struct ScheduledNode {
  std::string id;
  std::int64_t output_bytes = 0, work_bytes = 0; ///< of the document, or predicted
  double time = 1;                               ///< of the document
  double start = 0;                              ///< with makespan
  std::uint32_t processor = 0;                   ///< with makespan
  std::int64_t in_place_bytes = 0;               ///< of an input whose place the output takes: held once while it runs
};

/// Members have the names of memshape.schedule/1. Nothing where one does not apply.
struct Schedule {
  bool feasible = true;                 ///< otherwise least_memory_bytes alone is there
  std::uint64_t least_memory_bytes = 0; ///< that would do
  std::vector<ScheduledNode> order;     ///< each node once, sorted by start
  std::uint64_t peak_bytes = 0;
  std::optional<std::uint64_t> lower_bound_bytes; ///< of the peak of every sequential order
  bool optimal = false;                           ///< proved; with lower_bound_bytes
  std::string method;
  std::optional<double> makespan, makespan_lower_bound;
  std::optional<std::uint64_t> io_bytes;
  std::vector<OutputEviction> evictions; ///< in the order in which they happen
  std::optional<std::uint64_t> worst_parallel_bytes, worst_parallel_upper_bytes;
  std::optional<std::vector<OrderedPair>> edges;           ///< where they were asked for
  std::optional<std::uint64_t> edges_worst_parallel_bytes; ///< that no execution with the edges exceeds
  std::optional<double> edges_longest_path;                ///< time: the makespan of enough processors
  std::vector<std::string> notes;                          ///< what a reader has to know of the bytes: sentences
};

/// Errors: arguments, where the document or the request is wrong; too_large, where a sum leaves 63 bits.
MEMSHAPE_API Expected<Schedule> schedule_graph(const std::string &document, const ScheduleRequest &request = {});

} // namespace memshape::v1

#ifndef MEMSHAPE_INSIDE
namespace memshape {
using namespace v1;
}
#endif
