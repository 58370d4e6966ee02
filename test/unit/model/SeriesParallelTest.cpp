// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/scheduling/Sequential.h"
#include "model/series_parallel/Releases.h"
#include "model/series_parallel/SeriesParallelOrder.h"
#include "test/unit/model/RandomGraphs.h"

#include "Gives.h"
#include <gtest/gtest.h>

namespace memshape::series_parallel {
using namespace graph;

static Graph anySeriesParallel(Random &R, std::int64_t Most) {
  return graph::sometimesInPlace(R, randomSeriesParallel(R, static_cast<std::size_t>(from(R, 2, Most)),
                                                         from(R, 0, 2) ? 100 : 4,
                                                         static_cast<double>(from(R, 10, 90)) / 100));
}

TEST(SeriesParallel, BestOfAllOrders) {
  Random R(41);
  for (int I = 0; I < graph::randomCount(1000); ++I) {
    const Graph G = anySeriesParallel(R, 14);
    const std::optional<SeriesParallelOrder> Found = seriesParallelOrder(G, SIZE_MAX);
    ASSERT_TRUE(Found && isOrderOf(G, Found->Order)) << "graph " << I;
    const std::int64_t Truth = plain(graph::DownSets(G).leastPeak());
    ASSERT_EQ(plain(Found->Peak), Truth) << "graph " << I;
    ASSERT_EQ(plain(Found->LowerBound), Truth) << "graph " << I;
    ASSERT_EQ(plain(peakOf(G, Found->Order)), Truth);
    // Cut off after the first try, and in the midst of a region.
    for (const std::size_t Work : {std::size_t(0), static_cast<std::size_t>(from(R, 1, 300))}) {
      const std::optional<SeriesParallelOrder> Cut = seriesParallelOrder(G, Work);
      ASSERT_LE(plain(Cut->LowerBound), Truth);
      ASSERT_GE(plain(Cut->Peak), Truth);
      ASSERT_EQ(plain(peakOf(G, Cut->Order)), plain(Cut->Peak));
    }
    // What the search ahead of other methods answers.
    const scheduling::SequentialOrder All = scheduling::leastPeak(G);
    ASSERT_TRUE(All.Optimal);
    ASSERT_EQ(plain(All.Peak), Truth);
  }
}

TEST(SeriesParallel, NodesWithoutBytesHideNoFall) {
  // 1 and 4 read 0, and so does 2, after 1; 3 reads 2. 0 ends with 2 or with 4.
  const Graph G = *Graph::make({{3, 0}, {0, 0}, {1, 0}, {1, 0}, {1, 0}}, {{}, {0}, {0, 1}, {2}, {0}});
  ASSERT_GIVES(const SeriesParallelOrder Found, seriesParallelOrder(G, SIZE_MAX));
  EXPECT_EQ(plain(Found.Peak), 5);
  EXPECT_EQ(plain(Found.LowerBound), 5);
}

TEST(SeriesParallel, BytesOnEdgesNeedOneTry) {
  Random R(42);
  for (int I = 0; I < graph::randomCount(300); ++I) {
    const Graph G = withBytesOnEdges(R, anySeriesParallel(R, 6), 9);
    ASSERT_LE(G.size(), 24u);
    ASSERT_GIVES(Decomposition Parts, decompose(G));
    EXPECT_TRUE(releasesOf(G, Parts).Open.empty());
    const std::optional<SeriesParallelOrder> Found = seriesParallelOrder(G, 0);
    ASSERT_EQ(plain(Found->Peak), plain(Found->LowerBound));
    if (G.size() <= 16) {
      ASSERT_EQ(plain(Found->Peak), plain(graph::DownSets(G).leastPeak()));
    }
  }
}

/// Which nodes come before which, by the parts: entry [v][w].
static std::vector<std::vector<bool>> before(const Decomposition &Of, std::size_t Count) {
  std::vector<std::vector<bool>> Before(Count, std::vector<bool>(Count, false));
  std::vector<std::vector<Node>> Jobs(Of.Parts.size());
  for (std::uint32_t Each : Of.bottomUp()) {
    const Decomposition::Part &Part = Of.Parts[Each];
    if (Part.Is == Decomposition::Kind::Job && Part.Job < Count)
      Jobs[Each] = {Part.Job};
    for (std::uint32_t Inner : Part.Parts) {
      if (Part.Is == Decomposition::Kind::Series)
        for (Node From : Jobs[Each])
          for (Node To : Jobs[Inner])
            Before[From][To] = true;
      Jobs[Each].insert(Jobs[Each].end(), Jobs[Inner].begin(), Jobs[Inner].end());
    }
  }
  EXPECT_TRUE(Of.Root == None || Jobs[Of.Root].size() == Count);
  return Before;
}

TEST(SeriesParallel, PartsSayWhatComesBeforeWhat) {
  Random R(43);
  int Some = 0;
  for (int I = 0; I < graph::randomCount(2000); ++I) {
    const Graph G =
        I % 2 ? anySeriesParallel(R, 20) : graph::randomGraph(R, static_cast<std::size_t>(from(R, 1, 8)), 9, 0.3, 8);
    const std::optional<Decomposition> Parts = decompose(G);
    ASSERT_TRUE(Parts || I % 2 == 0);
    if (!Parts)
      continue;
    ++Some;
    std::vector<std::vector<bool>> Reached(G.size(), std::vector<bool>(G.size(), false));
    for (Node To : G.topological())
      for (Node Input : G.inputs(To)) {
        Reached[Input][To] = true;
        for (Node From = 0; From < G.size(); ++From)
          Reached[From][To] = Reached[From][To] || Reached[From][Input];
      }
    ASSERT_EQ(before(*Parts, G.size()), Reached) << "graph " << I;
  }
  EXPECT_GT(Some, graph::randomCount(2000) / 2);
}

TEST(SeriesParallel, BridgesAreNot) {
  // 0 before 1 and 2, both before 3, and 1 before 2's other reader.
  EXPECT_FALSE(decompose(*Graph::make(std::vector<Task>(6), {{}, {0}, {0}, {1}, {1, 2}, {3, 4}})));
  // Two nodes that read the same two.
  EXPECT_TRUE(decompose(*Graph::make(std::vector<Task>(4), {{}, {}, {0, 1}, {1, 0}})));
  EXPECT_FALSE(decompose(*Graph::make(std::vector<Task>(4), {{}, {}, {0, 1}, {1}})));
  EXPECT_TRUE(decompose(*Graph::make({}, std::vector<std::vector<Node>>())));
}

/// Blocks one after the other: a node, nodes beside each other that read it and are read by one node, which reads the
/// first one as well.
TEST(SeriesParallel, AHundredThousandNodesInBlocksWithShortCuts) {
  Random R(44);
  std::vector<Task> Tasks = {{5, 0}};
  std::vector<std::vector<Node>> Inputs = {{}};
  Bytes Truth = 5;
  while (Tasks.size() < 100'000) {
    const Node First = static_cast<Node>(Tasks.size() - 1);
    std::vector<Node> Last = {First};
    Bytes Held = Tasks[First].Output;
    for (std::int64_t I = 0, Count = from(R, 1, 40); I < Count; ++I) {
      Last.push_back(static_cast<Node>(Tasks.size()));
      Tasks.push_back({from(R, 0, 1000), 0});
      Inputs.push_back({First});
      Held += Tasks.back().Output;
    }
    Tasks.push_back({from(R, 0, 1000), 0});
    Inputs.push_back(std::move(Last));
    Truth = std::max(Truth, Held + Tasks.back().Output);
  }
  const Graph G = *Graph::make(Tasks, Inputs);
  const scheduling::SequentialOrder Found = scheduling::leastPeak(G);
  EXPECT_EQ(Found.Method, "series-parallel");
  EXPECT_TRUE(Found.Optimal && isOrderOf(G, Found.Order));
  EXPECT_EQ(plain(Found.Peak), plain(Truth));
}

TEST(SeriesParallel, LayersThatReadWholeLayers) {
  // Three layers of 400 nodes; each reads the whole layer before it.
  std::vector<Task> Tasks(1200, Task{1, 0});
  std::vector<std::vector<Node>> Inputs(1200);
  for (Node Each = 400; Each < 1200; ++Each)
    for (Node I = 0; I < 400; ++I)
      Inputs[Each].push_back(Each / 400 * 400 - 400 + I);
  const Graph G = *Graph::make(Tasks, Inputs);
  ASSERT_GIVES(const SeriesParallelOrder Found, seriesParallelOrder(G, 0));
  EXPECT_EQ(plain(Found.Peak), 800);
  EXPECT_EQ(plain(Found.LowerBound), 800);
}

TEST(SeriesParallel, WhatIsNotProvenHasABoundBelow) {
  Random R(45);
  for (int I = 0; I < 5; ++I) {
    const Graph G = randomSeriesParallel(R, 20'000, 1000, 0.5);
    const std::optional<SeriesParallelOrder> Found = seriesParallelOrder(G, 1'000'000);
    ASSERT_TRUE(Found && isOrderOf(G, Found->Order));
    EXPECT_EQ(plain(Found->Peak), plain(peakOf(G, Found->Order)));
    EXPECT_LE(plain(Found->LowerBound), plain(Found->Peak));
  }
}
} // namespace memshape::series_parallel
