// Graphs, and what is true of them by brute force.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/graph/Graph.h"

#include <algorithm>
#include <cstdlib>
#include <random>

namespace memshape::graph {

using Random = std::mt19937_64;

/// As a number that can be printed.
inline std::int64_t plain(Bytes Of) { return static_cast<std::int64_t>(Of); }

inline std::int64_t from(Random &R, std::int64_t Least, std::int64_t Most) {
  return std::uniform_int_distribution<std::int64_t>(Least, Most)(R);
}

inline std::vector<Task> randomTasks(Random &R, std::size_t Count, std::int64_t Most) {
  std::vector<Task> Tasks(Count);
  for (Task &Each : Tasks)
    Each = {from(R, 0, Most), from(R, 0, 2) ? 0 : from(R, 0, Most), static_cast<double>(from(R, 0, 9))};
  return Tasks;
}

/// Numbers without an order that means something.
inline std::vector<Node> shuffledNames(Random &R, std::size_t Count) {
  std::vector<Node> Names(Count);
  for (std::size_t I = 0; I < Count; ++I)
    Names[I] = static_cast<Node>(I);
  std::shuffle(Names.begin(), Names.end(), R);
  return Names;
}

/// Each node but the first of each tree is an input of one that came before it, up to Back nodes before.
inline Graph randomForest(Random &R, std::size_t Count, std::int64_t Most, std::int64_t Back, int Roots = 1) {
  const std::vector<Node> Names = shuffledNames(R, Count);
  std::vector<std::vector<Node>> Inputs(Count);
  for (std::int64_t I = 1; I < static_cast<std::int64_t>(Count); ++I)
    if (I >= Roots)
      Inputs[Names[static_cast<std::size_t>(from(R, std::max<std::int64_t>(0, I - Back), I - 1))]].push_back(
          Names[static_cast<std::size_t>(I)]);
  return *Graph::make(randomTasks(R, Count, Most), Inputs);
}

/// Each pair of nodes that are at most Back apart is joined with that probability.
inline Graph randomGraph(Random &R, std::size_t Count, std::int64_t Most, double Probability, std::size_t Back) {
  const std::vector<Node> Names = shuffledNames(R, Count);
  std::bernoulli_distribution Joined(Probability);
  std::vector<std::vector<Node>> Inputs(Count);
  for (std::size_t To = 1; To < Count; ++To)
    for (std::size_t From = To > Back ? To - Back : 0; From < To; ++From)
      if (Joined(R))
        Inputs[Names[To]].push_back(Names[From]);
  return *Graph::make(randomTasks(R, Count, Most), Inputs);
}

/// Grown from one edge: a node goes into an edge, or beside it. Outputs that several nodes read are one for all of them.
inline Graph randomSeriesParallel(Random &R, std::size_t Count, std::int64_t Most, double Beside) {
  struct Edge {
    std::size_t From, To;
  };
  std::vector<Edge> Edges = {{0, 1}};
  std::bernoulli_distribution GoesBeside(Beside);
  for (std::size_t Next = 2; Next < Count; ++Next) {
    const auto At = static_cast<std::size_t>(from(R, 0, static_cast<std::int64_t>(Edges.size()) - 1));
    const Edge Old = Edges[At];
    if (GoesBeside(R))
      Edges.push_back({Old.From, Next});
    else
      Edges[At].To = Next;
    Edges.push_back({Next, Old.To});
  }
  const std::vector<Node> Names = shuffledNames(R, std::max<std::size_t>(Count, 2));
  std::vector<std::vector<Node>> Inputs(Names.size());
  for (const Edge &Each : Edges)
    Inputs[Names[Each.To]].push_back(Names[Each.From]);
  return *Graph::make(randomTasks(R, Names.size(), Most), Inputs);
}

/// Bytes on the edges, as the series-parallel graphs of the literature have them: a node for each edge, nothing shared.
inline Graph withBytesOnEdges(Random &R, const Graph &Of, std::int64_t Most) {
  std::vector<Task> Tasks(Of.size());
  std::vector<std::vector<Node>> Inputs(Of.size());
  for (Node Each = 0; Each < Of.size(); ++Each) {
    Tasks[Each].Work = from(R, 0, Most);
    for (Node Input : Of.inputs(Each)) {
      Inputs[Each].push_back(static_cast<Node>(Tasks.size()));
      Tasks.push_back({from(R, 0, Most), 0});
      Inputs.push_back({Input});
    }
  }
  return *Graph::make(Tasks, Inputs);
}

/// The same graph of other tasks, the one of each node by Of.
template <class Function> Graph withTasks(const Graph &G, Function Of) {
  std::vector<Task> Tasks;
  std::vector<std::vector<Node>> Inputs;
  for (Node Each = 0; Each < G.size(); ++Each) {
    Tasks.push_back(Of(G[Each]));
    Inputs.emplace_back(G.inputs(Each).begin(), G.inputs(Each).end());
  }
  return *Graph::make(Tasks, Inputs);
}

/// The same turned round.
inline Graph turned(const Graph &G) {
  std::vector<Task> Tasks;
  std::vector<std::vector<Node>> Inputs;
  for (Node Each = 0; Each < G.size(); ++Each) {
    Tasks.push_back(G[Each]);
    Inputs.emplace_back(G.consumers(Each).begin(), G.consumers(Each).end());
  }
  return *Graph::make(Tasks, Inputs);
}

/// The graph, or in three of four cases the same with outputs that take the place of inputs that no other node reads.
inline Graph sometimesInPlace(Random &R, const Graph &G) {
  const std::int64_t Often = from(R, 0, 3);
  std::vector<Task> Tasks;
  std::vector<std::vector<Node>> Inputs;
  for (Node Each = 0; Each < G.size(); ++Each) {
    Tasks.push_back(G[Each]);
    Inputs.emplace_back(G.inputs(Each).begin(), G.inputs(Each).end());
  }
  for (Node Each = 0; Each < G.size(); ++Each)
    for (Node Input : G.inputs(Each))
      if (G.consumers(Input).size() == 1 && Tasks[Each].InPlace == 0 && from(R, 1, 3) <= Often)
        putInPlace(Tasks, Each, Input);
  return *Graph::make(Tasks, Inputs);
}

/// So many random graphs, or those that MEMSHAPE_RANDOM_GRAPHS says.
inline int randomCount(int Usual) {
  const char *Asked = std::getenv("MEMSHAPE_RANDOM_GRAPHS");
  return Asked ? std::atoi(Asked) : Usual;
}

inline bool isOrderOf(const Graph &G, const std::vector<Node> &Order) {
  std::vector<bool> Ended(G.size(), false);
  for (Node Each : Order) {
    if (Each >= G.size() || Ended[Each])
      return false;
    for (Node Input : G.inputs(Each))
      if (!Ended[Input])
        return false;
    Ended[Each] = true;
  }
  return Order.size() == G.size();
}

/// All sets of ended nodes that contain their nodes' inputs, as bits; up to 24 nodes.
class DownSets {
public:
  explicit DownSets(const Graph &G) : G(G), In(G.size()), Out(G.size()) {
    for (Node Each = 0; Each < G.size(); ++Each) {
      for (Node Input : G.inputs(Each))
        In[Each] |= std::uint32_t(1) << Input;
      for (Node Consumer : G.consumers(Each))
        Out[Each] |= std::uint32_t(1) << Consumer;
    }
  }

