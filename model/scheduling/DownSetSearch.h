// The best order, by searching sets of ended nodes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/scheduling/DownSets.h"

namespace memshape::scheduling {

struct SearchResult {
  /// Empty where the search found no order below the one that was known.
  std::vector<Node> Order;
  /// No order holds less. Where the search ended by itself this is the optimum.
  Bytes LowerBound = 0;
  bool Ended = false; ///< by itself, not by its limit
};

/// Looks for an order below Known, the peak of an order that is there; no order holds less than Lower. Sets of nodes that
/// have ended are visited by the least peak with which they can be reached; nodes that free memory within that peak run at
/// once. The same goes on from the other end, with sets of nodes that were taken back: at times few sets can be reached from
/// one end where many can from the other, and whichever side is through first decides. Both sides do equal work, MostWork
/// in all. The states are those of Ahn and others, Ordering chaos: memory-aware scheduling of irregularly wired neural
/// networks for edge devices, 2020.
SearchResult searchDownSets(const Graph &Of, Bytes Known, Bytes Lower, std::size_t MostWork);

struct BeamResult {
  std::vector<Node> Order;
  std::size_t Work = 0; ///< that it took; it grows with the width
};

/// The best of orders that keep, after each number of nodes from that end, the Width sets with the least peak; of peaks
/// within Target, those that leave least.
BeamResult beamOrder(const Graph &Of, Direction Going, Bytes Target, std::size_t Width);

} // namespace memshape::scheduling
