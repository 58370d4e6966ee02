//===- DownSetSearch.h - The best order, by searching sets of ended nodes -===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_MODEL_SCHEDULING_DOWNSETSEARCH_H
#define MEMSHAPE_MODEL_SCHEDULING_DOWNSETSEARCH_H

#include "model/scheduling/DownSets.h"

namespace memshape::scheduling {

struct SearchResult {
  /// Empty where the search found no order below the one that was known.
  std::vector<Node> Order;
  /// No order holds less. Where the search ended by itself this is the optimum.
  Bytes LowerBound = 0;
  bool Ended = false; ///< by itself, not by its limit
};

/// Looks for an order below Known, the peak of an order that is there; no order holds less than Lower. Sets are visited by
/// the least peak with which they can be reached; nodes that free memory within that peak run at once. At most MostWork
/// words are looked at. The states are those of Ahn and others, Ordering chaos: memory-aware scheduling of irregularly
/// wired neural networks for edge devices, 2020.
SearchResult searchDownSets(const Graph &Of, Bytes Known, Bytes Lower, std::size_t MostWork);

/// The best of orders that keep, after each number of ended nodes, the Width sets with the least peak.
std::vector<Node> beamOrder(const Graph &Of, Bytes Lower, std::size_t Width);

} // namespace memshape::scheduling

#endif // MEMSHAPE_MODEL_SCHEDULING_DOWNSETSEARCH_H
