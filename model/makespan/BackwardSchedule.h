// Trees on several processors, from their end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a tree that narrows to its root the tasks near the root are the long ones, and those that need most. A schedule that
// begins with the leaves fills the memory with outputs long before it comes to them. One that begins with the root and
// goes back in time places them first, and the many small tasks where there is room.

#pragma once

#include "model/graph/Graph.h"
#include "model/makespan/ListSchedule.h"

namespace memshape::scheduling {

/// The makespan of a list schedule of a forest (Graph::isInForest) back in time, in which the last nodes of Order come first;
/// nothing where Order holds more than Memory (bytes). Back in time a node ends where all that wait for it have begun. It
/// is placed as long as two things hold: what is in memory stays within Memory, and what is left still fits when it runs
/// one by one in Order. O(n log n).
std::optional<double> backwardMakespan(const Graph &Forest, std::span<const Node> Order, std::uint32_t Processors,
                                       Bytes Memory);

/// The schedule itself: each node then starts as early as the order of starts and ends lets it, so it is no longer than
/// backwardMakespan, but for roundings of sums of times.
std::optional<TimedSchedule> backwardSchedule(const Graph &Forest, std::span<const Node> Order,
                                              std::uint32_t Processors, Bytes Memory);

using graph::Bytes;
using graph::Graph;
using graph::Node;

struct SearchEffort {
  std::size_t MostNodes; ///< that are placed in all tries together; counted, so that the answer is the same everywhere
  double Enough;         ///< a makespan after which nothing is tried
};

/// An order of a forest whose backwardSchedule is short: Order, or one that was found from it by moving parts of the forest
/// to other places and keeping what is not longer. A part is a node with much work in its subtree, with what little hangs
/// at it, or a whole subtree with little work. Order holds no more than Memory (bytes), nor does the order that is returned.
std::vector<Node> shorterOrder(const Graph &Forest, std::span<const Node> Order, std::uint32_t Processors, Bytes Memory,
                               const SearchEffort &Effort);

} // namespace memshape::scheduling
