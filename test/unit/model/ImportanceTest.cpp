// What matters is found to matter.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/residency/Importance.h"

#include <gtest/gtest.h>

using namespace memshape;

/// Operators that hold what they request; every third one, where data decides, half of it. "noise" says nothing.
static std::vector<StudiedOperator> corpus() {
  std::vector<StudiedOperator> Found;
  for (int O = 0; O < 12; ++O) {
    bool Decides = O % 3 == 0;
    StudiedOperator Operator;
    Operator.Source = {
        {DataDependentControl, Decides ? 0.8 : 0.0}, {Decisions, Decides ? 2.0 : 0.0}, {"noise", O * 7 % 5}};
    for (int I = 1; I <= 8; ++I) {
      ResidentRun Run;
      Run.At.Heap = Run.At.Total = 3e6 * I * (1 + O % 4);
      Run.At.Held = 1e6 * I * (1 + O % 5);
      Run.At.Allocations = 4;
      Run.HeapPeak = Decides ? Run.At.Heap / 2 : Run.At.Heap;
      Run.HeapLower = Decides ? 0 : Run.At.Heap;
      Run.HeapUpper = Run.At.Heap;
      Run.Peak = 3e6 + 1e4 * O + Run.HeapPeak + Run.At.Held;
      Operator.Runs.push_back(Run);
    }
    Found.push_back(Operator);
  }
  return Found;
}

static const EvidenceWorth &evidence(const Importance &Found, const std::string &Name) {
  for (const EvidenceWorth &Worth : Found.Evidence)
    if (Worth.Evidence == Name)
      return Worth;
  throw std::out_of_range(Name);
}

TEST(ErrorFigures, AreOfAbsoluteErrors) {
  ErrorFigures F = errorFigures({-0.5, 0.1, 0.2});
  EXPECT_EQ(F.Median, 0.2);
  EXPECT_EQ(F.NinetyFifth, 0.5);
  EXPECT_EQ(errorFigures({}).Count, 0u);
}

TEST(Importance, RanksFeaturesAndEvidenceByWhatTheyAreWorth) {
  Importance Found = importanceOf(corpus());
  EXPECT_LT(Found.Whole.Median, 0.02);
  EXPECT_TRUE(Found.Terms.front().Term == HeapBytes || Found.Terms.front().Term == HeldBytes);
  EXPECT_LT(evidence(Found, "process, caller and skeleton").With.Median,
            evidence(Found, "the process and its caller: bytes held").With.Median);
  EXPECT_LT(evidence(Found, "the same and one run").With.NinetyFifth,
            evidence(Found, "process, caller and skeleton").With.NinetyFifth);
  ASSERT_EQ(Found.Source.size(), 3u);
  EXPECT_EQ(Found.Source.back().Feature, "noise");
  EXPECT_GT(Found.Source.front().WithHeap, 0.9);
  EXPECT_LT(Found.Source.front().HeapByChance, 0.01);
  EXPECT_GT(Found.Source.back().HeapByChance, 0.05);
}

TEST(Importance, ErrorsGrowWithTheShareThatDataDecides) {
  Importance Found = importanceOf(corpus());
  ASSERT_EQ(Found.ByShare.size(), 2u);
  EXPECT_EQ(Found.ByShare[0].Operators, 8u);
  EXPECT_EQ(Found.ByShare[0].Heap.Median, 0);
  EXPECT_EQ(Found.ByShare[0].HeapWidth, 0);
  EXPECT_EQ(Found.ByShare[1].Operators, 4u);
  EXPECT_NEAR(Found.ByShare[1].Heap.Median, 1, 1e-9);
  EXPECT_NEAR(Found.ByShare[1].HeapWidth, 2, 1e-9);
  EXPECT_LT(Found.ByShare[1].AfterOne.Median, Found.ByShare[1].Resident.Median);
  EXPECT_EQ(Found.ByShare[1].Inside, Found.ByShare[1].Bounds);
  ASSERT_EQ(Found.ByDecisions.size(), 2u);
  EXPECT_EQ(Found.ByDecisions[1].Operators, 4u);
}

TEST(Importance, ARunWithoutABoundOfItsHeapHasNone) {
  ResidentRun Run;
  Run.At.Heap = 10;
  EXPECT_EQ(atHeapBound(Run)->Heap, 10);
  Run.At.Touched = 8;
  EXPECT_EQ(atHeapBound(Run)->Touched, 8);
  Run.HeapUpper = 50;
  EXPECT_EQ(atHeapBound(Run)->Heap, 50);
  EXPECT_EQ(atHeapBound(Run)->Total, 50);
  EXPECT_FALSE(known(atHeapBound(Run)->Touched)) << "what is written there was not followed";
  Run.HeapUpper = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(atHeapBound(Run));
}
