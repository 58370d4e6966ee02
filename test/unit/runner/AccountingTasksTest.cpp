// Accounts beside each other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Truth by hand, and against all interleavings of small threads.

#include "runner/accounting/Accounting.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace memshape;

constexpr std::uint32_t AllAtOnce = Accounting::AllAtOnce;

static Accounting configured() {
  Accounting Figures;
  Figures.configure({0, 0, 0});
  return Figures;
}

/// An allocation and its release at Site.
static void use(Accounting &Figures, int Site, std::uint64_t Bytes) {
  EXPECT_TRUE(Figures.allocate(Site, Bytes));
  Figures.release(Site, Bytes);
}

static std::int64_t sumOfSites(const Accounting &Figures) {
  std::int64_t Sum = 0;
  for (const Accounting::SiteFigure &Site : Figures.sitesAtPeak())
    Sum += Site.Bytes;
  return Sum;
}

TEST(AccountingTasks, HoldTheBlocksOfTheirPeaksTogether) {
  Accounting Figures = configured();
  Figures.beginGroup(Accounting::AllAtOnce);
  for (int Task = 0; Task < 3; ++Task) {
    Figures.beginTask();
    EXPECT_TRUE(Figures.allocate(1, 100));
    use(Figures, 1, 10);
    Figures.release(1, 100);
    Figures.endTask();
  }
  EXPECT_TRUE(Figures.endGroup());
  const auto Sites = Figures.sitesAtPeak();
  ASSERT_EQ(Sites.size(), 1u);
  EXPECT_EQ(Sites[0].Bytes, 330);
  EXPECT_EQ(Sites[0].Blocks, 6);
}

TEST(AccountingTasks, HoldTheSumOfTheirPeaksAtMostAndTheGreatestSurely) {
  Accounting Figures = configured();
  EXPECT_TRUE(Figures.allocate(2, 1000));
  Figures.beginGroup(AllAtOnce);
  for (std::uint64_t Bytes : {100, 300, 50}) {
    Figures.beginTask();
    use(Figures, 0, Bytes);
    use(Figures, 1, Bytes / 2);
    Figures.endTask();
  }
  EXPECT_TRUE(Figures.endGroup());
  const Accounting::SpaceFigures Host = Figures.figures(0);
  EXPECT_EQ(Host.Peak, 1450);
  EXPECT_EQ(Host.Sure, 1300);
  EXPECT_EQ(Host.Live, 1000);
  EXPECT_EQ(Host.Slack, 0);
  EXPECT_EQ(Host.Total, 1000 + 675);
  EXPECT_EQ(Host.Allocations, 7u);
  EXPECT_EQ(sumOfSites(Figures), 1450);
}

TEST(AccountingTasks, SurelyHoldTogetherWhatTheyHoldAtABarrier) {
  Accounting Figures = configured();
  Figures.beginGroup(AllAtOnce);
  for (std::uint32_t Task = 0; Task < 3; ++Task) {
    Figures.goOn(Task);
    EXPECT_TRUE(Figures.allocate(0, 100));
    Figures.barrier();
    Figures.rest();
  }
  Figures.endRound();
  for (std::uint32_t Task = 0; Task < 3; ++Task) {
    Figures.goOn(Task);
    Figures.release(0, 100);
    use(Figures, 1, 60);
    Figures.endTask();
  }
  Figures.endRound();
  EXPECT_TRUE(Figures.endGroup());
  EXPECT_EQ(Figures.figures(0).Peak, 300);
  EXPECT_EQ(Figures.figures(0).Sure, 300);
  EXPECT_EQ(Figures.figures(0).Live, 0);
}

TEST(AccountingTasks, RunNoMoreAtATimeThanThereAreThreads) {
  Accounting Figures = configured();
  for (std::uint64_t Bytes : {100, 300, 50, 200}) {
    Figures.beginPooled(2);
    Figures.beginTask();
    use(Figures, 0, Bytes);
    EXPECT_TRUE(Figures.allocate(1, 10)); // kept
    Figures.endTask();
    EXPECT_TRUE(Figures.endPooled());
  }
  EXPECT_EQ(Figures.figures(0).Peak, 4 * 10 + 2 * 290);
  EXPECT_EQ(sumOfSites(Figures), 4 * 10 + 2 * 290);
  Figures.joinPool();
  EXPECT_EQ(Figures.figures(0).Live, 40);
  EXPECT_EQ(Figures.figures(0).Slack, 0);
  EXPECT_EQ(Figures.open(), 0u);
}

TEST(AccountingTasks, AThreadIsLiveUntilItIsJoined) {
  Accounting Figures = configured();
  std::uint64_t Id = 0;
  Figures.beginGroup(AllAtOnce);
  Figures.beginTask();
  use(Figures, 0, 100);
  Figures.endTask();
  EXPECT_TRUE(Figures.endGroupOpen(Id));
  EXPECT_NE(Id, 0u);
  use(Figures, 1, 30);
  EXPECT_EQ(Figures.figures(0).Peak, 130);
  Figures.join(Id);
  use(Figures, 1, 70);
  EXPECT_EQ(Figures.figures(0).Peak, 130);
  EXPECT_EQ(Figures.figures(0).Sure, 100);
  EXPECT_EQ(Figures.figures(0).Live, 0);
  EXPECT_EQ(Figures.figures(0).Slack, 0);
}

