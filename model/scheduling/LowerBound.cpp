// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/scheduling/LowerBound.h"
#include "model/graph/Graph.h"
#include "model/scheduling/MaximumClosure.h"

#include <algorithm>

namespace memshape::scheduling {

namespace {

enum class Fixed : char { Free, Ended, NotEnded };

/// What has ended when Running runs, and what has not.
std::vector<Fixed> fixedBy(const Graph &Of, Node Running) {
  std::vector<Fixed> State(Of.size(), Fixed::Free);
  std::vector<Node> Stack = {Running};
  const auto Reach = [&](Fixed As, auto Neighbours) {
    while (!Stack.empty()) {
      const Node Now = Stack.back();
      Stack.pop_back();
      for (Node Each : (Of.*Neighbours)(Now))
        if (State[Each] == Fixed::Free) {
          State[Each] = As;
          Stack.push_back(Each);
        }
    }
  };
  Reach(Fixed::Ended, &Graph::inputs);
  Stack = {Running};
  Reach(Fixed::NotEnded, &Graph::consumers);
  State[Running] = Fixed::NotEnded;
  return State;
}

} // namespace

Bytes simpleLowerBound(const Graph &Of) {
  Bytes Most = 0, Left = 0;
  for (Node Each = 0; Each < Of.size(); ++Each) {
    Most = std::max(Most, Of.need(Each));
    if (Of.consumers(Each).empty())
      Left += Of[Each].Output;
  }
  return std::max(Most, Left);
}

Bytes leastWhileRunning(const Graph &Of, Node Running) {
  const std::vector<Fixed> State = fixedBy(Of, Running);
  Bytes Held = Bytes(Of[Running].Output) + Of[Running].Work;
  // Who ends a node takes its output; who has ended all its consumers gives it back.
  MaximumClosure Least;
  std::vector<MaximumClosure::Item> Ended(Of.size(), 0);
  for (Node Each = 0; Each < Of.size(); ++Each)
    if (State[Each] == Fixed::Free)
      Ended[Each] = Least.add(-Bytes(Of[Each].Output));
    else if (State[Each] == Fixed::Ended)
      Held += Of[Each].Output;
  for (Node Each = 0; Each < Of.size(); ++Each) {
    if (State[Each] == Fixed::NotEnded)
      continue;
    const auto Consumers = Of.consumers(Each);
    if (State[Each] == Fixed::Free)
      for (Node Input : Of.inputs(Each))
        if (State[Input] == Fixed::Free)
          Least.require(Ended[Each], Ended[Input]);
    if (Consumers.empty() || Of[Each].Output == 0 ||
        std::any_of(Consumers.begin(), Consumers.end(), [&](Node To) { return State[To] == Fixed::NotEnded; }))
      continue;
    const MaximumClosure::Item Freed = Least.add(Of[Each].Output);
    for (Node Consumer : Consumers)
      if (State[Consumer] == Fixed::Free)
        Least.require(Freed, Ended[Consumer]);
  }
  return Held - Least.best().Profit;
}

Bytes cutLowerBound(const Graph &Of, std::span<const Node> Order, std::size_t MostWork) {
  Bytes Bound = simpleLowerBound(Of);
  const std::vector<Bytes> Held = heldDuring(Of, Order);
  std::vector<std::size_t> Places(Order.size());
  for (std::size_t I = 0; I < Places.size(); ++I)
    Places[I] = I;
  std::sort(Places.begin(), Places.end(), [&](std::size_t Left, std::size_t Right) {
    return Held[Left] != Held[Right] ? Held[Left] > Held[Right] : Left < Right;
  });
  const std::size_t Work = Of.size() + Of.edges() + 1;
  for (std::size_t I = 0; I < Places.size() && Held[Places[I]] > Bound && (I + 1) * Work <= MostWork; ++I)
    Bound = std::max(Bound, leastWhileRunning(Of, Order[Places[I]]));
  return Bound;
}

} // namespace memshape::scheduling
