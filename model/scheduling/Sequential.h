// The order that holds least, one node at a time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/scheduling/Heuristics.h"

#include <string>

namespace memshape::scheduling {

struct SequentialOrder {
  std::vector<Node> Order;
  Bytes Peak = 0;
  Bytes LowerBound = 0; ///< no order holds less
  bool Optimal = false; ///< proven: Peak is LowerBound
  std::string Method;   ///< what found the order
};

/// An order that holds little: least, where Optimal. Always optimal for forests, and for series-parallel graphs but those
/// with many outputs whose last consumer is open.
SequentialOrder leastPeak(const Graph &Of);

} // namespace memshape::scheduling
