// Timelines, trends and sizes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/forecast/Monitor.h"
#include "TemporaryFolder.h"
#include "libmemshape/measurement/forecast/Forecast.h"
#include "libmemshape/measurement/forecast/GrowthTrend.h"
#include "libmemshape/measurement/process/ControlGroup.h"
#include "libmemshape/text/Figures.h"

#include <gtest/gtest.h>

#include <random>

using namespace memshape;

namespace {

TEST(Timeline, KeepsLeastMostAndLastOfEachBucket) {
  Timeline Line(4, 10);
  Line.add(0, 5, 5, 0);
  Line.add(3, 9, 9, 70);
  Line.add(9, 7, 9, 60);
  Line.add(25, 1, 9, 0);
  const TimelineBucket &First = Line.buckets()[0], &Third = Line.buckets()[2];
  EXPECT_EQ((std::vector<std::int64_t>{First.Least, First.Most, First.Last}), (std::vector<std::int64_t>{5, 9, 7}));
  EXPECT_EQ(First.ResidentMost, 70u);
  EXPECT_EQ(Line.buckets()[1].Samples, 0u);
  EXPECT_EQ(Third.Most, 1);
  EXPECT_EQ(Line.width(), 10u);
}

TEST(Timeline, HalvesItsResolutionAndLosesNoExtreme) {
  std::mt19937_64 Random(3);
  Timeline Line(16, 1);
  std::int64_t Peak = 0, Least = 1 << 30;
  std::vector<std::int64_t> Seen;
  for (std::uint64_t Time = 0; Time != 5000; ++Time) {
    std::int64_t Live = 100 + static_cast<std::int64_t>(Random() % 1000000);
    Seen.push_back(Live);
    Peak = std::max(Peak, Live);
    Least = std::min(Least, Live);
    Line.add(Time, Live, Peak, 0);
  }
  EXPECT_EQ(Line.width(), 512u);
  std::uint64_t Samples = 0;
  for (std::size_t I = 0; I != Line.buckets().size(); ++I) {
    const TimelineBucket &Bucket = Line.buckets()[I];
    Samples += Bucket.Samples;
    if (!Bucket.Samples)
      continue;
    auto Begin = Seen.begin() + static_cast<std::ptrdiff_t>(I * 512);
    auto End = Seen.begin() + std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>((I + 1) * 512), 5000);
    EXPECT_EQ(Bucket.Most, *std::max_element(Begin, End));
    EXPECT_EQ(Bucket.Least, *std::min_element(Begin, End));
    EXPECT_EQ(Bucket.Last, End[-1]);
  }
  EXPECT_EQ(Samples, 5000u);
  EXPECT_EQ(Line.peak(), Peak);
}

TEST(Timeline, APeakBetweenTwoSamplesIsSeen) {
  Timeline Line(8, 10);
  Line.add(5, 100, 100, 0);
  Line.add(15, 120, 900, 0); // came and went
  Line.add(25, 130, 900, 0);
  EXPECT_EQ(Line.buckets()[1].Most, 900);
  EXPECT_EQ(Line.buckets()[2].Most, 130);
  EXPECT_EQ(Line.peakSeen(), 15u);
}

TEST(Timeline, ALongPauseDoublesAsOftenAsNeeded) {
  Timeline Line(2, 1);
  Line.add(0, 1, 1, 0);
  Line.add(1000000, 2, 2, 0);
  EXPECT_GE(2 * Line.width(), 1000000u);
  EXPECT_EQ(Line.buckets()[0].Most, 1);
  EXPECT_EQ(Line.buckets()[1].Most, 2);
}

TEST(GrowthTrend, TellsWhenASteadyTrendMeetsALimit) {
  GrowthTrend Trend;
  for (int I = 0; I <= 20; ++I)
    Trend.add(0.1 * I, 1000 + 50.0 * I);
  EXPECT_NEAR(Trend.rate(), 500, 1e-6);
  EXPECT_NEAR(Trend.secondsUntil(4000).value(), 4, 1e-6);
  EXPECT_EQ(Trend.secondsUntil(1500).value(), 0);
}

TEST(GrowthTrend, ForgetsWhatIsLongAgoAndPromisesNothingWithoutGrowth) {
  GrowthTrend Trend(1);
  EXPECT_FALSE(Trend.secondsUntil(10));
  for (int I = 0; I <= 10; ++I)
    Trend.add(0.1 * I, 100.0 * I);
  for (int I = 11; I <= 40; ++I)
    Trend.add(0.1 * I, 1000);
  EXPECT_NEAR(Trend.rate(), 0, 1e-6);
  EXPECT_FALSE(Trend.secondsUntil(2000));
}

