// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/makespan/BackwardSchedule.h"
#include "model/makespan/MakespanBound.h"
#include "model/scheduling/Heuristics.h"
#include "model/scheduling/Sequential.h"
#include "test/unit/model/Simulation.h"

#include "Gives.h"
#include <gtest/gtest.h>

namespace memshape::scheduling {
using namespace graph;

/// Times with a fraction: their sums are rounded. Least: of a task.
static Graph withTimes(Random &R, const Graph &G, std::int64_t Least) {
  return withTasks(
      G, [&](const Task &Of) { return Task{Of.Output, Of.Work, static_cast<double>(from(R, Least, 40)) / 10}; });
}

TEST(BackwardSchedule, MemoryIsNeverExceeded) {
  Random R(81);
  for (int I = 0; I < graph::randomCount(1000); ++I) {
    const auto Count = static_cast<std::size_t>(from(R, 1, 30));
    const bool Timed = I % 4 > 0;
    const Graph Forest = randomForest(R, Count, 30, from(R, 1, 30), static_cast<int>(from(R, 1, 3)));
    const Graph G = withTimes(R, graph::sometimesInPlace(R, Forest), Timed ? 1 : 0);
    const std::vector<Node> Order = I % 2 ? depthFirst(G) : leastPeak(G).Order;
    const Bytes Least = peakOf(G, Order), Memory = Least + (I % 8 < 2 ? 0 : from(R, 0, plain(Least)));
    const auto Processors = static_cast<std::uint32_t>(from(R, 1, 5));
    const std::vector<Node> Searched = shorterOrder(G, Order, Processors, Memory, {Count * 20, 0});
    ASSERT_TRUE(isOrderOf(G, Searched));
    ASSERT_LE(plain(peakOf(G, Searched)), plain(Memory));
    const double Before = *backwardMakespan(G, Order, Processors, Memory);
    ASSERT_LE(*backwardMakespan(G, Searched, Processors, Memory), Before);
    for (const std::vector<Node> &By : {Order, Searched}) {
      ASSERT_GIVES(const TimedSchedule Found, backwardSchedule(G, By, Processors, Memory));
      ASSERT_TRUE(isOrderOf(G, Found.Order)) << "forest " << I;
      ASSERT_LE(plain(Found.Peak), plain(Memory));
      ASSERT_LE(Found.Makespan, *backwardMakespan(G, By, Processors, Memory) * (1 + 1e-12));
      ASSERT_GE(Found.Makespan, makespanLowerBound(G, Processors, Memory) * (1 - 1e-12));
      expectInTime(G, Found);
      if (Timed) {
        ASSERT_EQ(plain(heldAtMost(G, Found, Processors)), plain(Found.Peak));
      }
    }
  }
}

TEST(BackwardSchedule, TheLongTasksNearTheRootRunBesideTheSmallOnes) {
  // Four leaves of 3, then a chain of 1 and 10, and the root of 1.
  const Graph G = *Graph::make({{1, 0, 3}, {1, 0, 3}, {1, 0, 3}, {1, 0, 3}, {1, 0, 1}, {1, 0, 10}, {1, 0, 1}},
                               {{}, {}, {}, {}, {}, {4}, {0, 1, 2, 3, 5}});
  const std::vector<Node> Order = {0, 1, 2, 3, 4, 5, 6};
  EXPECT_DOUBLE_EQ(listSchedule(G, Order, 2, 100, Priority::Order).Makespan, 18);
  const TimedSchedule Found = *backwardSchedule(G, Order, 2, 100);
  EXPECT_DOUBLE_EQ(Found.Makespan, 13);
  EXPECT_EQ(plain(Found.Peak), 6);
  EXPECT_FALSE(backwardSchedule(G, Order, 2, 5)); // the root alone needs 6
}

TEST(OrderSearch, TasksThatFillTheMemoryTogetherComeTogether) {
  const Graph G = *Graph::make({{0, 6, 4}, {0, 5, 4}, {0, 4, 4}, {0, 5, 4}}, {{}, {}, {}, {}});
  const std::vector<Node> Order = {0, 1, 2, 3};
  EXPECT_DOUBLE_EQ(*backwardMakespan(G, Order, 2, 10), 12); // 5 and 4, 5, 6
  EXPECT_DOUBLE_EQ(*backwardMakespan(G, shorterOrder(G, Order, 2, 10, {1000, 8}), 2, 10), 8);
  EXPECT_EQ(shorterOrder(G, Order, 2, 10, {1000, 12}), Order); // short enough
  EXPECT_EQ(shorterOrder(G, Order, 2, 10, {3, 0}), Order);     // no try has so few nodes
}
} // namespace memshape::scheduling
