// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/makespan/MemoryBooking.h"
#include "model/makespan/MakespanBound.h"
#include "model/scheduling/TreeOrder.h"
#include "test/unit/model/Simulation.h"

#include <gtest/gtest.h>

namespace memshape::scheduling {
namespace {

using graph::from;
using graph::Random;
using graph::randomForest;
using graph::Task;

std::int64_t plain(Bytes Of) { return static_cast<std::int64_t>(Of); }

/// Tasks that all take time: moments have a length.
Graph timedForest(Random &R, std::size_t Count, std::int64_t Back, int Roots) {
  const Graph G = graph::sometimesInPlace(R, randomForest(R, Count, 30, Back, Roots));
  std::vector<Task> Tasks;
  std::vector<std::vector<Node>> Inputs;
  for (Node Each = 0; Each < G.size(); ++Each) {
    Tasks.push_back({G[Each].Output, G[Each].Work, G[Each].Time + 1});
    Inputs.emplace_back(G.inputs(Each).begin(), G.inputs(Each).end());
  }
  return *Graph::make(Tasks, Inputs);
}

TEST(MemoryBooking, PostordersAlwaysEndWithinTheMemory) {
  Random R(51);
  for (int I = 0; I < graph::randomCount(1000); ++I) {
    const auto Count = static_cast<std::size_t>(from(R, 1, 30));
    const Graph G = timedForest(R, Count, from(R, 1, 30), static_cast<int>(from(R, 1, 3)));
    const std::vector<Node> Order = I % 2 ? bestPostorder(G) : optimalTreeOrder(G);
    const Bytes Least = peakOf(G, Order), Memory = Least + (I % 4 < 2 ? 0 : from(R, 0, plain(Least)));
    const auto Processors = static_cast<std::uint32_t>(from(R, 1, 5));
    for (Booking By : {Booking::Missing, Booking::Whole}) {
      const std::optional<TimedSchedule> Found = bookedSchedule(G, Order, Processors, Memory, By, SIZE_MAX);
      ASSERT_TRUE(Found || By == Booking::Whole) << "forest " << I;
      if (!Found)
        continue;
      ASSERT_TRUE(isOrderOf(G, Found->Order));
      ASSERT_LE(plain(Found->Peak), plain(Memory));
      ASSERT_EQ(plain(heldAtMost(G, *Found, Processors)), plain(Found->Peak));
      ASSERT_GE(Found->Makespan, makespanLowerBound(G, Processors, Memory) - 1e-9);
      for (Node Each = 0; Each < G.size(); ++Each)
        for (Node Input : G.inputs(Each))
          ASSERT_LE(Found->Start[Input] + G[Input].Time, Found->Start[Each]);
    }
  }
}

TEST(MemoryBooking, WhatOneSubtreeLeavesLetsTheNextOneStart) {
  // Two chains of a leaf of 10 bytes and a node of 1, below a root. One by one they hold 11, then 12 and 3.
  const Graph G = *Graph::make({{10, 0, 1}, {1, 0, 1}, {10, 0, 1}, {1, 0, 1}, {1, 0, 1}}, {{}, {0}, {}, {2}, {1, 3}});
  const std::vector<Node> Order = {0, 1, 2, 3, 4};
  EXPECT_EQ(plain(peakOf(G, Order)), 12);
  EXPECT_DOUBLE_EQ(bookedSchedule(G, Order, 2, 12, Booking::Missing, SIZE_MAX)->Makespan, 5);
  EXPECT_DOUBLE_EQ(bookedSchedule(G, Order, 2, 22, Booking::Missing, SIZE_MAX)->Makespan, 3);
  // 21 bytes hold both leaves and one of the nodes above.
  EXPECT_DOUBLE_EQ(bookedSchedule(G, Order, 2, 21, Booking::Missing, SIZE_MAX)->Makespan, 4);
  EXPECT_FALSE(bookedSchedule(G, Order, 2, 10, Booking::Missing, SIZE_MAX));
}

TEST(MemoryBooking, LessWorkThanNeededIsNoAnswer) {
  Random R(52);
  const Graph G = randomForest(R, 2000, 1000, 1);
  const std::vector<Node> Order = optimalTreeOrder(G);
  EXPECT_TRUE(bookedSchedule(G, Order, 4, peakOf(G, Order) * 2, Booking::Missing, SIZE_MAX));
  EXPECT_FALSE(bookedSchedule(G, Order, 4, peakOf(G, Order) * 2, Booking::Missing, 10));
}

} // namespace
} // namespace memshape::scheduling
