// The order of a tree that holds least.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For graphs in which no output has more than one consumer (Graph::isInForest). Nothing recurs: a chain may be as
// long as memory allows.

#pragma once

#include "model/graph/Graph.h"

namespace memshape::scheduling {

using graph::Bytes;
using graph::Graph;
using graph::Node;

/// An order that holds least among all (Liu, An application of generalized tree pebbling to sparse matrix
/// factorization, 1987). O(n log n).
std::vector<Node> optimalTreeOrder(const Graph &Forest);

} // namespace memshape::scheduling
