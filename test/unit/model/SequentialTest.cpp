// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/scheduling/Sequential.h"
#include "model/scheduling/DownSetSearch.h"
#include "model/scheduling/LowerBound.h"
#include "test/unit/model/RandomGraphs.h"

#include <gtest/gtest.h>

namespace memshape::scheduling {
using graph::from;
using graph::plain;
using graph::Random;
using graph::randomGraph;
using graph::sometimesInPlace;
using graph::Task;
using AllDownSets = graph::DownSets;

static Graph anyGraph(Random &R, std::size_t Most) {
  const auto Count = static_cast<std::size_t>(from(R, 2, static_cast<std::int64_t>(Most)));
  const double Probability = static_cast<double>(from(R, 5, 60)) / 100;
  return sometimesInPlace(
      R, randomGraph(R, Count, from(R, 0, 2) ? 100 : 4, Probability, static_cast<std::size_t>(from(R, 2, 16))));
}

TEST(Sequential, SmallGraphsAreSolved) {
  Random R(5);
  for (int I = 0; I < 1000; ++I) {
    const Graph G = anyGraph(R, 16);
    const SequentialOrder Found = leastPeak(G);
    const std::int64_t Truth = plain(AllDownSets(G).leastPeak());
    ASSERT_TRUE(isOrderOf(G, Found.Order));
    ASSERT_EQ(plain(Found.Peak), Truth) << "graph " << I;
    ASSERT_EQ(plain(peakOf(G, Found.Order)), Truth);
    ASSERT_EQ(plain(Found.LowerBound), Truth);
    ASSERT_TRUE(Found.Optimal);
  }
}

TEST(Sequential, BoundsHoldAndSearchAlone) {
  Random R(6);
  for (int I = 0; I < 400; ++I) {
    const Graph G = anyGraph(R, 14);
    const std::int64_t Truth = plain(AllDownSets(G).leastPeak());
    ASSERT_LE(plain(simpleLowerBound(G)), Truth);
    const Bytes Cut = cutLowerBound(G, G.topological(), SIZE_MAX);
    ASSERT_LE(plain(Cut), Truth);
    // From nothing known, and from a bound; cut off after some sets.
    const SearchResult Found = searchDownSets(G, Bytes(INT64_MAX), 0, SIZE_MAX);
    ASSERT_TRUE(Found.Ended && isOrderOf(G, Found.Order));
    ASSERT_EQ(plain(peakOf(G, Found.Order)), Truth);
    ASSERT_EQ(plain(Found.LowerBound), Truth);
    const SearchResult Cut1 = searchDownSets(G, Bytes(INT64_MAX), Cut, static_cast<std::size_t>(from(R, 1, 4000)));
    ASSERT_LE(plain(Cut1.LowerBound), Truth);
    const SearchResult None = searchDownSets(G, Bytes(Truth), Cut, SIZE_MAX);
    ASSERT_TRUE(None.Ended && None.Order.empty());
    ASSERT_EQ(plain(None.LowerBound), Truth);
    for (const Direction Going : {Direction::Forward, Direction::Backward}) {
      const std::vector<Node> Order = beamOrder(G, Going, Cut, 3).Order;
      ASSERT_TRUE(isOrderOf(G, Order));
      ASSERT_GE(plain(peakOf(G, Order)), Truth);
    }
  }
}

TEST(Sequential, TheLeastThatIsHeldWhileANodeRunsIsThatOfAllSets) {
  Random R(8);
  for (int I = 0; I < 300; ++I) {
    const Graph G = anyGraph(R, 11);
    const AllDownSets All(G);
    for (Node Each = 0; Each < G.size(); ++Each) {
      Bytes Least = -1;
      for (std::uint32_t Set = 0; Set < std::uint32_t(1) << G.size(); ++Set)
        if (All.closed(Set) && All.ready(Set, Each)) {
          const Bytes Held = All.live(Set) + G[Each].Output + G[Each].Work;
          Least = Least < 0 ? Held : std::min(Least, Held);
        }
      ASSERT_EQ(plain(leastWhileRunning(G, Each)), plain(Least));
    }
  }
}

TEST(Sequential, NarrowGraphsAreSolved) {
  Random R(9);
  for (const std::size_t Count : {60, 100})
    for (int I = 0; I < 50; ++I) {
      const Graph G = randomGraph(R, Count, 1000, 0.3, 6);
      const SequentialOrder Found = leastPeak(G);
      EXPECT_TRUE(Found.Optimal) << "graph " << I << " of " << Count;
      EXPECT_TRUE(isOrderOf(G, Found.Order));
      EXPECT_EQ(plain(peakOf(G, Found.Order)), plain(Found.Peak));
    }
}

// A root whose outputs are many: from the beginning each set of them can come first, from the end each ends at once.
TEST(Sequential, TheSearchEndsFromTheEndThatIsNarrower) {
  std::vector<Task> Tasks = {{1, 0, 1}};
  std::vector<std::vector<Node>> Inputs = {{}};
  for (Node Each = 1; Each <= 40; ++Each) {
    Tasks.push_back({10, Each, 1});
    Inputs.push_back({0});
  }
  const Graph G = *Graph::make(Tasks, Inputs);
  // The node with the most work first, and so on: 1 + 10 + 40, and so on to 1 + 400 + 1.
  const SearchResult Found = searchDownSets(G, Bytes(INT64_MAX), 0, 1'000'000);
  ASSERT_TRUE(Found.Ended && isOrderOf(G, Found.Order));
  EXPECT_EQ(plain(Found.LowerBound), 402);
  EXPECT_EQ(plain(peakOf(G, Found.Order)), 402);
}

TEST(DownSets, StepsBackUndoStepsForward) {
  Random R(11);
  for (int I = 0; I < 300; ++I) {
    const Graph G = anyGraph(R, 130);
    const DownSets Forward(G), Backward(G, Direction::Backward);
    const std::vector<Node> &Order = G.topological();
    std::vector<Bytes> Live = {Forward.liveAtFirst()}, Held;
    std::vector<DownSets::Word> Set = Forward.empty();
    for (Node Each : Order) {
      const DownSets::Step Step = Forward.step(Set.data(), Each);
      Held.push_back(Live.back() + Step.Needs);
      Live.push_back(Live.back() + Step.Leaves);
      Forward.insert(Set.data(), Each);
    }
    ASSERT_TRUE(Forward.isFull(Set.data()));
    ASSERT_TRUE(Held == heldDuring(G, Order));
    ASSERT_EQ(plain(Live.back()), plain(Backward.liveAtFirst()));
    Set = Backward.empty();
    std::vector<DownSets::Step> Steps;
    for (std::size_t Left = Order.size(); Left > 0; --Left) {
      const Node Each = Order[Left - 1];
      Backward.steps(Set.data(), Steps);
      const auto Found = std::find_if(Steps.begin(), Steps.end(), [&](const auto &Step) { return Step.Of == Each; });
      ASSERT_NE(Found, Steps.end());
      ASSERT_EQ(plain(Live[Left] + Found->Needs), plain(Held[Left - 1]));
      ASSERT_EQ(plain(Live[Left] + Found->Leaves), plain(Live[Left - 1]));
      Backward.insert(Set.data(), Each);
    }
    ASSERT_TRUE(Backward.isFull(Set.data()));
  }
}

TEST(Sequential, WhatIsNotProvenHasABoundBelow) {
  Random R(10);
  for (const std::size_t Count : {120, 1500}) {
    const Graph G = randomGraph(R, Count, 1000, 3.0 / 64, 64);
    const SequentialOrder Found = leastPeak(G);
    EXPECT_TRUE(isOrderOf(G, Found.Order));
    EXPECT_LE(plain(Found.LowerBound), plain(Found.Peak));
    EXPECT_EQ(Found.Optimal, Found.LowerBound == Found.Peak);
    EXPECT_EQ(plain(Found.Peak), plain(peakOf(G, Found.Order)));
  }
}
} // namespace memshape::scheduling
