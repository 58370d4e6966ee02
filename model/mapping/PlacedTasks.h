// Tasks with their times and processors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/graph/Graph.h"
#include "model/mapping/Shares.h"

#include <algorithm>

namespace memshape::scheduling {

using graph::Bytes;
using graph::Graph;
using graph::Node;

struct PlacedTasks {
  std::vector<Node> Order;        ///< by start
  std::vector<ProcessorRange> On; ///< of each node
  std::vector<double> Start, End; ///< of each node
  double Makespan = 0;
  Bytes Peak = 0; ///< of all processors together

  /// Nodes that start at the same time stay in their order.
  void sortByStart() {
    std::stable_sort(Order.begin(), Order.end(), [&](Node A, Node B) { return Start[A] < Start[B]; });
  }
};

} // namespace memshape::scheduling
