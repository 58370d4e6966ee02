// Figures of one call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Truth by hand, and against a plain model that copies all sites at every new peak.

#include "runner/accounting/Accounting.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace memshape;

static Accounting twoSites() {
  Accounting Figures;
  Figures.configure({0, 0});
  return Figures;
}

static std::map<int, std::int64_t> atPeak(const Accounting &Figures) {
  std::map<int, std::int64_t> Result;
  for (const Accounting::SiteFigure &Site : Figures.sitesAtPeak())
    Result[Site.Site] = Site.Bytes;
  return Result;
}

TEST(Accounting, CountsTheBlocksOfThePeakAndReallocationsApart) {
  Accounting Figures = twoSites();
  EXPECT_TRUE(Figures.allocate(0, 100));
  EXPECT_TRUE(Figures.allocate(0, 0));
  EXPECT_TRUE(Figures.allocate(1, 10));
  EXPECT_TRUE(Figures.reallocate(1, 10, 1, 50));
  Figures.release(0, 100);
  const auto Sites = Figures.sitesAtPeak();
  ASSERT_EQ(Sites.size(), 2u);
  EXPECT_EQ(Sites[0].Blocks, 2);
  EXPECT_EQ(Sites[1].Blocks, 1);
  EXPECT_EQ(Figures.requests().at(2).Times, 2u);
  EXPECT_EQ(Figures.requests().at(2).Reallocations, 1u);
}

TEST(Accounting, KeepsTheSitesOfThePeakWhenBlocksGoAndComeBack) {
  Accounting Figures = twoSites();
  EXPECT_TRUE(Figures.allocate(0, 100));
  EXPECT_TRUE(Figures.allocate(1, 50));
  Figures.release(0, 100);
  EXPECT_TRUE(Figures.allocate(1, 90));
  EXPECT_EQ(Figures.figures(0).Peak, 150);
  EXPECT_EQ(Figures.figures(0).Live, 140);
  EXPECT_EQ(atPeak(Figures), (std::map<int, std::int64_t>{{0, 100}, {1, 50}}));
}

TEST(Accounting, CountsFreesOfEarlierCallsAgainstTheirSite) {
  Accounting Figures = twoSites();
  EXPECT_TRUE(Figures.allocate(0, 100));
  Figures.begin();
  Figures.release(0, 100);
  EXPECT_TRUE(Figures.allocate(1, 150));
  EXPECT_EQ(Figures.figures(0).Peak, 50);
  EXPECT_EQ(atPeak(Figures), (std::map<int, std::int64_t>{{0, -100}, {1, 150}}));
}

TEST(Accounting, ReallocChangesLiveByTheDifference) {
  Accounting Figures = twoSites();
  EXPECT_TRUE(Figures.allocate(0, 100));
  EXPECT_TRUE(Figures.reallocate(0, 100, 1, 160));
  const Accounting::SpaceFigures Host = Figures.figures(0);
  EXPECT_EQ(Host.Peak, 160);
  EXPECT_EQ(Host.Total, 260);
  EXPECT_EQ(Host.Allocations, 1u);
  EXPECT_EQ(Host.Reallocations, 1u);
  EXPECT_EQ(atPeak(Figures), (std::map<int, std::int64_t>{{1, 160}}));
}

TEST(Accounting, CountsASpanOfALibraryOnceMoreAsItWas) {
  Accounting Figures = twoSites();
  EXPECT_TRUE(Figures.allocate(0, 1000));
  Figures.release(0, 100);
  const Accounting::SpaceFigures Before = Figures.openSpan();
  for (std::uint64_t Bytes : {300u, 200u}) {
    EXPECT_TRUE(Figures.allocate(LibrarySite, Bytes));
    Figures.release(LibrarySite, Bytes);
  }
  const Accounting::SpaceFigures Did = Figures.closeSpan(Before);
  EXPECT_EQ(Did.Peak, 300);
  EXPECT_EQ(Did.Live, 0);
  EXPECT_EQ(Did.Total, 500);
  EXPECT_EQ(Did.Allocations, 2u);
  EXPECT_TRUE(Figures.allocate(0, 50));
  EXPECT_TRUE(Figures.repeat(Did));
  const Accounting::SpaceFigures Host = Figures.figures(0);
  EXPECT_EQ(Host.Peak, 1250);
  EXPECT_EQ(Host.Live, 950);
  EXPECT_EQ(Host.Total, 2050);
  EXPECT_EQ(Host.Allocations, 6u);
}

