// What was live, step by step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/accounting/LiveSteps.h"

#include "runner/accounting/Accounting.h"

#include <gtest/gtest.h>
#include <random>

using namespace memshape;

TEST(LiveSteps, FollowsEveryEventWhileThereIsRoom) {
  LiveSteps Steps;
  Steps.prepare(8, 3);
  Accounting Figures;
  Figures.configure({0, 0});
  Figures.follow(&Steps);
  EXPECT_TRUE(Figures.allocate(0, 100));
  EXPECT_TRUE(Figures.allocate(1, 50));
  Figures.release(0, 100);
  ASSERT_EQ(Steps.size(), 3u);
  EXPECT_EQ(Steps.each(), 1u);
  EXPECT_EQ(Steps[1].Site, 1);
  EXPECT_EQ(Steps[1].Change, 50);
  EXPECT_EQ(Steps[1].Live, 150);
  EXPECT_EQ(Steps[1].Held[1], 100);
  EXPECT_EQ(Steps[1].Held[2], 50);
  EXPECT_EQ(Steps[2].Change, -100);
  EXPECT_EQ(Steps[2].Held[1], 0);
  Figures.begin();
  EXPECT_EQ(Steps.size(), 0u);
}

/// Random calls, against the peak and the sites that the account itself keeps.
TEST(LiveSteps, NeverLosesThePeak) {
  std::mt19937_64 Random(11);
  for (int Round = 0; Round < 200; ++Round) {
    LiveSteps Steps;
    Steps.prepare(16, 4);
    Accounting Figures;
    Figures.configure({0, 0, 0});
    Figures.follow(&Steps);
    std::vector<std::pair<std::int32_t, std::uint64_t>> Blocks;
    const int Events = 1 + int(Random() % 3000);
    for (int I = 0; I < Events; ++I) {
      if (Blocks.empty() || Random() % 5 < 3) {
        Blocks.emplace_back(std::int32_t(Random() % 3), Random() % 1000);
        ASSERT_TRUE(Figures.allocate(Blocks.back().first, Blocks.back().second));
      } else {
        const std::size_t At = Random() % Blocks.size();
        Figures.release(Blocks[At].first, Blocks[At].second);
        Blocks.erase(Blocks.begin() + std::ptrdiff_t(At));
      }
    }
    EXPECT_EQ(Steps.events(), std::uint64_t(Events));
    ASSERT_LE(Steps.size(), 16u);
    EXPECT_GE(Steps.size() * Steps.each(), std::uint64_t(Events));
    std::size_t Highest = 0;
    for (std::size_t I = 0; I < Steps.size(); ++I) {
      EXPECT_EQ(Steps[I].Event / Steps.each(), I);
      std::int64_t Sum = 0;
      for (std::size_t Site = 0; Site < 4; ++Site)
        Sum += Steps[I].Held[Site];
      EXPECT_EQ(Sum, Steps[I].Live);
      if (Steps[I].Live > Steps[Highest].Live)
        Highest = I;
    }
    EXPECT_EQ(Steps[Highest].Live, Figures.figures(0).Peak);
    for (const Accounting::SiteFigure &Site : Figures.sitesAtPeak())
      EXPECT_EQ(Steps[Highest].Held[Site.Site + 1], Site.Bytes);
  }
}

TEST(LiveSteps, TasksAreOneStepTogether) {
  LiveSteps Steps;
  Steps.prepare(8, 2);
  Accounting Figures;
  Figures.configure({0});
  Figures.follow(&Steps);
  Figures.beginGroup(Accounting::AllAtOnce);
  for (int Task = 0; Task < 3; ++Task) {
    Figures.beginTask();
    EXPECT_TRUE(Figures.allocate(0, 100));
    Figures.release(0, 60);
    Figures.endTask();
  }
  EXPECT_TRUE(Figures.endGroup());
  ASSERT_EQ(Steps.size(), 2u);
  EXPECT_EQ(Steps[0].Live, 300);
  EXPECT_EQ(Steps[0].Held[1], 300);
  EXPECT_EQ(Steps[1].Live, 120);
}
