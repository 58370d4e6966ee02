// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/scheduling/ParallelPeak.h"
#include "model/scheduling/MaximumClosure.h"
#include "test/unit/model/RandomGraphs.h"

#include <gtest/gtest.h>

namespace memshape::scheduling {
using namespace graph;
using AllDownSets = graph::DownSets;

TEST(MaximumClosure, BestOfAllChoices) {
  Random R(2);
  for (int I = 0; I < 500; ++I) {
    const auto Count = static_cast<std::uint32_t>(from(R, 1, 9));
    MaximumClosure Found;
    std::vector<std::int64_t> Profits;
    std::vector<std::uint32_t> Required(Count, 0);
    for (std::uint32_t Each = 0; Each < Count; ++Each) {
      Profits.push_back(from(R, -20, 20));
      Found.add(Profits.back());
    }
    for (int J = 0; J < 10; ++J) { // cycles, too
      const auto By = static_cast<std::uint32_t>(from(R, 0, Count - 1)),
                 Other = static_cast<std::uint32_t>(from(R, 0, Count - 1));
      Found.require(By, Other);
      Required[By] |= 1u << Other;
    }
    std::int64_t Best = 0;
    for (std::uint32_t Set = 0; Set < 1u << Count; ++Set) {
      std::int64_t Sum = 0;
      bool Closed = true;
      for (std::uint32_t Each = 0; Each < Count; ++Each)
        if (Set >> Each & 1) {
          Sum += Profits[Each];
          Closed &= (Required[Each] & ~Set) == 0;
        }
      if (Closed)
        Best = std::max(Best, Sum);
    }
    ASSERT_EQ(plain(Found.best().Profit), Best);
  }
}

TEST(ParallelPeak, TreesHoldWhatTheWorstSetHolds) {
  Random R(3);
  for (int I = 0; I < 1000; ++I) {
    const Graph Plain =
        randomForest(R, static_cast<std::size_t>(from(R, 1, 11)), 30, from(R, 1, 11), static_cast<int>(from(R, 1, 3)));
    const Graph G = sometimesInPlace(R, Plain);
    ASSERT_EQ(plain(mostInParallel(G, 0).Found), plain(AllDownSets(G).mostInParallel()));
    // The same turned round: each node has one input at most.
    const Graph Turned = sometimesInPlace(R, turned(Plain));
    ASSERT_EQ(plain(mostInParallel(Turned, 0).Found), plain(AllDownSets(Turned).mostInParallel()));
  }
}

TEST(ParallelPeak, GraphsHoldWhatTheWorstSetHolds) {
  Random R(4);
  for (int I = 0; I < 1000; ++I) {
    const auto Count = static_cast<std::size_t>(from(R, 2, 12));
    const Graph G = sometimesInPlace(R, randomGraph(R, Count, 30, static_cast<double>(from(R, 10, 70)) / 100,
                                                    static_cast<std::size_t>(from(R, 2, 12))));
    const std::int64_t Truth = plain(AllDownSets(G).mostInParallel());
    const ParallelPeak Found = mostInParallel(G, SIZE_MAX);
    ASSERT_EQ(plain(Found.Found), Truth) << "graph " << I;
    ASSERT_EQ(plain(Found.Bound), Truth);
    const ParallelPeak Cut = mostInParallel(G, static_cast<std::size_t>(from(R, 0, 200)));
    ASSERT_LE(plain(Cut.Found), Truth);
    ASSERT_GE(plain(Cut.Bound), Truth);
  }
}

TEST(ParallelPeak, AThousandNodes) {
  Random R(5);
  const Graph G = randomGraph(R, 1000, 1000, 0.05, 40);
  const ParallelPeak Found = mostInParallel(G, 8'000'000);
  EXPECT_LE(plain(Found.Found), plain(Found.Bound));
  EXPECT_EQ(plain(mostInParallel(randomForest(R, 1'000'000, 3, 1), 0).Found) > 0, true);
}
} // namespace memshape::scheduling
