// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/residency/Remaining.h"

#include "Gives.h"
#include <gtest/gtest.h>

namespace memshape {
constexpr double MB = 1e6;

/// A plain process whose caller has touched 20 MB.
static Look entry() { return {23 * MB, 23 * MB, 2.7 * MB, 20 * MB, 20 * MB}; }

static Remaining seen(const Look &First) {
  Remaining Seen;
  Seen.see(First);
  return Seen;
}

static ScorePool scoresUpTo(double Most) {
  ScorePool Pool;
  for (int I = 0; I < 20; ++I)
    Pool.add({-5, Most});
  return Pool;
}

TEST(Remaining, WhatIsResidentBesideTheHeapStays) {
  Remaining Seen = seen(entry());
  EXPECT_DOUBLE_EQ(Seen.own(), 3 * MB);
  EXPECT_DOUBLE_EQ(Seen.expected({100 * MB, 0}), 103 * MB);
}

TEST(Remaining, UntouchedMemoryOfTheCallerMayStillBeTouched) {
  Remaining Seen = seen({13 * MB, 13 * MB, 2.7 * MB, 20 * MB, 20 * MB}); // 10 of 20 are there
  EXPECT_DOUBLE_EQ(Seen.own(), 2.7 * MB + 295000);
  EXPECT_DOUBLE_EQ(Seen.expected({100 * MB, 0}), 102.7 * MB + 295000);
}

TEST(Remaining, AFreshBlockDoesNotHideTheProcess) {
  Remaining Seen = seen(entry());
  Seen.see({23 * MB, 23 * MB, 2.7 * MB, 60 * MB, 60 * MB});
  EXPECT_DOUBLE_EQ(Seen.own(), 3 * MB);
}

TEST(Remaining, NeverLessThanWhatIsThereAlready) {
  Remaining Seen = seen({180 * MB, 200 * MB, 150 * MB, 10 * MB, 20 * MB});
  Forecast Now = Seen.forecast({20 * MB, 0}, 0.9, scoresUpTo(1));
  EXPECT_GE(Now.Expected.Location, 200 * MB);
  EXPECT_GT(Now.Upper, 199 * MB);
}

TEST(Remaining, TheBoundFollowsTheScores) {
  Remaining Seen = seen(entry());
  double Narrow = Seen.forecast({100 * MB, 0}, 0.9, scoresUpTo(1)).Upper,
         Wide = Seen.forecast({100 * MB, 0}, 0.9, scoresUpTo(10)).Upper;
  EXPECT_LT(Narrow, Wide);
  EXPECT_NEAR(Narrow, 103 * MB + 65536 + 0.0005 * 80 * MB, 1);
}

TEST(Remaining, PastRunsKnowWhatIsNeverTouched) {
  Remaining Seen = seen(entry());
  Forecast Runs{{60 * MB, 1 * MB, 5}, 63 * MB};
  Forecast Now = Seen.forecast({100 * MB, 0}, 0.9, scoresUpTo(1), Runs);
  EXPECT_DOUBLE_EQ(Now.Expected.Location, 60 * MB);
  EXPECT_DOUBLE_EQ(Now.Upper, 63 * MB);
  // But not against what is there.
  Seen.see({70 * MB, 70 * MB, 2.7 * MB, 80 * MB, 80 * MB});
  Now = Seen.forecast({100 * MB, 0}, 0.9, scoresUpTo(1), Runs);
  EXPECT_DOUBLE_EQ(Now.Upper, 70 * MB);
}

TEST(Remaining, SmallBlocksCostTheirShadowAsTheyCome) {
  Situation Small;
  Small.Heap = Small.Total = 3.2 * MB;
  Small.Allocations = 1e5; // of 32 bytes in 48: 16 for the header, a quarter of all for the runtime
  EXPECT_NEAR(costAhead(Small, 0), 1.6 * MB + 0.25 * 4.8 * MB, 0.05 * MB);
  EXPECT_NEAR(costAhead(Small, 1.6 * MB), 0.5 * costAhead(Small, 0), 1);
  EXPECT_EQ(costAhead(Small, 3.2 * MB), 0);
  Situation Large = Small;
  Large.Allocations = 2;
  EXPECT_NEAR(costAhead(Large, 0), 2 * (16 + 2048) + 2 * 8192, 1)
      << "half a last page of each, and the runtime's pages";
}

TEST(Remaining, WhatIsNeverWrittenDoesNotCount) {
  Remaining Seen = seen(entry());
  Situation Call;
  Call.Heap = Call.Total = 80 * MB;
  Call.Touched = 30 * MB;
  Ahead Coming = aheadOf(Call, Seen, 20 * MB, 0, Prior::uninformed());
  EXPECT_DOUBLE_EQ(Coming.Never, 50 * MB);
  EXPECT_DOUBLE_EQ(Seen.expected(Coming), 53 * MB);
  Call.Kept = 5 * MB; // freed and not given back
  EXPECT_DOUBLE_EQ(aheadOf(Call, Seen, 20 * MB, 0, Prior::uninformed()).Never, 45 * MB);
}

TEST(Remaining, AnOutputCountsFromWhenItIsWritten) {
  Remaining Seen =
      seen({13 * MB, 13 * MB, 2.7 * MB, 20 * MB, 20 * MB}); // of the caller's 20 MB some 10 are not there yet
  Situation Call;
  Call.Heap = Call.Total = Call.Touched = 80 * MB;
  double Absent = Seen.untouched();
  EXPECT_NEAR(Absent, 10 * MB, 0.1 * MB);
  EXPECT_DOUBLE_EQ(aheadOf(Call, Seen, 20 * MB, 0, Prior::uninformed()).Never, 0) << "they may be written at the peak";
  Call.TouchedWithTensors = 80 * MB; // the output is written when the blocks are gone
  EXPECT_DOUBLE_EQ(aheadOf(Call, Seen, 20 * MB, 0, Prior::uninformed()).Never, Absent);
  EXPECT_DOUBLE_EQ(aheadOf(Call, Seen, 20 * MB, 4 * MB, Prior::uninformed()).Never, Absent - 4 * MB)
      << "what is not there may be blocks of the call";
}

TEST(Remaining, LibrariesThatAreCalledAreStillToCome) {
  Remaining Seen = seen(entry());
  Situation Call;
  Call.Heap = 0;
  Call.Libraries = 40;
  Call.CalledCode = 8 * MB;
  Ahead Coming = aheadOf(Call, Seen, 20 * MB, 0, Prior::uninformed());
  EXPECT_GT(Coming.Process, 8 * MB);
  EXPECT_DOUBLE_EQ(Seen.expected(Coming), 20 * MB + Coming.Process);
}

TEST(Remaining, ScoresAreReadFromTheirText) {
  std::string Text = "memshape-course 1\nprovenance a test\nscores";
  for (double Number : scoresUpTo(3).numbers())
    Text += " " + std::to_string(Number);
  ASSERT_GIVES(ScorePool Read, readCourseScores(Text));
  EXPECT_DOUBLE_EQ(Read.quantile(0.9, 5), 3);
  EXPECT_FALSE(readCourseScores("memshape-model 1\n"));
  EXPECT_FALSE(courseScores().empty());
  EXPECT_GE(courseScores().operators(), 30u);
}
} // namespace memshape
