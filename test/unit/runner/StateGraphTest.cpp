// All runs as one graph.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/states/StateGraph.h"

#include "Gives.h"
#include <gtest/gtest.h>

using namespace memshape;

static StateArrow arrow(std::uint32_t To, std::int64_t Peak, std::int64_t Total = 0, std::uint64_t Allocations = 0) {
  StateArrow A;
  A.To = To;
  A.Peak = Peak;
  A.Total = Total;
  A.Allocations = Allocations;
  return A;
}

TEST(StateGraph, OneRunIsAlikeToItself) {
  StateGraph Graph;
  Graph.addArrow(StateGraph::Start, arrow(StateGraph::End, 100, 150, 3));
  ASSERT_GIVES(const auto Found, Graph.figures());
  EXPECT_TRUE(Found.Alike);
  EXPECT_EQ(Found.LeastPeak, 100);
  EXPECT_EQ(Found.GreatestPeak, 100);
  EXPECT_EQ(Found.Total, 150);
  EXPECT_EQ(Found.Allocations, 3u);
}

TEST(StateGraph, WaysThatMeetWithOtherSumsAreNotAlike) {
  StateGraph Graph;
  const std::uint32_t A = Graph.addNode(), B = Graph.addNode();
  Graph.addArrow(StateGraph::Start, arrow(A, 10, 10, 1));
  Graph.addArrow(A, arrow(B, 10));
  Graph.addArrow(A, arrow(B, 10, 5, 1)); // five bytes more that come and go
  Graph.addArrow(B, arrow(StateGraph::End, 20, 10, 1));
  ASSERT_GIVES(const auto Found, Graph.figures());
  EXPECT_FALSE(Found.Alike);
  EXPECT_EQ(Found.LeastPeak, 20);
  EXPECT_EQ(Found.GreatestPeak, 20);
}

TEST(StateGraph, TheLeastPeakIsOfOneRunThroughout) {
  // Each way is low in one half and high in the other; only the third is low in both.
  StateGraph Graph;
  const std::uint32_t Left = Graph.addNode(), Right = Graph.addNode(), Middle = Graph.addNode();
  Graph.addArrow(StateGraph::Start, arrow(Left, 1));
  Graph.addArrow(Left, arrow(StateGraph::End, 90));
  Graph.addArrow(StateGraph::Start, arrow(Right, 80));
  Graph.addArrow(Right, arrow(StateGraph::End, 1));
  Graph.addArrow(StateGraph::Start, arrow(Middle, 50));
  Graph.addArrow(Middle, arrow(StateGraph::End, 40));
  EXPECT_EQ(Graph.figures()->LeastPeak, 50);
  EXPECT_EQ(Graph.figures()->GreatestPeak, 90);
}

TEST(StateGraph, LoopsThatRequestNothingAreHarmless) {
  StateGraph Graph;
  const std::uint32_t A = Graph.addNode();
  Graph.addArrow(StateGraph::Start, arrow(A, 10, 10, 1));
  Graph.addArrow(A, arrow(A, 10));
  Graph.addArrow(A, arrow(StateGraph::End, 10));
  EXPECT_TRUE(Graph.figures()->Alike);
  Graph.addArrow(A, arrow(A, 10, 8, 1));
  EXPECT_FALSE(Graph.figures()->Alike) << "each iteration requests more";
  EXPECT_EQ(Graph.figures()->GreatestPeak, 10) << "but holds no more";
}

TEST(StateGraph, WaysThatNeverReturnDoNotCount) {
  StateGraph Graph;
  const std::uint32_t A = Graph.addNode(), Trap = Graph.addNode();
  Graph.addArrow(StateGraph::Start, arrow(A, 10));
  Graph.addArrow(A, arrow(Trap, 999));
  Graph.addArrow(Trap, arrow(Trap, 999));
  EXPECT_FALSE(Graph.figures());
  Graph.addArrow(A, arrow(StateGraph::End, 20));
  EXPECT_EQ(Graph.figures()->GreatestPeak, 20);
  EXPECT_TRUE(Graph.figures()->Alike);
}

TEST(StateGraph, WhatIsLeftBehindHasToBeTheSame) {
  StateGraph Graph;
  const std::uint32_t A = Graph.addNode();
  Graph.addArrow(StateGraph::Start, arrow(A, 10, 10, 1));
  StateArrow Keeps = arrow(StateGraph::End, 10), Frees = arrow(StateGraph::End, 10);
  Keeps.Output = 10;
  Graph.addArrow(A, Keeps);
  EXPECT_TRUE(Graph.figures()->Alike);
  EXPECT_EQ(Graph.figures()->Output, 10);
  Graph.addArrow(A, Frees);
  EXPECT_FALSE(Graph.figures()->Alike);
}
