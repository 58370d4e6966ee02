// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/makespan/ListSchedule.h"
#include "model/makespan/MakespanBound.h"
#include "model/scheduling/Sequential.h"
#include "test/unit/model/Simulation.h"

#include <gtest/gtest.h>

namespace memshape::scheduling {
using namespace graph;

TEST(ListSchedule, MemoryIsNeverExceeded) {
  Random R(21);
  for (int I = 0; I < 1000; ++I) {
    const auto Count = static_cast<std::size_t>(from(R, 1, 24));
    Graph G =
        sometimesInPlace(R, I % 2 ? randomForest(R, Count, 30, from(R, 1, 24)) : randomGraph(R, Count, 30, 0.2, 12));
    const bool Timed = I % 4 > 1;
    if (Timed) // moments with a length
      G = withTasks(G, [](const Task &Of) { return Task{Of.Output, Of.Work, Of.Time + 1}; });
    const SequentialOrder Order = leastPeak(G);
    const auto Processors = static_cast<std::uint32_t>(from(R, 1, 5));
    const Bytes Memory = Order.Peak + from(R, 0, plain(Order.Peak));
    for (Priority By : {Priority::LongestPath, Priority::Order}) {
      const TimedSchedule Found = listSchedule(G, Order.Order, Processors, Memory, By);
      ASSERT_TRUE(isOrderOf(G, Found.Order));
      ASSERT_LE(plain(Found.Peak), plain(Memory));
      ASSERT_GE(Found.Makespan, makespanLowerBound(G, Processors, Memory) - 1e-9);
      expectInTime(G, Found);
      if (Timed) {
        ASSERT_EQ(plain(heldAtMost(G, Found, Processors)), plain(Found.Peak));
      }
    }
  }
}

TEST(ListSchedule, WindowsOfTheOrderKeepTheMemoryToo) {
  Random R(24);
  for (int I = 0; I < 300; ++I) {
    const Graph G = sometimesInPlace(R, randomGraph(R, static_cast<std::size_t>(from(R, 1, 24)), 30, 0.2, 12));
    const SequentialOrder Order = leastPeak(G);
    const auto Processors = static_cast<std::uint32_t>(from(R, 1, 5));
    const Bytes Memory = Order.Peak + from(R, 0, plain(Order.Peak));
    const TimedSchedule Found = shortestAhead(G, Order.Order, Processors, Memory, 10'000, 0);
    ASSERT_TRUE(isOrderOf(G, Found.Order));
    ASSERT_LE(plain(Found.Peak), plain(Memory));
    ASSERT_GE(Found.Makespan, makespanLowerBound(G, Processors, Memory) - 1e-9);
    expectInTime(G, Found);
  }
}

TEST(ListSchedule, ChainsThatAreAlikeBecomeAPipeline) {
  // Of each shot two fields (300 + 40) and an image (8 + 4); all fields read the model, the stack reads all images.
  constexpr Node Shots = 40;
  std::vector<graph::Task> Tasks = {{8, 0, 1}};
  std::vector<std::vector<Node>> Inputs = {{}};
  std::vector<Node> Images;
  for (Node Shot = 0; Shot < Shots; ++Shot) {
    const Node Read = static_cast<Node>(Tasks.size());
    Tasks.insert(Tasks.end(), {{20, 0, 0.1}, {300, 40, 1}, {300, 40, 1}, {8, 4, 1}});
    Inputs.insert(Inputs.end(), {{}, {0}, {0, Read}, {Read + 1, Read + 2}});
    Images.push_back(Read + 3);
  }
  Tasks.push_back({8, 0, 1});
  Inputs.push_back(Images);
  const Graph G = *Graph::make(Tasks, Inputs);
  const SequentialOrder Order = leastPeak(G);
  EXPECT_NEAR(listSchedule(G, Order.Order, 4, 1536, Priority::Order).Makespan, 82.1, 1e-9);
  const TimedSchedule Found = shortestAhead(G, Order.Order, 4, 1536, 100'000, 0);
  EXPECT_LE(Found.Makespan, 51.2);
  EXPECT_EQ(plain(heldAtMost(G, Found, 4)), plain(Found.Peak));
  EXPECT_LE(plain(Found.Peak), 1536);
}

TEST(ListSchedule, EnoughMemoryLeavesNoProcessorIdle) {
  Random R(22);
  for (int I = 0; I < 200; ++I) {
    const Graph G = randomGraph(R, 20, 30, 0.2, 12);
    const TimedSchedule Found = listSchedule(G, G.topological(), 3, Bytes(INT64_MAX), Priority::LongestPath);
    // Graham 1966: a list schedule is within 2 - 1/p of the bound.
    EXPECT_LE(Found.Makespan, (2 - 1.0 / 3) * makespanLowerBound(G, 3, Bytes(INT64_MAX)) + 1e-9);
    const TimedSchedule One = listSchedule(G, G.topological(), 1, Bytes(INT64_MAX), Priority::Order);
    EXPECT_DOUBLE_EQ(One.Makespan, makespanLowerBound(G, 1, Bytes(INT64_MAX)));
  }
}

TEST(ListSchedule, TwoTasksRunTogetherOnlyWhereBothFit) {
  const Graph G = *Graph::make({{10, 90, 2}, {10, 80, 2}, {5, 0, 1}}, {{}, {}, {0, 1}});
  const std::vector<Node> Order = {0, 1, 2}; // 100, then 100, then 25
  EXPECT_DOUBLE_EQ(listSchedule(G, Order, 2, 190, Priority::Order).Makespan, 3);
  EXPECT_DOUBLE_EQ(listSchedule(G, Order, 2, 189, Priority::Order).Makespan, 5);
}

TEST(ListSchedule, ManyNodesInATree) {
  Random R(23);
  const Graph G = randomForest(R, 67'000, 1000, 200);
  const SequentialOrder Order = leastPeak(G);
  const TimedSchedule Found = listSchedule(G, Order.Order, 4, Order.Peak * 3 / 2, Priority::LongestPath);
  EXPECT_LE(plain(Found.Peak), plain(Order.Peak * 3 / 2));
  EXPECT_TRUE(isOrderOf(G, Found.Order));
}
} // namespace memshape::scheduling
