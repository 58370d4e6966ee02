// What an order of tasks holds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/graph/Graph.h"

namespace memshape::graph {

/// What is held while each node of Order runs, in that order. Bytes. Order has every node once, inputs first.
std::vector<Bytes> heldDuring(const Graph &Of, std::span<const Node> Order);

/// The greatest of heldDuring; 0 for no nodes.
Bytes peakOf(const Graph &Of, std::span<const Node> Order);

} // namespace memshape::graph
