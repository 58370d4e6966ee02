// What every order holds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/graph/Graph.h"

namespace memshape::scheduling {

using graph::Bytes;
using graph::Graph;
using graph::Node;

/// The greater of what one node needs and what is left at the end. O(n + m).
Bytes simpleLowerBound(const Graph &Of);

/// The least that is held while Running runs, over all sets of ended nodes: a minimum cut.
Bytes leastWhileRunning(const Graph &Of, Node Running);

/// The greatest leastWhileRunning of all nodes, or of those that MostWork allows to look at (a minimum cut of n nodes and
/// m edges counts n + m). Order is one that was found: nodes while which it holds no more than the bound cannot raise it.
Bytes cutLowerBound(const Graph &Of, std::span<const Node> Order, std::size_t MostWork);

} // namespace memshape::scheduling
