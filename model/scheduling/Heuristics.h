// Orders by simple rules.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/graph/Graph.h"

namespace memshape::scheduling {

using graph::Bytes;
using graph::Graph;
using graph::Node;

struct NamedOrder {
  const char *Name = ""; ///< as `method` says it
  std::vector<Node> Order;
  Bytes Peak = 0;
};

/// Orders by rules that each take O((n + m) log n): nodes that leave least behind first, nodes that need least first,
/// inputs depth first, and the graph's own topological order. No rule is within a constant of the optimum.
std::vector<NamedOrder> simpleOrders(const Graph &Of);

} // namespace memshape::scheduling
