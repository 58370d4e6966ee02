// Tasks with their times and processors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/graph/Graph.h"
#include "model/mapping/Shares.h"

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
};

} // namespace memshape::scheduling