TEST(AccountingTasks, AThreadThatIsNotJoinedMayLiveForEver) {
  Accounting Figures = configured();
  std::uint64_t Id = 0;
  Figures.beginGroup(AllAtOnce);
  Figures.beginTask();
  use(Figures, 0, 100);
  Figures.endTask();
  EXPECT_TRUE(Figures.endGroupOpen(Id));
  EXPECT_EQ(Figures.figures(0).Slack, 100);
  Figures.begin();
  EXPECT_EQ(Figures.figures(0).Live, 0);
  EXPECT_EQ(Figures.open(), 0u);
}

TEST(AccountingTasks, AnyoneMayGetTheGreatestShare) {
  Accounting Figures = configured();
  Figures.beginGroup(AllAtOnce);
  for (std::uint64_t Bytes : {100, 300}) {
    Figures.beginTask();
    EXPECT_TRUE(Figures.allocate(1, 7));
    Figures.beginShare();
    use(Figures, 0, Bytes);
    EXPECT_TRUE(Figures.endShare(2));
    Figures.release(1, 7);
    Figures.endTask();
  }
  EXPECT_TRUE(Figures.endGroup());
  EXPECT_EQ(Figures.figures(0).Peak, 2 * (300 + 7));
  EXPECT_EQ(sumOfSites(Figures), 2 * (300 + 7));
  EXPECT_EQ(Figures.figures(0).Sure, 307);
  EXPECT_FALSE(Figures.varies());
}

TEST(AccountingTasks, SharesThatLeaveSomethingMayVary) {
  Accounting Figures = configured();
  Figures.beginGroup(AllAtOnce);
  Figures.beginTask();
  Figures.beginShare();
  EXPECT_TRUE(Figures.allocate(0, 100));
  EXPECT_TRUE(Figures.endShare(2));
  Figures.endTask();
  EXPECT_TRUE(Figures.endGroup());
  EXPECT_TRUE(Figures.varies());
  EXPECT_EQ(Figures.figures(0).Slack, 100);
}

TEST(AccountingTasks, WhatARunTimeLibraryMayHoldIsNeverSure) {
  Accounting Figures = configured();
  EXPECT_TRUE(Figures.mayHold(512));
  EXPECT_TRUE(Figures.mayRequest(512, 4));
  use(Figures, 0, 100);
  EXPECT_TRUE(Figures.mayHold(-512));
  EXPECT_EQ(Figures.figures(0).Peak, 612);
  EXPECT_EQ(Figures.figures(0).Sure, 100);
  EXPECT_EQ(Figures.figures(0).Slack, 0);
  EXPECT_EQ(Figures.figures(0).Total, 100 + 4 * 512);
  EXPECT_EQ(Figures.figures(0).Allocations, 5u);
}

/// Highest and lowest peaks over all interleavings of the threads' changes.
static void explore(const std::vector<std::vector<int>> &Threads, std::vector<std::size_t> &At, int Live, int Peak,
                    int &Highest, int &Lowest) {
  bool Ended = true;
  for (std::size_t I = 0; I < Threads.size(); ++I)
    if (At[I] < Threads[I].size()) {
      Ended = false;
      const int Then = Live + Threads[I][At[I]++];
      explore(Threads, At, Then, std::max(Peak, Then), Highest, Lowest);
      --At[I];
    }
  if (Ended) {
    Highest = std::max(Highest, Peak);
    Lowest = std::min(Lowest, Peak);
  }
}

TEST(AccountingTasks, BoundsAllInterleavings) {
  std::mt19937 Random(7);
  for (int Round = 0; Round < 300; ++Round) {
    std::vector<std::vector<int>> Threads(2 + Random() % 2);
    const int Before = int(Random() % 50);
    Accounting Figures = configured();
    EXPECT_TRUE(Figures.allocate(0, std::uint64_t(Before)));
    Figures.beginGroup(AllAtOnce);
    for (std::vector<int> &Thread : Threads) {
      Figures.beginTask();
      for (unsigned Events = 1 + Random() % 4; Events; --Events) {
        // Blocks of others may be freed, so that a thread may end below its start.
        Thread.push_back(int(Random() % 41) - 20);
        if (Thread.back() >= 0)
          EXPECT_TRUE(Figures.allocate(1, std::uint64_t(Thread.back())));
        else
          Figures.release(1, std::uint64_t(-Thread.back()));
      }
      Figures.endTask();
    }
    EXPECT_TRUE(Figures.endGroup());
    std::vector<std::size_t> At(Threads.size());
    int Highest = 0, Lowest = 1 << 20;
    explore(Threads, At, Before, Before, Highest, Lowest);
    EXPECT_EQ(Figures.figures(0).Peak, Highest);
    EXPECT_LE(Figures.figures(0).Sure, Lowest);
    EXPECT_EQ(sumOfSites(Figures), Highest);
  }
}
