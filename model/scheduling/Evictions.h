// What is written where memory does not suffice.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/graph/Graph.h"

#include <optional>

namespace memshape::scheduling {

using graph::Bytes;
using graph::Graph;
using graph::Node;

/// After a node has ended, bytes of an output are written and leave memory. They are read back right before the next
/// consumer of that output runs.
struct Eviction {
  Node Of = 0, After = 0;
  Bytes Written = 0;
};

struct EvictionPlan {
  std::vector<Eviction> Evictions; ///< in the order in which they happen
  Bytes Written = 0;
  Bytes Peak = 0; ///< of what is in memory
};

/// The fewest bytes that are written when the nodes run in this order within Memory: those go whose next consumer runs
/// last (Belady, A study of replacement algorithms for a virtual-storage computer, 1966), a part of an output where that
/// does. Nothing where a node alone needs more than Memory. O((n + m) log n).
std::optional<EvictionPlan> evictions(const Graph &Of, std::span<const Node> Order, Bytes Memory);

/// The same where an output leaves as a whole. Which outputs go is then NP-hard to say (Jacquelin, Marchal, Robert, Ucar, On
/// optimal tree traversals for sparse matrix factorization, 2011); this is the better of two of their rules: what is read
/// last; what suffices with the least to spare. O((n + m) log n).
std::optional<EvictionPlan> wholeEvictions(const Graph &Of, std::span<const Node> Order, Bytes Memory);

} // namespace memshape::scheduling
