// The most profitable choice of items.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/graph/Graph.h"

namespace memshape::scheduling {

/// Items with profits, positive or negative. Who takes an item takes all items that it requires. The best choice is a
/// minimum cut (Picard, Maximal closure of a graph and applications to combinatorial problems, 1976); the cut comes from
/// a maximum flow by Dinic's algorithm (1970), in exact integers.
class MaximumClosure {
public:
  using Item = std::uint32_t;
  using Bytes = graph::Bytes;

  Item add(Bytes Profit);
  void addProfit(Item To, Bytes More) { Profits[To] += More; }
  void require(Item By, Item Other) { Required.push_back({By, Other}); }

  struct Choice {
    Bytes Profit = 0;
    std::vector<bool> Taken; ///< of the items
  };
  Choice best() const;

private:
  struct Requirement {
    Item By, Other;
  };
  std::vector<Bytes> Profits;
  std::vector<Requirement> Required;
};

} // namespace memshape::scheduling
