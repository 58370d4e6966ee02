// Processors in proportion to work, and tasks with their times and processors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/graph/Graph.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace memshape::scheduling {

using graph::Bytes;
using graph::Graph;
using graph::Node;

/// Consecutive processors, one at least.
struct ProcessorRange {
  std::uint32_t First = 0, Count = 1;

  std::uint32_t last() const { return First + Count - 1; }
  bool operator==(const ProcessorRange &) const = default;
};

/// Each part of the work gets processors of its own, in whole numbers and so that the most work of a processor is least
/// (Adams' rule of apportionment: the part with most work for each of its processors gets the next one). Where there are
/// more parts than processors, those of less than an average processor share some, one part after the other: the largest
/// goes to the processor with least work first (Graham 1969). The work of a part is not negative. O(n log n).
std::vector<ProcessorRange> sharesOf(std::span<const double> Work, ProcessorRange Among);

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