TEST(GrowthTrend, WarnsInTimeAndNotOfEverySmallTrend) {
  EXPECT_FALSE(isWorthAWarning(10, 100, 5.0)); // nothing much is held
  EXPECT_TRUE(isWorthAWarning(50, 100, 5.0));
  EXPECT_FALSE(isWorthAWarning(50, 100, 600.0));
  EXPECT_FALSE(isWorthAWarning(80, 100, std::nullopt));
  EXPECT_TRUE(isWorthAWarning(95, 100, std::nullopt));
}

TEST(ByteSize, UnitsOfPeopleAreRead) {
  EXPECT_EQ(*readByteSize("8GiB"), 8ull << 30);
  EXPECT_EQ(*readByteSize("8G"), 8ull << 30);
  EXPECT_EQ(*readByteSize("8GB"), 8000000000ull);
  EXPECT_EQ(*readByteSize("1.5MiB"), 3ull << 19);
  EXPECT_EQ(*readByteSize("500kB"), 500000ull);
  EXPECT_EQ(*readByteSize("1234"), 1234ull);
  EXPECT_EQ(*readByteSize("7B"), 7ull);
  EXPECT_EQ(*readByteSize("1e9"), 1000000000ull);
  for (const char *Wrong : {"", "x", "-1", "0", "8Gi", "8 GiB", "8GiBs", "8XB", "inf", "nan", "1e30", "99999P"})
    EXPECT_FALSE(readByteSize(Wrong)) << Wrong;
}

