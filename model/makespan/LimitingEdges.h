// Edges that keep any execution within a memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marchal, Nagy, Simon, Vivien: Parallel scheduling of DAGs under memory constraints, IPDPS 2018. A runtime system that
// knows nothing of memory may then run the graph as it likes, on any number of processors.

#pragma once

#include "model/graph/Graph.h"

namespace memshape::scheduling {

using graph::Bytes;
using graph::Edge;
using graph::Graph;
using graph::Node;

struct LimitingEdges {
  std::vector<Edge> Edges; ///< without data; none follows from the graph and the others
  Bytes Most = 0;          ///< that no execution with them exceeds, and that is at most the memory
  double LongestPath = 0;  ///< time, with them: the makespan of enough processors
};

/// Edges with which every execution stays within Memory, which is at least the peak of Order. The greatest cut is looked
/// for again and again, and an edge is added along a schedule that fits, so that some edge always can be, and that no
/// path is longer than the schedule; of these, one that lengthens the longest path least. Tried along Order, one node at
/// a time, and along a list schedule within Memory; what has the shorter longest path stays, then what has fewer edges.
/// Where cuts would take more than MostWork vertices and arcs, all nodes are put one after the other.
LimitingEdges limitingEdges(const Graph &Of, std::span<const Node> Order, Bytes Memory, std::size_t MostWork);

} // namespace memshape::scheduling
