// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/series_parallel/Blocks.h"

#include <gtest/gtest.h>

namespace memshape::series_parallel {
namespace {

/// Up and Down of each block, and its jobs.
using Seen = std::vector<std::pair<std::pair<std::int64_t, std::int64_t>, std::vector<std::uint32_t>>>;

Seen seen(const Sequences &In, const Chain &Of) {
  Seen Found;
  for (const Block &Each : Of) {
    Found.push_back({{static_cast<std::int64_t>(Each.Up), static_cast<std::int64_t>(Each.Down)}, {}});
    In.walk(
        Each.Jobs, [](std::uint32_t) { return false; }, [&](std::uint32_t Job) { Found.back().second.push_back(Job); });
  }
  return Found;
}

TEST(Blocks, RisesBeforeFallsBecomeOne) {
  Sequences Jobs(3);
  Chain All = {{2, 0, 0}};
  follow(Jobs, All, {{3, 1, 1}, {0, 5, 2}});
  EXPECT_EQ(seen(Jobs, All), (Seen{{{5, 6}, {0, 1, 2}}}));
}

TEST(Blocks, FallsStayApartWhereTheNextOneRisesHigher) {
  Sequences Jobs(4);
  Chain All = {{1, 2, 0}};
  follow(Jobs, All, {{3, 4, 1}, {5, 3, 2}, {4, 1, 3}});
  EXPECT_EQ(seen(Jobs, All), (Seen{{{1, 2}, {0}}, {{3, 4}, {1}}, {{5, 3}, {2}}, {{4, 1}, {3}}}));
}

TEST(Blocks, BesideEachOtherFallsComeFirstAndEqualOnesAreOne) {
  Sequences Jobs(5);
  const Chain All = beside(Jobs, {{4, 1, 0}, {2, 2, 1}, {3, 5, 2}, {1, 2, 3}, {3, 4, 4}});
  EXPECT_EQ(seen(Jobs, All), (Seen{{{1, 2}, {3}}, {{3, 6}, {2, 4}}, {{2, 2}, {1}}, {{4, 1}, {0}}}));
}

TEST(Blocks, OfEqualOnesThoseThatPresumeComeLast) {
  Sequences Jobs(3);
  const Chain All = beside(Jobs, {{3, 5, 0, true}, {3, 4, 1}, {3, 6, 2}});
  EXPECT_EQ(seen(Jobs, All), (Seen{{{3, 7}, {1, 2}}, {{3, 5}, {0}}}));
  EXPECT_FALSE(All.front().Presumes);
  EXPECT_TRUE(All.back().Presumes);
}

TEST(Blocks, BetterNeedsLessForItsNextFallOrFallsFurther) {
  const Chain Low = {{1, 2, 0}}, High = {{2, 3, 0}}, Far = {{1, 3, 0}}, Rise = {{3, 1, 0}}, Leave = {{3, 2, 0}};
  EXPECT_TRUE(isBetter(Low, High));
  EXPECT_FALSE(isBetter(High, Low));
  EXPECT_TRUE(isBetter(Far, Low));
  EXPECT_FALSE(isBetter(Low, Low));
  EXPECT_TRUE(isBetter(Low, Rise));
  EXPECT_TRUE(isBetter(Rise, Leave));
}

} // namespace
} // namespace memshape::series_parallel