TEST(Accounting, RefusesToWrap) {
  Accounting Figures = twoSites();
  EXPECT_FALSE(Figures.allocate(0, UINT64_MAX));
  Figures.begin();
  EXPECT_TRUE(Figures.allocate(0, INT64_MAX));
  Figures.release(0, INT64_MAX);
  EXPECT_FALSE(Figures.allocate(0, 1)) << "the total is full although nothing lives";
}

TEST(Accounting, KnowsTheAnnouncedSites) {
  Accounting Figures = twoSites();
  EXPECT_TRUE(Figures.knows(LibrarySite));
  EXPECT_TRUE(Figures.knows(1));
  EXPECT_FALSE(Figures.knows(2));
  EXPECT_FALSE(Figures.knows(-2));
  EXPECT_FALSE(Figures.knows(INT32_MIN));
}

TEST(Accounting, EqualsAModelThatCopiesAllSitesAtEveryPeak) {
  std::mt19937 Random(1);
  for (int Round = 0; Round < 200; ++Round) {
    constexpr int Sites = 5;
    Accounting Figures;
    Figures.configure(std::vector<std::uint8_t>(Sites, 0));
    std::vector<std::pair<int, std::uint64_t>> Blocks;
    std::map<int, std::int64_t> Live, Copy;
    std::int64_t Sum = 0, Peak = 0;
    for (int Step = 0; Step < 300; ++Step) {
      const int Site = int(Random() % (Sites + 1)) - 1;
      const std::uint64_t Bytes = Random() % 1000;
      if (Blocks.empty() || Random() % 3) {
        ASSERT_TRUE(Figures.allocate(Site, Bytes));
        Blocks.push_back({Site, Bytes});
        Live[Site] += std::int64_t(Bytes);
        Sum += std::int64_t(Bytes);
      } else {
        auto &Block = Blocks[Random() % Blocks.size()];
        Figures.release(Block.first, Block.second);
        Live[Block.first] -= std::int64_t(Block.second);
        Sum -= std::int64_t(Block.second);
        Block = Blocks.back();
        Blocks.pop_back();
      }
      if (Sum > Peak)
        Peak = Sum, Copy = Live;
    }
    std::erase_if(Copy, [](const auto &Site) { return Site.second == 0; });
    EXPECT_EQ(Figures.figures(0).Peak, Peak);
    EXPECT_EQ(Figures.figures(0).Live, Sum);
    EXPECT_EQ(atPeak(Figures), Copy);
  }
}

TEST(AccountingTest, CountsTurnsThatLeaveNothing) {
  Accounting Figures = twoSites();
  ASSERT_TRUE(Figures.allocate(0, 100));
  const Accounting::Mark Start = Figures.mark();
  ASSERT_TRUE(Figures.allocate(1, 30));
  EXPECT_FALSE(Figures.leftNothing(Start));
  Figures.release(1, 30);
  EXPECT_TRUE(Figures.leftNothing(Start));
  ASSERT_TRUE(Figures.countAgain(Start, 1'000'000'000));
  EXPECT_EQ(Figures.figures(0).Peak, 130);
  EXPECT_EQ(Figures.figures(0).Live, 100);
  EXPECT_EQ(Figures.figures(0).Total, 100 + 30 * std::int64_t(1'000'000'001));
  EXPECT_EQ(Figures.figures(0).Allocations, 1'000'000'002u);
  EXPECT_EQ(Figures.requests().at(2).Times, 1'000'000'001u);
  EXPECT_EQ(Figures.requests().at(2).Bytes, 30'000'000'030u);
  EXPECT_FALSE(Figures.countAgain(Start, INT64_MAX)) << "beyond 63 bits";
}

TEST(AccountingTest, ATurnThatMovesBytesFromSiteToSiteLeavesSomething) {
  Accounting Figures = twoSites();
  ASSERT_TRUE(Figures.allocate(0, 64));
  const Accounting::Mark Start = Figures.mark();
  ASSERT_TRUE(Figures.allocate(1, 64));
  Figures.release(0, 64);
  EXPECT_FALSE(Figures.leftNothing(Start));
}
