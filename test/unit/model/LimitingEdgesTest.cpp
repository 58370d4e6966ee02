// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/makespan/LimitingEdges.h"
#include "model/scheduling/ParallelPeak.h"
#include "model/scheduling/Sequential.h"
#include "test/unit/model/RandomGraphs.h"

#include <gtest/gtest.h>

namespace memshape::scheduling {
using namespace graph;

constexpr std::size_t MostWork = 40'000'000;

/// The most that any execution holds, with the edges: sets of ended nodes as bits, written apart from the model.
static std::int64_t mostWith(const Graph &G, const std::vector<Edge> &Edges) {
  std::vector<std::uint32_t> Before(G.size()), Consumers(G.size());
  for (Node Each = 0; Each < G.size(); ++Each) {
    for (Node Input : G.inputs(Each))
      Before[Each] |= 1u << Input;
    for (Node Consumer : G.consumers(Each))
      Consumers[Each] |= 1u << Consumer;
  }
  for (const Edge &Each : Edges)
    Before[Each.To] |= 1u << Each.From;
  std::int64_t Most = 0;
  for (std::uint32_t Ended = 0; Ended < 1u << G.size(); ++Ended) {
    std::int64_t Held = 0;
    for (Node Each = 0; Each < G.size() && Held >= 0; ++Each) {
      const bool Can = (Before[Each] & ~Ended) == 0;
      if (Ended >> Each & 1)
        Held = !Can ? -1 : Held + (Consumers[Each] == 0 || (Consumers[Each] & ~Ended) ? G[Each].Output : 0);
      else if (Can)
        Held += G[Each].Output + G[Each].Work;
    }
    Most = std::max(Most, Held);
  }
  return Most;
}

static Graph plainGraph(Random &R, int I) {
  const auto Count = static_cast<std::size_t>(from(R, 1, 11));
  const auto Back = from(R, 2, 12);
  if (I % 3 == 0)
    return randomForest(R, Count, 30, Back, static_cast<int>(from(R, 1, 3)));
  if (I % 3 == 1)
    return randomSeriesParallel(R, Count, 30, 0.5);
  return randomGraph(R, Count, 30, static_cast<double>(from(R, 10, 70)) / 100, static_cast<std::size_t>(Back));
}

static Graph anyGraph(Random &R, int I) { return sometimesInPlace(R, plainGraph(R, I)); }

static double longestPath(const Graph &G) {
  std::vector<double> Until(G.size());
  double Longest = 0;
  for (Node Each : G.topological()) {
    for (Node Earlier : G.before(Each))
      Until[Each] = std::max(Until[Each], Until[Earlier]);
    Longest = std::max(Longest, Until[Each] += G[Each].Time);
  }
  return Longest;
}

TEST(LimitingEdges, EveryExecutionStaysWithinTheMemory) {
  Random R(1);
  const int Count = graph::randomCount(1000);
  for (int I = 0; I < Count; ++I) {
    const Graph G = anyGraph(R, I);
    const SequentialOrder Best = leastPeak(G);
    const std::int64_t Most = mostWith(G, {});
    const Bytes Memory = from(R, plain(Best.Peak), std::max(plain(Best.Peak), Most));
    const LimitingEdges Found = limitingEdges(G, Best.Order, Memory, MostWork);
    const std::optional<Graph> With = G.withEdges(Found.Edges);
    ASSERT_TRUE(With) << "graph " << I;
    ASSERT_EQ(plain(Found.Most), mostWith(G, Found.Edges)) << "graph " << I;
    ASSERT_LE(plain(Found.Most), plain(Memory));
    ASSERT_EQ(Found.LongestPath, longestPath(*With));
    ASSERT_EQ(Found.Edges.empty(), Memory >= Most);
    for (std::size_t Without = 0; Without < Found.Edges.size(); ++Without) { // each of them is needed
      std::vector<Edge> Fewer = Found.Edges;
      Fewer.erase(Fewer.begin() + static_cast<std::ptrdiff_t>(Without));
      ASSERT_GT(mostWith(G, Fewer), plain(Memory)) << "graph " << I;
    }
  }
}

TEST(LimitingEdges, WithoutWorkNodesRunOneAfterTheOther) {
  Random R(2);
  for (int I = 0; I < 300; ++I) {
    const Graph G = anyGraph(R, I);
    const SequentialOrder Best = leastPeak(G);
    const LimitingEdges Found = limitingEdges(G, Best.Order, Best.Peak, 0);
    ASSERT_LE(mostWith(G, Found.Edges), plain(Best.Peak)) << "graph " << I;
    ASSERT_EQ(plain(Found.Most), mostWith(G, Found.Edges));
  }
}

TEST(LimitingEdges, IndependentTasksRunAsManyAtATimeAsFit) {
  std::vector<graph::Task> Tasks(12, {0, 10, 1});
  const Graph G = *Graph::make(Tasks, std::vector<std::vector<Node>>(12));
  const LimitingEdges Found = limitingEdges(G, G.topological(), 30, MostWork);
  EXPECT_EQ(plain(Found.Most), 30);
  EXPECT_EQ(Found.LongestPath, 4);
  EXPECT_EQ(Found.Edges.size(), 9u); // three chains of four
}

TEST(ParallelPeak, EdgesWithoutDataHoldNothing) {
  Random R(3);
  for (int I = 0; I < 1000; ++I) {
    const Graph G = anyGraph(R, I);
    std::vector<Edge> Edges;
    for (int J = 0; J < 4 && G.size() > 1; ++J) {
      const auto At = static_cast<std::size_t>(from(R, 0, G.size() - 2));
      const auto Later = static_cast<std::size_t>(from(R, static_cast<std::int64_t>(At) + 1, G.size() - 1));
      Edges.push_back({G.topological()[At], G.topological()[Later]});
    }
    const Graph With = *G.withEdges(Edges);
    ASSERT_EQ(plain(mostInParallel(With, SIZE_MAX).Found), mostWith(G, Edges)) << "graph " << I;
    const std::int64_t Limit = from(R, 0, mostWith(G, {}));
    const SetAbove Found = setAbove(With, Limit, SIZE_MAX);
    ASSERT_EQ(Found.None, mostWith(G, Edges) <= Limit);
    ASSERT_EQ(Found.Ended.empty(), Found.None);
    if (!Found.None)
      ASSERT_GT(plain(heldAfter(With, Found.Ended)), Limit);
  }
}

TEST(Graph, EdgesMakeNoCycle) {
  const Graph G = *Graph::make(std::vector<graph::Task>(3), {{}, {0}, {1}});
  const std::vector<Edge> Back = {{2, 0}}, Known = {{0, 1}}, Itself = {{1, 1}}, Far = {{0, 2}};
  EXPECT_FALSE(G.withEdges(Back));
  EXPECT_FALSE(G.withEdges(Itself));
  EXPECT_FALSE(G.withEdges(Known)->hasEdgesWithoutData());
  EXPECT_TRUE(G.withEdges(Far)->hasEdgesWithoutData());
  EXPECT_EQ(G.withEdges(Far)->before(2).size(), 2u);
  EXPECT_EQ(G.withEdges(Far)->inputs(2).size(), 1u);
}
} // namespace memshape::scheduling
