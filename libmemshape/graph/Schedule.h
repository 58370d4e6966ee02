// An order of tasks within a memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/include/memshape/scheduling.h"
#include "libmemshape/text/Result.h"
#include "model/graph/Graph.h"
#include "model/mapping/UnequalProcessors.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memshape {

using v1::Objective;

/// After a node has ended, Written of the bytes of Of's output are written and leave memory.
struct ScheduledEviction {
  graph::Node Of = 0, After = 0;
  std::uint64_t Written = 0;
};

/// Edges without data with which any execution stays within the memory.
struct ScheduledEdges {
  std::vector<graph::Edge> Edges;
  std::uint64_t Worst = 0; ///< that no execution with them exceeds
  double LongestPath = 0;  ///< with them
};

/// What memshape.schedule/1 says. Nothing where a member does not apply. Sizes are bytes.
struct ScheduleAnswer {
  Objective Wanted = Objective::peak;
  bool Feasible = true;    ///< otherwise Least alone is there
  std::uint64_t Least = 0; ///< memory that would do
  std::vector<graph::Node> Order;
  std::uint64_t Peak = 0;
  std::optional<std::uint64_t> LowerBound; ///< of the peak of every sequential order; with it, Optimal is meant
  bool Optimal = false;
  std::string Method;
  std::optional<double> Makespan;                  ///< with it, Start, End and On are there
  std::vector<double> Start, End;                  ///< of each node
  std::vector<scheduling::ProcessorRange> On;      ///< of each node: one processor, without a mapping
  std::optional<std::uint64_t> PeakOfOne;          ///< with a mapping: of the processor that holds most
  std::vector<std::uint64_t> PeakOfEach;           ///< processor of the document, if it says any
  std::optional<std::uint64_t> Io;                 ///< with it, Evictions are meant
  bool WholeOutputs = false;                       ///< with Io: that Evictions are of whole outputs was asked for
  std::vector<ScheduledEviction> Evictions;        ///< in the order in which they happen
  std::optional<double> MakespanBound;             ///< of the makespan of every schedule on as many processors
  std::optional<std::uint64_t> WorstParallel;      ///< that any execution holds, with any number of processors
  std::optional<std::uint64_t> WorstParallelBound; ///< where WorstParallel was not found: it is no more than that
  std::optional<ScheduledEdges> Edges;             ///< where they were asked for
  std::vector<std::string> Notes;                  ///< what a reader has to know beside the numbers: sentences
};

/// What is wrong with a request, whatever the graph is.
std::optional<Failure> checkRequest(const v1::ScheduleRequest &Asked);

/// Fails where the request is wrong, or where a sum of the answer leaves 63 bits. Processors: those of the document, if
/// it says any.
Result<ScheduleAnswer> schedule(const graph::Graph &Of, const v1::ScheduleRequest &Asked,
                                std::span<const scheduling::UnequalProcessor> Processors = {});

/// The answer with ids in the place of nodes.
v1::Schedule scheduleOf(const graph::Graph &Of, const ScheduleAnswer &Answer, const std::vector<std::string> &Ids);

/// memshape.schedule/1, with a newline at the end.
std::string scheduleJson(const v1::Schedule &Of);

/// The text page.
std::string schedulePage(const ScheduleAnswer &Answer, const std::vector<std::string> &Ids);

} // namespace memshape
