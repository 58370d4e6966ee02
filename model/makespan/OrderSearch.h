// Orders that make schedules of trees shorter.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/graph/Graph.h"

namespace memshape::scheduling {

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
