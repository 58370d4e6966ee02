// Several processors within one memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/graph/Graph.h"

namespace memshape::scheduling {

using graph::Bytes;
using graph::Graph;
using graph::Node;

struct TimedSchedule {
  std::vector<Node> Order;              ///< by start
  std::vector<double> Start;            ///< of each node
  std::vector<std::uint32_t> Processor; ///< of each node
  double Makespan = 0;
  Bytes Peak = 0;
};

/// Times from the start of each node to the end of all that read what comes of it.
std::vector<double> longestPaths(const Graph &Of);

enum class Priority { LongestPath, Order };

/// Starts ready nodes by priority as long as two things hold: what is in memory stays within Memory, and once the running
/// nodes have ended, those that are left still fit when they run one by one in Order. So no schedule gets stuck (the
/// banker's algorithm, Dijkstra 1965, with Order as the witness), and the peak is never above Memory, which is at least
/// the peak of Order. O((n + m) log n) for starts, and some tens of refused nodes at each end of a node.
TimedSchedule listSchedule(const Graph &Of, std::span<const Node> Order, std::uint32_t Processors, Bytes Memory,
                           Priority By);

/// The shortest of list schedules by Order in which a node starts only if it is one of the Ahead next ones: of many chains
/// that are alike few then hold outputs at a time, and the next ones begin while these end, as in a pipeline. Ahead is 1,
/// 2 ... 32, and grows by an eighth from there on, as long as no more than MostNodes are started in all and none took at
/// most Enough.
TimedSchedule shortestAhead(const Graph &Of, std::span<const Node> Order, std::uint32_t Processors, Bytes Memory,
                            std::size_t MostNodes, double Enough);

} // namespace memshape::scheduling
