// The most that any parallel execution holds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/graph/Graph.h"

namespace memshape::scheduling {

using graph::Bytes;
using graph::Graph;
using graph::Node;

/// Some set of ended nodes holds Found, none more than Bound. Equal where the search ended.
struct ParallelPeak {
  Bytes Found = 0, Bound = 0;
};

/// What is live after Ended, a set that contains what has to end before its nodes, and output and work of all nodes that
/// can then run.
Bytes heldAfter(const Graph &Of, const std::vector<bool> &Ended);

/// The greatest heldAfter, with any number of processors. O(n) where no output has several consumers, and where no node
/// has several inputs. Otherwise a minimum cut (Marchal, Nagy, Simon, Vivien, Parallel scheduling of DAGs under memory
/// constraints, 2018) as long as each shared output has a consumer that ends after all others. Where it has not, the
/// problem is NP-hard (independent set: an output for each edge, read by its two ends), and cuts are bounds of a
/// search that tries which consumer has not ended; it stops after MostWork vertices and arcs of cuts.
ParallelPeak mostInParallel(const Graph &Of, std::size_t MostWork);

struct SetAbove {
  bool None = false;       ///< proved: no set holds more than the limit
  std::vector<bool> Ended; ///< a set that does; empty where none was found
  /// Where neither is so: a set that may be counted as holding more, and the consumers of one output, of which it is open
  /// which ends last. Without such outputs one cut decides.
  std::vector<bool> Doubtful;
  std::vector<Node> Open;
  std::size_t Work = 0; ///< that was spent
};

/// Whether any set holds more than Limit, by the cuts of mostInParallel.
SetAbove setAbove(const Graph &Of, Bytes Limit, std::size_t MostWork);

} // namespace memshape::scheduling
