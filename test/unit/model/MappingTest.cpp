// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/mapping/TreeMapping.h"
#include "model/scheduling/Heuristics.h"
#include "model/scheduling/Sequential.h"
#include "test/unit/model/RandomGraphs.h"

#include "Gives.h"
#include <gtest/gtest.h>

#include <numeric>

namespace memshape::scheduling {
using namespace memshape::graph;

static std::vector<std::uint32_t> countsOf(const std::vector<double> &Work, std::uint32_t Processors) {
  std::vector<std::uint32_t> Counts;
  for (const ProcessorRange &Each : sharesOf(Work, {0, Processors}))
    Counts.push_back(Each.Count);
  return Counts;
}

TEST(Shares, AreProportionalWhereThatIsWhole) {
  EXPECT_EQ(countsOf({3, 1}, 4), (std::vector<std::uint32_t>{3, 1}));
  EXPECT_EQ(countsOf({2, 4, 2}, 8), (std::vector<std::uint32_t>{2, 4, 2}));
  EXPECT_EQ(countsOf({1, 0}, 3), (std::vector<std::uint32_t>{2, 1}));
  EXPECT_EQ(countsOf({0, 0}, 4), (std::vector<std::uint32_t>{2, 2}));
  EXPECT_EQ(countsOf({5}, 7), (std::vector<std::uint32_t>{7}));
}

/// The least of the most work for a processor, over all ways to give each part some.
static double leastLoad(const std::vector<double> &Work, std::uint32_t Processors, std::size_t From = 0) {
  if (From + 1 == Work.size())
    return Work[From] / Processors;
  double Least = 1e300;
  for (std::uint32_t Count = 1; Count + Work.size() - From - 1 <= Processors; ++Count)
    Least = std::min(Least, std::max(Work[From] / Count, leastLoad(Work, Processors - Count, From + 1)));
  return Least;
}

TEST(Shares, LeaveNoProcessorMoreWorkThanNeeded) {
  Random R(1);
  for (int I = 0; I < 2000; ++I) {
    std::vector<double> Work(static_cast<std::size_t>(from(R, 1, 4)));
    for (double &Each : Work)
      Each = static_cast<double>(from(R, 0, I % 2 ? 9 : 1000));
    const auto Processors = static_cast<std::uint32_t>(from(R, static_cast<std::int64_t>(Work.size()), 12));
    const std::vector<std::uint32_t> Counts = countsOf(Work, Processors);
    EXPECT_EQ(std::accumulate(Counts.begin(), Counts.end(), 0u), Processors);
    double Most = 0;
    for (std::size_t At = 0; At < Work.size(); ++At)
      Most = std::max(Most, Work[At] / Counts[At]);
    EXPECT_DOUBLE_EQ(Most, leastLoad(Work, Processors));
  }
}

TEST(Shares, SmallPartsShareProcessors) {
  const std::vector<ProcessorRange> Found = sharesOf(std::vector<double>{1, 90, 1, 1, 1, 1, 1}, {10, 4});
  EXPECT_EQ(Found[1], (ProcessorRange{10, 3}));
  for (std::size_t At : {0, 2, 3, 4, 5, 6})
    EXPECT_EQ(Found[At], (ProcessorRange{13, 1}));
  // Equal parts, more than processors: two on one of them.
  std::vector<int> Load(3, 0);
  for (const ProcessorRange &Each : sharesOf(std::vector<double>(4, 0.1), {0, 3}))
    ++Load[Each.First];
  EXPECT_EQ(*std::max_element(Load.begin(), Load.end()), 2);
  EXPECT_EQ(*std::min_element(Load.begin(), Load.end()), 1);
}

/// A root without bytes above subtrees that each take Work bytes while they run, and leave Left.
static Graph star(std::size_t Leaves, std::int64_t Left, std::int64_t Work) {
  std::vector<Task> Tasks(Leaves + 1, {Left, Work});
  Tasks[0] = {0, 0};
  std::vector<std::vector<Node>> Inputs(Leaves + 1);
  for (Node Each = 1; Each <= Leaves; ++Each)
    Inputs[0].push_back(Each);
  return *Graph::make(std::move(Tasks), Inputs);
}

TEST(TreeMapping, AllToAllHoldsItsPartOfTheSequentialPeak) {
  const Graph G = star(4, 10, 990);
  const MappedTree Found = mapAllToAll(G, 4);
  EXPECT_EQ(plain(Found.Peak), 1030);
  EXPECT_EQ(plain(Found.PeakOfOne), 258); // 1030 / 4, rounded up
  EXPECT_DOUBLE_EQ(Found.Makespan, 5.0 / 4);
}

TEST(TreeMapping, ProportionalHasNoBoundByTheSequentialPeak) {
  // One leaf on each processor: each holds the whole need of one, P times what all-to-all holds.
  for (std::uint32_t Processors : {2u, 16u, 256u}) {
    const Graph G = star(Processors, 0, 1 << 20);
    EXPECT_EQ(plain(mapProportionally(G, Processors).PeakOfOne), 1 << 20);
    EXPECT_EQ(plain(mapAllToAll(G, Processors).PeakOfOne), (1 << 20) / Processors);
  }
}

TEST(TreeMapping, MemoryAwareMapsInSeriesOnlyWhereItHasTo) {
  // Two halves. The left one fits on two processors; the leaves of the right one do not fit on one each.
  std::vector<Task> Tasks(7, Task{0, 10});
  Tasks[5].Work = Tasks[6].Work = 100;
  const Graph G = *Graph::make(Tasks, {{1, 2}, {3, 4}, {5, 6}, {}, {}, {}, {}});
  const MappedTree Free = *mapWithin(G, 4, 100), Tight = *mapWithin(G, 4, 50), Tightest = *mapWithin(G, 4, 25);
  EXPECT_EQ(Free.On[5].Count, 1u);
  EXPECT_EQ(plain(Free.PeakOfOne), 100);
  EXPECT_EQ(Tight.On[3].Count, 1u);
  EXPECT_EQ(Tight.On[5].Count, 2u);
  EXPECT_EQ(Tight.On[6], Tight.On[5]);
  EXPECT_EQ(plain(Tight.PeakOfOne), 50);
  EXPECT_EQ(Tightest.On[5].Count, 4u);
  EXPECT_EQ(Tightest.On[3].Count, 2u); // its half runs on all four, and its leaves side by side
  EXPECT_FALSE(mapWithin(G, 4, 24));
  EXPECT_EQ(plain(leastMapped(G, 4)), 25);
}

TEST(TreeMapping, ATreeWhosePostordersHoldTooMuchRunsInLiusOrder) {
  // Two chains whose first nodes need much and leave little: in the best order both of these come first.
  const Graph G = *Graph::make({{0, 0}, {60, 0}, {60, 0}, {5, 100}, {5, 100}, {1, 0}, {1, 0}},
                               {{1, 2}, {5}, {6}, {}, {}, {3}, {4}});
  const Bytes Least = leastPeak(G).Peak, Postorder = peakOf(G, depthFirst(G));
  ASSERT_LT(Least, Postorder);
  const MappedTree Found = *mapWithin(G, 2, leastMapped(G, 2));
  EXPECT_EQ(plain(Found.PeakOfOne), plain((Least + 1) / 2));
  EXPECT_FALSE(mapWithin(G, 2, leastMapped(G, 2) - 1));
}

TEST(TreeMapping, TimesFollowTheSpeedup) {
  const Graph G = *Graph::make({{1, 0, 8, 0, 0.5}}, std::vector<std::vector<Node>>{{}});
  EXPECT_DOUBLE_EQ(mapProportionally(G, 16).Makespan, 2);
}

TEST(TreeMapping, MemoryIsKeptWhateverItIs) {
  Random R(3);
  for (int I = 0; I < 400; ++I) {
    const Graph G = sometimesInPlace(R, randomForest(R, static_cast<std::size_t>(from(R, 1, 60)), 1000, from(R, 1, 60),
                                                     static_cast<int>(from(R, 1, 3))));
    const auto Processors =
        static_cast<std::uint32_t>(from(R, 1, I % 2 ? 9 : 1000)); // with exact parts of bytes, or not
    const MappedTree All = mapAllToAll(G, Processors);
    EXPECT_TRUE(isOrderOf(G, All.Order));
    EXPECT_EQ(plain(All.PeakOfOne), plain((peakOf(G, depthFirst(G)) + Processors - 1) / Processors));
    const Bytes Least = leastMapped(G, Processors);
    EXPECT_LE(Least, All.PeakOfOne);
    for (Bytes Memory = Least; Memory <= 2 * All.PeakOfOne + 1; Memory += 1 + All.PeakOfOne / 7) {
      ASSERT_GIVES(const MappedTree Found, mapWithin(G, Processors, Memory));
      EXPECT_LE(Found.PeakOfOne, Memory);
      EXPECT_GE(Found.PeakOfOne * Processors, Found.Peak);
      EXPECT_TRUE(isOrderOf(G, Found.Order));
    }
    if (Least > 0)
      EXPECT_FALSE(mapWithin(G, Processors, Least - 1));
  }
}

TEST(TreeMapping, SumsOfTheLargestSizesDoNotOverflow) {
  const std::int64_t Most = INT64_MAX;
  const Graph G = *Graph::make({{Most, Most}, {Most, Most}, {Most, Most}}, {{1, 2}, {}, {}});
  EXPECT_EQ(mapProportionally(G, 1'000'000).PeakOfOne > 0, true);
  EXPECT_TRUE(mapAllToAll(G, 2).PeakOfOne == Bytes(Most) * 2);
}
} // namespace memshape::scheduling
