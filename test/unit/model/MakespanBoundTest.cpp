// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/makespan/MakespanBound.h"
#include "test/unit/model/RandomGraphs.h"

#include <gtest/gtest.h>

#include <limits>

namespace memshape::scheduling {
namespace {

using namespace graph;

/// The shortest makespan of all schedules by trying all: a task of a shortest one that does not start at 0 starts where
/// another ends, since it could start at the end before, where no more is held than when it starts.
class ShortestSchedule {
public:
  ShortestSchedule(const Graph &G, std::uint32_t Processors, Bytes Memory)
      : G(G), Processors(Processors), Memory(Memory) {}

  double makespan() {
    startFrom(0, 0, 0, {});
    return Least;
  }

private:
  struct Run {
    Node Of;
    double End;
  };

  static bool has(std::uint32_t Set, Node Each) { return Set >> Each & 1; }

  Bytes held(std::uint32_t Ended, const std::vector<Run> &Runs) const {
    Bytes Sum = 0;
    for (Node Each = 0; Each < G.size(); ++Each) {
      bool Live = has(Ended, Each) && G.consumers(Each).empty();
      for (Node Consumer : G.consumers(Each))
        Live |= has(Ended, Each) && !has(Ended, Consumer);
      Sum += Live ? G[Each].Output : 0;
    }
    for (const Run &Each : Runs)
      Sum += Bytes(G[Each.Of].Output) + G[Each.Of].Work;
    return Sum;
  }

  /// Starts tasks at Now by rising numbers from First, or goes on to the next end.
  void startFrom(Node First, double Now, std::uint32_t Ended, const std::vector<Run> &Runs) {
    if (Now >= Least)
      return;
    if (Ended == (std::uint32_t(1) << G.size()) - 1) {
      Least = Now;
      return;
    }
    std::uint32_t Started = Ended;
    for (const Run &Each : Runs)
      Started |= std::uint32_t(1) << Each.Of;
    for (Node Each = First; Each < G.size() && Runs.size() < Processors; ++Each) {
      bool Ready = !has(Started, Each);
      for (Node Input : G.inputs(Each))
        Ready &= has(Ended, Input);
      std::vector<Run> Then = Runs;
      Then.push_back({Each, Now + G[Each].Time});
      if (!Ready || held(Ended, Then) > Memory)
        continue;
      if (G[Each].Time == 0)
        startFrom(0, Now, Ended | std::uint32_t(1) << Each, Runs); // what it frees lets others start
      else
        startFrom(Each + 1, Now, Ended, Then);
    }
    double End = std::numeric_limits<double>::infinity();
    for (const Run &Each : Runs)
      End = std::min(End, Each.End);
    std::vector<Run> Left;
    for (const Run &Each : Runs)
      if (Each.End <= End)
        Ended |= std::uint32_t(1) << Each.Of;
      else
        Left.push_back(Each);
    if (!Runs.empty())
      startFrom(0, End, Ended, Left);
  }

  const Graph &G;
  std::uint32_t Processors;
  Bytes Memory;
  double Least = std::numeric_limits<double>::infinity();
};

TEST(MakespanBound, NoScheduleIsShorter) {
  Random R(71);
  int Met = 0, Known = 0;
  for (int I = 0; I < graph::randomCount(600); ++I) {
    const auto Count = static_cast<std::size_t>(from(R, 1, 7));
    const Graph Forest = randomForest(R, Count, 30, from(R, 1, 7), static_cast<int>(from(R, 1, 2)));
    const Graph G = sometimesInPlace(R, I % 3 == 0   ? Forest
                                        : I % 3 == 1 ? turned(Forest)
                                                     : randomGraph(R, Count, 30, 0.3, 7));
    const Bytes Peak = graph::DownSets(G).leastPeak();
    const Bytes Memory = Peak + from(R, 0, static_cast<std::int64_t>(Peak));
    const auto Processors = static_cast<std::uint32_t>(from(R, 1, 4));
    const double Shortest = ShortestSchedule(G, Processors, Memory).makespan();
    const double Bound = makespanLowerBound(G, Processors, Memory);
    ASSERT_LE(Bound, Shortest * (1 + 1e-12)) << "graph " << I;
    ++Known;
    Met += Bound >= Shortest * (1 - 1e-8);
  }
  EXPECT_GT(Met, Known / 2);
}

TEST(MakespanBound, BytesTimesTimesAreSharedByTheMemory) {
  const Graph G = *Graph::make({{0, 10, 3}, {0, 10, 4}, {0, 10, 5}}, {{}, {}, {}});
  EXPECT_NEAR(makespanLowerBound(G, 3, 10), 12, 1e-6);
  EXPECT_DOUBLE_EQ(makespanLowerBound(G, 3, 1000), 5);
}

TEST(MakespanBound, TasksOfWhichNoTwoFitTakeTurns) {
  const Graph G = *Graph::make({{0, 6, 3}, {0, 6, 4}, {0, 6, 5}}, {{}, {}, {}});
  EXPECT_NEAR(makespanLowerBound(G, 3, 11), 12, 1e-6);
  EXPECT_NEAR(makespanLowerBound(G, 3, 12), 6, 1e-6); // two at a time
}

TEST(MakespanBound, TasksOfWhichNoThreeFitRunTwoAtATime) {
  const Graph G = *Graph::make({{0, 10, 4}, {0, 10, 4}, {0, 10, 4}, {0, 10, 4}}, {{}, {}, {}, {}});
  EXPECT_NEAR(makespanLowerBound(G, 4, 29), 8, 1e-6);
  EXPECT_NEAR(makespanLowerBound(G, 4, 39), 16.0 / 3, 1e-6);
  EXPECT_DOUBLE_EQ(makespanLowerBound(G, 4, 40), 4);
}

TEST(MakespanBound, WhatOnlyOneProcessorCanDoAtTheEndComesOnTop) {
  // Four tasks of 4, then a chain of 3 and 5: two processors need 8 before it.
  const Graph G = *Graph::make({{0, 0, 4}, {0, 0, 4}, {0, 0, 4}, {0, 0, 4}, {0, 0, 3}, {0, 0, 5}},
                               {{}, {}, {}, {}, {0, 1, 2, 3}, {4}});
  EXPECT_NEAR(makespanLowerBound(G, 2, 1), 16, 1e-6);
  // So it is before others, and in a graph that is no forest.
  EXPECT_NEAR(makespanLowerBound(turned(G), 2, 1), 16, 1e-6);
  const Graph Both =
      *Graph::make({{0, 0, 2}, {0, 0, 4}, {0, 0, 4}, {0, 0, 4}, {0, 0, 3}}, {{}, {0}, {0}, {0}, {1, 2, 3}});
  EXPECT_NEAR(makespanLowerBound(Both, 2, 1), 2 + 6 + 3, 1e-6);
}

} // namespace
} // namespace memshape::scheduling