  bool closed(std::uint32_t Set) const {
    for (Node Each = 0; Each < G.size(); ++Each)
      if ((Set >> Each & 1) && (In[Each] & ~Set))
        return false;
    return true;
  }

  bool ready(std::uint32_t Set, Node Each) const { return !(Set >> Each & 1) && !(In[Each] & ~Set); }

  Bytes live(std::uint32_t Set) const {
    Bytes Sum = 0;
    for (Node Each = 0; Each < G.size(); ++Each)
      if ((Set >> Each & 1) && (Out[Each] == 0 || (Out[Each] & ~Set)))
        Sum += G[Each].Output;
    return Sum;
  }

  /// The least peak of all orders.
  Bytes leastPeak() const {
    const std::uint32_t Full = (std::uint32_t(1) << G.size()) - 1;
    std::vector<Bytes> Least(Full + std::size_t(1), -1);
    Least[0] = 0;
    for (std::uint32_t Set = 0; Set < Full; ++Set) {
      if (Least[Set] < 0)
        continue;
      const Bytes Live = live(Set);
      for (Node Each = 0; Each < G.size(); ++Each)
        if (ready(Set, Each)) {
          const Bytes Peak = std::max(Least[Set], Live + G[Each].Output + G[Each].Work);
          Bytes &There = Least[Set | std::uint32_t(1) << Each];
          There = There < 0 ? Peak : std::min(There, Peak);
        }
    }
    return Least[Full];
  }

  /// The most that is held when any number of nodes run at a time.
  Bytes mostInParallel() const {
    Bytes Most = 0;
    for (std::uint32_t Set = 0; Set < std::uint32_t(1) << G.size(); ++Set)
      if (closed(Set)) {
        Bytes Held = live(Set);
        for (Node Each = 0; Each < G.size(); ++Each)
          if (ready(Set, Each))
            Held += Bytes(G[Each].Output) + G[Each].Work;
        Most = std::max(Most, Held);
      }
    return Most;
  }

private:
  const Graph &G;
  std::vector<std::uint32_t> In, Out;
};

} // namespace memshape::graph
