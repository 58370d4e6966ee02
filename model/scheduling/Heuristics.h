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

/// Inputs depth first, those first whose subtrees hold most beside what they leave. In a forest no order that ends each
/// subtree before it begins the next holds less (Liu, On the storage requirement in the out-of-core multifrontal method
/// for sparse factorization, 1986).
struct Postorder {
  std::vector<Bytes> Peak; ///< of a node's subtree, from its first leaf to the end of the node
  graph::NodeLists Inputs; ///< of each node, in the order of their subtrees
  std::vector<Node> Roots; ///< in that order, too
};
Postorder bestPostorder(const Graph &Of);

/// The order itself.
std::vector<Node> depthFirst(const Graph &Of);

} // namespace memshape::scheduling