TEST(OutOfMemory, CountsOfTheKernelAreReadAndCompared) {
  const TemporaryFolder Tree;
  EXPECT_FALSE(outOfMemoryKills(Tree.Path).System);
  Tree.write("proc/vmstat", "pgfault 7\noom_kill 9\n");
  Tree.write("proc/self/cgroup", "4:memory:/docker/abc\n0::/job\n");
  Tree.write("proc/self/mountinfo", "31 20 0:27 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"
                                    "30 20 0:26 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  Tree.write("sys/fs/cgroup/memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\n");
  EXPECT_FALSE(outOfMemoryKills(Tree.Path).Group);
  Tree.write("sys/fs/cgroup/unified/job/memory.events", "low 0\noom 3\noom_kill 2\n");
  EXPECT_EQ(outOfMemoryKills(Tree.Path).Group, 2u);
  Tree.write("sys/fs/cgroup/memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 17");
  EXPECT_EQ(outOfMemoryKills(Tree.Path).Group, 17u);
  EXPECT_EQ(outOfMemoryKills(Tree.Path).System, 9u);
  EXPECT_EQ(whereMemoryEnded({1, 5}, {2, 6}), "cgroup");
  EXPECT_EQ(whereMemoryEnded({1, 5}, {1, 6}), "system");
  EXPECT_EQ(whereMemoryEnded({std::nullopt, 5}, {1, 5}), "");
}

RunRecord inCalls(std::initializer_list<std::int64_t> Bases) {
  RunRecord Process;
  Process.Program = "program";
  Process.Operators.push_back({"op", "f.cpp", 1, {"n"}, {}, "", false});
  for (std::int64_t Base : Bases) {
    RunGroup Group;
    Group.Shape = {Base};
    Process.Groups.push_back(Group);
    Process.Open.push_back({Process.Groups.size() - 1, Process.Groups.size(), 0, Base, 0, 0});
  }
  return Process;
}

/// The forecast once everything is known that of() asks for: a question per operator call, one after the other.
std::optional<ProcessForecast> afterAnswers(Forecaster &Forecasts, const RunRecord &Process) {
  std::optional<ProcessForecast> Found;
  for (std::size_t Question = 0; Question <= Process.Open.size(); ++Question) {
    Found = Forecasts.of(Process);
    Forecasts.wait();
  }
  return Found;
}

TEST(Forecast, CallsInFlightAddUpAndEachIsAskedForOnce) {
  std::atomic<int> Asked = 0;
  Forecaster Forecasts([&](const std::string &, const RunOperator &, const RunGroup &Group) {
    ++Asked;
    return std::optional(CallForecast{100 * Group.Shape[0], 7, true});
  });
  EXPECT_EQ(afterAnswers(Forecasts, inCalls({10}))->Peak, 10 + 1000 + 7);
  EXPECT_EQ(afterAnswers(Forecasts, inCalls({10, 20}))->Peak, 10 + 1007 + 2007);
  EXPECT_EQ(Asked, 2);
  EXPECT_FALSE(Forecasts.of(inCalls({})));
}

TEST(Forecast, ResidentMemoryStartsFromWhatTheProcessHolds) {
  Forecaster Forecasts([](const std::string &, const RunOperator &, const RunGroup &) {
    return std::optional(CallForecast{50000000, 0, true});
  });
  RunRecord Process = inCalls({20000000});
  Process.Pid = 7;
  EXPECT_FALSE(afterAnswers(Forecasts, Process)->Resident) << "nobody has looked";
  Forecasts.see(7, {24e6, 24e6, 2.7e6, 20e6, 20e6}); // 4 MB beside the heap
  ProcessForecast Found = *Forecasts.of(Process);
  EXPECT_DOUBLE_EQ(Found.Resident->Peak, 74e6);
  EXPECT_GT(*Found.Resident->Upper, 74e6);
  EXPECT_LT(*Found.Resident->Upper, 76e6);
  EXPECT_DOUBLE_EQ(*mostPossible(Found), *Found.Resident->Upper);
  EXPECT_EQ(Found.Upper, 70000000);
}

TEST(Forecast, WithoutABoundOfTheHeapTheProcessHasNone) {
  Forecaster Forecasts([](const std::string &, const RunOperator &, const RunGroup &) {
    return std::optional(CallForecast{50000000, 0, false});
  });
  RunRecord Process = inCalls({20000000});
  Forecasts.see(0, {24e6, 24e6, 2.7e6, 20e6, 20e6});
  ProcessForecast Found = *afterAnswers(Forecasts, Process);
  EXPECT_FALSE(Found.Upper || Found.Resident->Upper || mostPossible(Found));
  EXPECT_GT(mostLikely(Found), 74e6);
}

/// A clock that stands still until somebody turns it on; questions are answered in threads of their own.
struct MadeUpClock {
  std::atomic<int> Seconds = 0;
  Forecaster::TimeNow now() {
    return [this] { return Forecaster::Clock::time_point(std::chrono::seconds(Seconds.load())); };
  }
};

TEST(Forecast, WhatACallHoldsTellsWhatItWillHold) {
  MadeUpClock Clock;
  std::atomic<int> Looks = 0;
  Forecaster Forecasts(
      [&](const std::string &, const RunOperator &, const RunGroup &) {
        CallForecast Call{1000, 0, false};
        Call.AfterSeeing = [&, Call](const HeldByPlace &Held) -> std::optional<CallForecast> {
          ++Looks;
          ++Clock.Seconds; // a look takes a second
          CallForecast Later = Call;
          Later.FromRun = true;
          Later.Peak = 4 * Held.at({"f.cpp", 12, 3});
          return Later;
        };
        return std::optional(Call);
      },
      AlarmConfidence, Clock.now());
  RunRecord Process = inCalls({10});
  EXPECT_EQ(afterAnswers(Forecasts, Process)->Peak, 1010);
  EXPECT_EQ(Looks, 0) << "nothing is held yet";

  Process.Sites.push_back({"f.cpp", "op", 12, 3, 0, 1, "", "", 0});
  Process.LiveSites.push_back({0, 800});
  ProcessForecast Found = afterAnswers(Forecasts, Process).value();
  EXPECT_EQ(Found.Peak, 3210);
  EXPECT_TRUE(Found.FromRun);
  EXPECT_EQ(afterAnswers(Forecasts, Process)->Peak, 3210);
  EXPECT_EQ(Looks, 1) << "the same moment is not looked into twice";

  Process.LiveSites.front().Bytes = 900;
  Clock.Seconds = 4;
  EXPECT_EQ(afterAnswers(Forecasts, Process)->Peak, 3210) << "looking rests four times as long as it took";
  Clock.Seconds = 5;
  EXPECT_EQ(afterAnswers(Forecasts, Process)->Peak, 3610);
  EXPECT_EQ(Looks, 2);

  Process.Groups.front().First.Calls = 1; // what is held may be left from that one
  EXPECT_EQ(Forecasts.of(Process)->Peak, 1010);
}

TEST(Forecast, ACallThatCannotBePredictedGivesNone) {
  std::atomic<int> Asked = 0;
  Forecaster Forecasts([&](const std::string &, const RunOperator &, const RunGroup &) {
    ++Asked;
    return std::optional<CallForecast>();
  });
  RunRecord Process = inCalls({10});
  EXPECT_FALSE(afterAnswers(Forecasts, Process));
  EXPECT_FALSE(afterAnswers(Forecasts, Process));
  EXPECT_EQ(Asked, 1) << "a call without a forecast is not asked for again";
}

} // namespace
