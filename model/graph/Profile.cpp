// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/graph/Profile.h"

#include <algorithm>

namespace memshape::graph {

/// Calls See with what is held while each node runs.
template <class Function> static void replay(const Graph &Of, std::span<const Node> Order, Function See) {
  std::vector<std::uint32_t> Waiting(Of.size()); // consumers that have not ended
  for (Node Each = 0; Each < Of.size(); ++Each)
    Waiting[Each] = static_cast<std::uint32_t>(Of.consumers(Each).size());
  Bytes Held = 0;
  for (Node Each : Order) {
    Held += Of[Each].Output;
    See(Held + Of[Each].Work);
    for (Node Input : Of.inputs(Each))
      if (--Waiting[Input] == 0)
        Held -= Of[Input].Output;
  }
}

std::vector<Bytes> heldDuring(const Graph &Of, std::span<const Node> Order) {
  std::vector<Bytes> Held;
  Held.reserve(Order.size());
  replay(Of, Order, [&](Bytes Now) { Held.push_back(Now); });
  return Held;
}

Bytes peakOf(const Graph &Of, std::span<const Node> Order) {
  Bytes Peak = 0;
  replay(Of, Order, [&](Bytes Now) { Peak = std::max(Peak, Now); });
  return Peak;
}

} // namespace memshape::graph
