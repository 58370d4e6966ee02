// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/scheduling/Heuristics.h"
#include "model/scheduling/Sequential.h"
#include "test/unit/model/RandomGraphs.h"

#include <gtest/gtest.h>

namespace memshape::scheduling {
using namespace memshape::graph;

static std::int64_t peak(const Graph &G, const std::vector<Node> &Order) {
  return static_cast<std::int64_t>(peakOf(G, Order));
}

TEST(Profile, AnOutputLivesUntilItsLastConsumerHasEnded) {
  // 0 is read by 1 and 2; 3 reads 1; nobody reads 2 and 3.
  const Graph G = *Graph::make({{10, 1}, {20, 2}, {40, 4}, {80, 8}}, {{}, {0}, {0}, {1}});
  const std::vector<Node> Order = {0, 1, 3, 2};
  const std::vector<Bytes> Held = heldDuring(G, Order);
  EXPECT_EQ(Held, (std::vector<Bytes>{11, 32, 118, 134}));
  EXPECT_EQ(peak(G, Order), 134);
}

TEST(Profile, AnOutputInPlaceTakesNoMoreThanTheLargerOfTheTwo) {
  // 1 takes the place of 0, 2 that of 1, 3 that of 2, and work comes on top; 3 reads 4, too.
  std::vector<Task> Tasks = {{10, 1}, {10, 0}, {25, 2}, {4, 3}, {7, 0}};
  for (Node Each : {1, 2, 3})
    putInPlace(Tasks, Each, Each - 1);
  const Graph G = *Graph::make(Tasks, {{}, {0}, {1}, {2, 4}, {}});
  EXPECT_EQ(G[1].Work, -10);
  EXPECT_EQ(G[2].ownWork(), 2);
  EXPECT_TRUE(G.need(1) == 10 && G.need(2) == 27 && G.need(3) == 25 + 7 + 3);
  const std::vector<Node> Order = {4, 0, 1, 2, 3};
  EXPECT_EQ(heldDuring(G, Order), (std::vector<Bytes>{7, 18, 17, 34, 35}));
}

TEST(Graph, ACycleIsNamedByItsNodes) {
  const NodeLists Inputs({0, 0, 2, 3, 4, 5}, {0, 3, 1, 2, 1}); // 1 -> 2 -> 3 -> 1
  EXPECT_FALSE(Graph::make(std::vector<Task>(5), Inputs));
  std::vector<Node> Cycle = cycleOf(Inputs);
  ASSERT_EQ(Cycle.size(), 3u);
  for (std::size_t I = 0; I < 3; ++I) {
    const auto From = Inputs[Cycle[(I + 1) % 3]];
    EXPECT_NE(std::find(From.begin(), From.end(), Cycle[I]), From.end());
  }
  EXPECT_TRUE(cycleOf(NodeLists({0, 0, 1}, {0})).empty());
}

TEST(TreeOrder, OptimumIsThatOfAllOrders) {
  Random R(7);
  for (int I = 0; I < 10000; ++I) {
    const auto Count = static_cast<std::size_t>(from(R, 1, 14));
    // Few different sizes make ties; steps back of one make chains.
    const Graph G = sometimesInPlace(R, randomForest(R, Count, I % 3 == 0 ? 3 : 40, from(R, 1, 14),
                                                     I % 4 == 0 ? static_cast<int>(from(R, 2, 4)) : 1));
    const std::vector<Node> Order = leastPeak(G).Order;
    ASSERT_TRUE(isOrderOf(G, Order));
    ASSERT_EQ(peak(G, Order), static_cast<std::int64_t>(DownSets(G).leastPeak())) << "tree " << I;
  }
}

/// The nodes of each subtree follow each other.
static bool isPostorder(const Graph &G, const std::vector<Node> &Order) {
  std::vector<std::size_t> Size(G.size(), 1), First(G.size());
  for (std::size_t At = 0; At < Order.size(); ++At) {
    std::size_t Begin = At;
    for (Node Input : G.inputs(Order[At])) {
      Size[Order[At]] += Size[Input];
      Begin = std::min(Begin, First[Input]);
    }
    First[Order[At]] = Begin;
    if (At - Begin + 1 != Size[Order[At]])
      return false;
  }
  return true;
}

TEST(TreeOrder, PostorderIsTheBestOfAllPostorders) {
  Random R(11);
  for (int I = 0; I < 200; ++I) {
    const Graph G = sometimesInPlace(R, randomForest(R, static_cast<std::size_t>(from(R, 1, 7)), 20, 7, I % 2 + 1));
    std::vector<Node> Order(G.size());
    for (Node Each = 0; Each < G.size(); ++Each)
      Order[Each] = Each;
    std::int64_t Least = INT64_MAX;
    do {
      if (isOrderOf(G, Order) && isPostorder(G, Order))
        Least = std::min(Least, peak(G, Order));
    } while (std::next_permutation(Order.begin(), Order.end()));
    const std::vector<Node> Found = depthFirst(G);
    ASSERT_TRUE(isOrderOf(G, Found) && isPostorder(G, Found));
    ASSERT_EQ(peak(G, Found), Least);
  }
}

/// Jacquelin, Marchal, Robert, Ucar, On optimal tree traversals for sparse matrix factorization, 2011: no postorder is
/// within a constant of the optimum. Returns the root.
static Node addHarpoon(int Levels, std::vector<Task> &Tasks, std::vector<std::vector<Node>> &Inputs) {
  constexpr int Branches = 3, Most = 30, Least = 1;
  auto Add = [&](std::int64_t Output, std::vector<Node> From) {
    Tasks.push_back({Output, 0});
    Inputs.push_back(std::move(From));
    return static_cast<Node>(Tasks.size() - 1);
  };
  if (Levels == 0)
    return Add(Least, {Add(Most, {})});
  std::vector<Node> From;
  for (int I = 0; I < Branches; ++I)
    From.push_back(Add(Most / Branches, {addHarpoon(Levels - 1, Tasks, Inputs)}));
  return Add(Least, From);
}

TEST(TreeOrder, HarpoonsSetPostorderApartFromTheOptimum) {
  for (int Levels = 1; Levels <= 3; ++Levels) {
    std::vector<Task> Tasks;
    std::vector<std::vector<Node>> Inputs;
    addHarpoon(Levels, Tasks, Inputs);
    const Graph G = *Graph::make(Tasks, Inputs);
    EXPECT_EQ(peak(G, depthFirst(G)), 31 + 20 * Levels);
    EXPECT_EQ(peak(G, leastPeak(G).Order), 31 + 2 * Levels);
  }
}

TEST(TreeOrder, AMillionNodesInAChainAndAtRandom) {
  Random R(3);
  for (std::int64_t Back : {1, 1'000'000}) {
    const Graph G = randomForest(R, 1'000'000, 1'000'000'000, Back);
    const std::vector<Node> Postorder = depthFirst(G), Optimum = leastPeak(G).Order;
    EXPECT_TRUE(isOrderOf(G, Postorder));
    EXPECT_TRUE(isOrderOf(G, Optimum));
    EXPECT_LE(peak(G, Optimum), peak(G, Postorder));
  }
}

TEST(TreeOrder, SumsBeyond64BitsAreExact) {
  const std::int64_t Most = INT64_MAX;
  const Graph G = *Graph::make({{Most, Most}, {Most, 1}, {Most, 0}}, {{}, {}, {0, 1}});
  const Bytes Expected = Bytes(3) * Most;
  EXPECT_TRUE(peakOf(G, leastPeak(G).Order) == Expected);
  EXPECT_TRUE(peakOf(G, depthFirst(G)) == Expected);
}

TEST(TreeOrder, SumsOf128BitsGiveTheOrderOfSumsOf64) {
  Random R(13);
  for (int I = 0; I < 200; ++I) {
    const Graph Small =
        sometimesInPlace(R, randomForest(R, static_cast<std::size_t>(from(R, 1, 60)), 20, from(R, 1, 60), I % 2 + 1));
    const Graph Large = withTasks(Small, [](const Task &Of) { return Task{Of.Output << 57, Of.Work << 57}; });
    ASSERT_EQ(depthFirst(Small), depthFirst(Large));
  }
}
} // namespace memshape::scheduling
