// Graphs on processors that differ.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each processor has a memory and a speed. A task runs on one of them, for its time over the speed. Its output lies there
// until its last consumer has ended; a consumer on another processor holds a copy of it, beside its own bytes, while it
// runs. Copies take no time.

#pragma once

#include "model/mapping/PlacedTasks.h"

#include <optional>

namespace memshape::scheduling {

struct UnequalProcessor {
  Bytes Memory = Bytes(1) << 100;
  double Speed = 1; ///< above 0
};

struct PlacedGraph : PlacedTasks {
  std::vector<Bytes> PeakOfEach; ///< processor
  const char *Method = "";
};

/// Bytes of copies of inputs that lie elsewhere.
Bytes copiesOf(const Graph &Of, std::span<const ProcessorRange> On, Node Each);

/// The shortest of schedules in which nodes, in some order, go where they end first and where the memory suffices, for ever
/// as long as it is not known who reads an output last: by the longest path to the end ("heft-longest-path"; Topcuoglu,
/// Hariri, Wu 2002) and in Order ("heft-in-order"), as Kulagina, Meyerhenke, Benoit schedule workflows (HEFTM, 2025); or all
/// on the fastest processor that holds Order ("one-processor"). Nothing where none of these is found. Order holds LeastPeak
/// bytes. O(p (n + m)), and what is to leave the processors soon for each node.
std::optional<PlacedGraph> placeUnequally(const Graph &Of, std::span<const Node> Order, Bytes LeastPeak,
                                          std::span<const UnequalProcessor> Processors);

} // namespace memshape::scheduling
