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
#include "names.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memshape::v1 {

/// What the answer has as little of as it can.
enum class Objective { peak, makespan, io };

/// How the nodes of a tree get several processors each.
enum class Mapping {
  all_to_all,   ///< every node all of them
  proportional, ///< subtrees in proportion to their work
  memory_aware  ///< in proportion as long as the memory suffices, otherwise one subtree after the other on all of them
};

struct ScheduleRequest {
  std::optional<std::uint64_t> memory_bytes = {}; ///< that no moment may exceed
  std::uint32_t processors = 1;                   ///< from 1 to 10^6
  std::optional<Objective> objective = {};        ///< where not given: makespan with several processors, otherwise peak
  std::optional<Mapping> mapping = {};            ///< of a tree; memory_bytes is then that of each processor
  bool whole_outputs = false;                     ///< with the objective io: an output leaves memory as a whole
  bool edges = false;                             ///< with a memory: edges that keep any execution within it
  bool timed = false;                             ///< start, processor and makespan on one processor, too
  std::string folder = {};                        ///< where files that nodes name are looked for first
  bool trust = false;                             ///< nodes' operators may be predicted without a sandbox

  /// Calls v with name and value of each member, and what the command says of its option where there is one.
  template <class Of, class Visitor> static void members(Of &of, Visitor &&v) {
    v("memory_bytes", of.memory_bytes, "that no moment may exceed, as in 16GiB or 1000000");
    v("processors", of.processors, "tasks that may run at a time");
    v("objective", of.objective,
      "what is to be least: peak, makespan or bytes written; makespan with several processors, otherwise peak, where "
      "not given");
    v("mapping", of.mapping,
      "of a tree whose nodes run on several processors each; --memory is then that of each processor");
    v("whole_outputs", of.whole_outputs, "with --objective io: an output leaves as a whole");
    v("edges", of.edges, "edges with which any execution stays within --memory");
    v("timed", of.timed), v("folder", of.folder), v("trust", of.trust);
  }
};

/// After a node has ended, an output or a part of it is written and leaves memory.
struct OutputEviction {
  std::string id;
  std::uint64_t bytes = 0;
  std::string after;

  template <class Visitor> void members(Visitor &&v) const { v("id", id), v("bytes", bytes), v("after", after); }
};

/// One node ends before the other begins.
struct OrderedPair {
  std::string from, to;

  template <class Visitor> void members(Visitor &&v) const { v("from", from), v("to", to); }
};

/// Where and when a node runs.
struct MappedNode {
  std::array<std::uint32_t, 2> processors = {}; ///< the first and the last
  double start = 0, end = 0;

  template <class Visitor> void members(Visitor &&v) const {
    v("processors", processors), v("start", start), v("end", end);
  }
};

/// A node of the answered order.
struct ScheduledNode {
  std::string id;
  std::int64_t output_bytes = 0, work_bytes = 0; ///< of the document, or predicted
  double time = 1;                               ///< of the document
  MappedNode run = {};                           ///< with makespan
  std::int64_t in_place_bytes = 0;               ///< of an input whose place the output takes: held once while it runs

  template <class Visitor> void members(Visitor &&v) const {
    v("id", id), v("output_bytes", output_bytes), v("work_bytes", work_bytes), v("time", time);
    v("in_place_bytes", in_place_bytes);
  }
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
  std::optional<std::uint64_t> peak_bytes_per_processor; ///< with a mapping: of the one that holds most
  std::optional<std::uint64_t> io_bytes;
  std::vector<std::uint64_t> peak_bytes_of_each; ///< processor of the document, if it says any
  std::vector<OutputEviction> evictions;         ///< in the order in which they happen
  std::optional<std::uint64_t> worst_parallel_bytes, worst_parallel_upper_bytes;
  std::optional<std::vector<OrderedPair>> edges;           ///< where they were asked for
  std::optional<std::uint64_t> edges_worst_parallel_bytes; ///< that no execution with the edges exceeds
  std::optional<double> edges_longest_path;                ///< time: the makespan of enough processors
  std::vector<std::string> notes;                          ///< what a reader has to know of the bytes: sentences

  /// The members of memshape.schedule/1, for all who write them. What does not apply is absent.
  template <class Visitor> void members(Visitor &&v) const {
    v("schema", "memshape.schedule/1");
    if (!feasible) {
      v("feasible", false), v("least_memory_bytes", least_memory_bytes);
      return;
    }
    const auto by_id = [this](auto value) {
      return [this, value](auto &&in) {
        for (const ScheduledNode &each : order)
          in(each.id, value(each.run));
      };
    };
    const auto where = [&v](const char *name, const auto &value) {
      if (value)
        v(name, *value);
    };
    std::vector<std::string_view> ids;
    for (const ScheduledNode &each : order)
      ids.push_back(each.id);
    v("order", ids);
    v("peak_bytes", peak_bytes);
    where("peak_bytes_per_processor", peak_bytes_per_processor);
    if (!peak_bytes_of_each.empty())
      v("peak_bytes_of_each", peak_bytes_of_each);
    where("lower_bound_bytes", lower_bound_bytes);
    if (lower_bound_bytes)
      v("optimal", optimal);
    v("method", method);
    where("makespan", makespan);
    where("makespan_lower_bound", makespan_lower_bound);
    if (makespan)
      v("start", by_id([](const MappedNode &of) { return of.start; }));
    if (!peak_bytes_of_each.empty())
      v("end", by_id([](const MappedNode &of) { return of.end; }));
    if (peak_bytes_per_processor)
      v("mapping", by_id([](const MappedNode &of) { return of; }));
    else if (makespan)
      v("processor", by_id([](const MappedNode &of) { return of.processors[0]; }));
    where("io_bytes", io_bytes);
    if (io_bytes)
      v("evictions", evictions);
    where("worst_parallel_bytes", worst_parallel_bytes);
    where("worst_parallel_upper_bytes", worst_parallel_upper_bytes);
    where("edges", edges);
    where("edges_worst_parallel_bytes", edges_worst_parallel_bytes);
    where("edges_longest_path", edges_longest_path);
    if (!notes.empty())
      v("notes", notes);
  }
};

/// Errors: arguments, where the document or the request is wrong; too_large, where a sum leaves 63 bits.
MEMSHAPE_API Expected<Schedule> schedule_graph(const std::string &document, const ScheduleRequest &request = {});

} // namespace memshape::v1

#ifndef MEMSHAPE_INSIDE
namespace memshape {
using namespace v1;
}
#endif
