// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/graph/Graph.h"

#include <algorithm>

namespace memshape::graph {

/// Lists turned round: v lists w where w listed v. Each new list is in ascending order.
static NodeLists reversed(const NodeLists &Lists) {
  const Node Count = static_cast<Node>(Lists.size());
  std::vector<std::size_t> First(Count + std::size_t(1), 0);
  for (Node Of = 0; Of < Count; ++Of)
    for (Node To : Lists[Of])
      ++First[To + std::size_t(1)];
  for (std::size_t I = 1; I < First.size(); ++I)
    First[I] += First[I - 1];
  std::vector<std::size_t> Next(First.begin(), First.end() - 1);
  std::vector<Node> All(Lists.total());
  for (Node Of = 0; Of < Count; ++Of)
    for (Node To : Lists[Of])
      All[Next[To]++] = Of;
  return NodeLists(std::move(First), std::move(All));
}

/// Kahn 1962. Fewer nodes than there are where there is a cycle.
static std::vector<Node> topologicalOrder(const NodeLists &Inputs, const NodeLists &Consumers) {
  const Node Count = static_cast<Node>(Inputs.size());
  std::vector<std::size_t> Waiting(Count);
  std::vector<Node> Order;
  Order.reserve(Count);
  for (Node Of = 0; Of < Count; ++Of)
    if ((Waiting[Of] = Inputs[Of].size()) == 0)
      Order.push_back(Of);
  for (std::size_t At = 0; At < Order.size(); ++At)
    for (Node Consumer : Consumers[Order[At]])
      if (--Waiting[Consumer] == 0)
        Order.push_back(Consumer);
  return Order;
}

void putInPlace(std::vector<Task> &Tasks, Node Of, Node Input) {
  Task &Taker = Tasks[Of];
  Taker.InPlace = std::min(Taker.Output, Tasks[Input].Output);
  Taker.Work -= Taker.InPlace;
}

std::optional<Graph> Graph::make(std::vector<Task> Tasks, NodeLists Inputs) {
  Graph Made;
  Made.ConsumerLists = reversed(Inputs);
  Made.Topological = topologicalOrder(Inputs, Made.ConsumerLists);
  if (Made.Topological.size() != Tasks.size())
    return std::nullopt;
  Made.Tasks = std::move(Tasks);
  Made.InputLists = std::move(Inputs);
  return Made;
}

std::optional<Graph> Graph::make(std::vector<Task> Tasks, const std::vector<std::vector<Node>> &Inputs) {
  std::vector<std::size_t> First = {0};
  std::vector<Node> All;
  for (const std::vector<Node> &Each : Inputs) {
    All.insert(All.end(), Each.begin(), Each.end());
    First.push_back(All.size());
  }
  return make(std::move(Tasks), NodeLists(std::move(First), std::move(All)));
}

std::optional<Graph> Graph::withEdges(std::span<const Edge> Edges) const {
  std::vector<std::vector<Node>> Before(size());
  for (const Edge &Each : Edges)
    Before[Each.To].push_back(Each.From);
  std::vector<std::size_t> First = {0};
  std::vector<Node> All;
  for (Node Each = 0; Each < size(); ++Each) {
    Before[Each].insert(Before[Each].end(), before(Each).begin(), before(Each).end());
    std::sort(Before[Each].begin(), Before[Each].end());
    All.insert(All.end(), Before[Each].begin(), std::unique(Before[Each].begin(), Before[Each].end()));
    First.push_back(All.size());
  }
  if (All.size() == edges())
    return *this;
  Graph Made = *this;
  Made.HasEdges = true;
  Made.BeforeLists = NodeLists(std::move(First), std::move(All));
  Made.AfterLists = reversed(Made.BeforeLists);
  Made.Topological = topologicalOrder(Made.BeforeLists, Made.AfterLists);
  if (Made.Topological.size() != size())
    return std::nullopt;
  return Made;
}

static bool haveOneAtMost(const NodeLists &Lists) {
  for (Node Of = 0; Of < Lists.size(); ++Of)
    if (Lists[Of].size() > 1)
      return false;
  return true;
}

bool Graph::isInForest() const { return !HasEdges && haveOneAtMost(ConsumerLists); }

bool Graph::isOutForest() const { return !HasEdges && haveOneAtMost(InputLists); }

Bytes Graph::need(Node Of) const {
  Bytes Sum = Bytes(Tasks[Of].Output) + Tasks[Of].Work;
  for (Node Input : inputs(Of))
    Sum += Tasks[Input].Output;
  return Sum;
}

std::vector<Node> cycleOf(const NodeLists &Inputs) {
  const NodeLists Consumers = reversed(Inputs);
  std::vector<bool> Ends(Inputs.size(), false);
  for (Node Of : topologicalOrder(Inputs, Consumers))
    Ends[Of] = true;
  const auto Stuck = std::find(Ends.begin(), Ends.end(), false);
  if (Stuck == Ends.end())
    return {};
  // Each node that never starts has an input that never ends: following these comes back to a node.
  std::vector<Node> Path = {static_cast<Node>(Stuck - Ends.begin())};
  std::vector<bool> Seen(Inputs.size(), false);
  while (!Seen[Path.back()]) {
    Seen[Path.back()] = true;
    const std::span<const Node> From = Inputs[Path.back()];
    Path.push_back(*std::find_if(From.begin(), From.end(), [&](Node Input) { return !Ends[Input]; }));
  }
  Path.erase(Path.begin(), std::find(Path.begin(), Path.end(), Path.back()));
  Path.pop_back();
  std::reverse(Path.begin(), Path.end());
  return Path;
}

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
