// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/scheduling/Evictions.h"
#include "test/unit/model/RandomGraphs.h"

#include "Gives.h"
#include <gtest/gtest.h>

#include <map>

namespace memshape::scheduling {
namespace {

using namespace graph;

Bytes mostNeeded(const Graph &G) {
  Bytes Most = 0;
  for (Node Each = 0; Each < G.size(); ++Each)
    Most = std::max(Most, G.need(Each));
  return Most;
}

/// Memory with these evictions, from the contract alone; checks that nothing leaves that is not there.
Bytes replayed(const Graph &G, const std::vector<Node> &Order, const EvictionPlan &Plan) {
  std::map<Node, Bytes> Resident;
  std::vector<std::size_t> Waiting(G.size());
  for (Node Each = 0; Each < G.size(); ++Each)
    Waiting[Each] = G.consumers(Each).size();
  std::size_t Next = 0;
  Bytes Peak = 0;
  for (Node Now : Order) {
    for (Node Input : G.inputs(Now))
      Resident[Input] = G[Input].Output;
    Bytes Held = Bytes(G[Now].Output) + G[Now].Work;
    for (const auto &[Each, Size] : Resident)
      Held += Size;
    Peak = std::max(Peak, Held);
    Resident[Now] = G[Now].Output;
    for (Node Input : G.inputs(Now))
      if (--Waiting[Input] == 0)
        Resident.erase(Input);
    for (; Next < Plan.Evictions.size() && Plan.Evictions[Next].After == Now; ++Next) {
      const Eviction &Each = Plan.Evictions[Next];
      EXPECT_GT(plain(Each.Written), 0);
      EXPECT_TRUE(Resident.contains(Each.Of));
      EXPECT_LE(plain(Each.Written), plain(Resident[Each.Of]));
      Resident[Each.Of] -= Each.Written;
    }
  }
  EXPECT_EQ(Next, Plan.Evictions.size());
  return Peak;
}

/// The fewest bytes written, over all choices of what leaves before each node, byte by byte or whole. Small sizes only.
class AllChoices {
public:
  AllChoices(const Graph &G, const std::vector<Node> &Order, std::int64_t Memory, bool Whole = false)
      : G(G), Order(Order), Memory(Memory), Whole(Whole) {}
  std::int64_t fewest() { return from(0, std::vector<std::int64_t>(G.size(), 0)); }

private:
  using State = std::vector<std::int64_t>; // resident bytes

  bool waits(Node Each, std::size_t At) const {
    const auto Consumers = G.consumers(Each);
    return Consumers.empty() ||
           std::any_of(Order.begin() + static_cast<std::ptrdiff_t>(At), Order.end(), [&](Node Later) {
             return std::find(Consumers.begin(), Consumers.end(), Later) != Consumers.end();
           });
  }

  std::int64_t from(std::size_t At, const State &Now) {
    if (At == Order.size())
      return 0;
    const auto Known = Best.find({At, Now});
    if (Known != Best.end())
      return Known->second;
    std::int64_t Least = INT64_MAX / 2;
    choose(At, Now, 0, Now, 0, Least);
    return Best[{At, Now}] = Least;
  }

  void choose(std::size_t At, State Left, Node Each, const State &Now, std::int64_t Written, std::int64_t &Least) {
    if (Each < G.size()) {
      for (std::int64_t Bytes = 0; Bytes <= Now[Each]; Bytes += Whole ? std::max<std::int64_t>(1, Now[Each]) : 1) {
        Left[Each] = Now[Each] - Bytes;
        choose(At, Left, Each + 1, Now, Written + Bytes, Least);
      }
      return;
    }
    const Node Running = Order[At];
    for (Node Input : G.inputs(Running))
      Left[Input] = G[Input].Output;
    std::int64_t Held = G[Running].Output + G[Running].Work;
    for (std::int64_t Size : Left)
      Held += Size;
    if (Held > Memory)
      return;
    Left[Running] = G[Running].Output;
    for (Node Input : G.inputs(Running))
      if (!waits(Input, At + 1))
        Left[Input] = 0;
    Least = std::min(Least, Written + from(At + 1, Left));
  }

  const Graph &G;
  const std::vector<Node> &Order;
  std::int64_t Memory;
  bool Whole;
  std::map<std::pair<std::size_t, State>, std::int64_t> Best;
};

TEST(Evictions, NoChoiceWritesFewerBytes) {
  Random R(31);
  for (int I = 0; I < 300; ++I) {
    const auto Count = static_cast<std::size_t>(from(R, 1, 6));
    const Graph G = sometimesInPlace(R, I % 2 ? randomForest(R, Count, 3, 6, 2) : randomGraph(R, Count, 3, 0.4, 6));
    const std::vector<Node> &Order = G.topological();
    const Bytes Least = mostNeeded(G);
    for (std::int64_t Memory = plain(Least); Memory <= plain(peakOf(G, Order)); ++Memory) {
      ASSERT_GIVES(const EvictionPlan Found, evictions(G, Order, Memory));
      ASSERT_EQ(plain(Found.Written), AllChoices(G, Order, Memory).fewest());
      ASSERT_EQ(plain(replayed(G, Order, Found)), plain(Found.Peak));
      ASSERT_LE(plain(Found.Peak), Memory);
    }
    ASSERT_EQ(plain(evictions(G, Order, peakOf(G, Order))->Written), 0);
    if (Least > 0) {
      ASSERT_FALSE(evictions(G, Order, Least - 1));
    }
  }
}

TEST(Evictions, WholeOutputsWriteLittleMoreThanNeeded) {
  Random R(33);
  std::int64_t Written = 0, Fewest = 0;
  for (int I = 0; I < graph::randomCount(300); ++I) {
    const auto Count = static_cast<std::size_t>(from(R, 1, 7));
    const Graph G = sometimesInPlace(R, I % 2 ? randomForest(R, Count, 9, 6, 2) : randomGraph(R, Count, 9, 0.4, 6));
    const std::vector<Node> &Order = G.topological();
    const Bytes Least = mostNeeded(G);
    for (std::int64_t Memory = plain(Least); Memory <= plain(peakOf(G, Order)); Memory += 3) {
      ASSERT_GIVES(const EvictionPlan Found, wholeEvictions(G, Order, Memory));
      for (const Eviction &Each : Found.Evictions)
        ASSERT_EQ(plain(Each.Written), G[Each.Of].Output);
      ASSERT_EQ(plain(replayed(G, Order, Found)), plain(Found.Peak));
      ASSERT_LE(plain(Found.Peak), Memory);
      ASSERT_GE(plain(Found.Written), plain(evictions(G, Order, Memory)->Written));
      const std::int64_t Truth = AllChoices(G, Order, Memory, true).fewest();
      ASSERT_GE(plain(Found.Written), Truth);
      Written += plain(Found.Written);
      Fewest += Truth;
    }
    if (Least > 0) {
      ASSERT_FALSE(wholeEvictions(G, Order, Least - 1));
    }
  }
  EXPECT_LE(Written, Fewest + Fewest / 50);
}

TEST(Evictions, LargeGraphsKeepTheMemory) {
  Random R(32);
  for (int I = 0; I < 20; ++I) {
    const Graph G = randomGraph(R, 400, 1000, 0.1, 30);
    const Bytes Least = mostNeeded(G);
    ASSERT_GIVES(const EvictionPlan Found, evictions(G, G.topological(), Least));
    EXPECT_LE(plain(replayed(G, G.topological(), Found)), plain(Least));
  }
}

} // namespace
} // namespace memshape::scheduling
