// Records of runs: what is read and what is refused.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/history/RunLine.h"

#include "Gives.h"
#include <gtest/gtest.h>

using namespace memshape;

constexpr double Now = 2e9;

static std::string problem(const std::string &Members) {
  auto Read = parseRunLine("{\"schema\": \"memshape.run/1\"" + Members + "}", Now);
  return Read ? "" : Read.failure().Message;
}

TEST(RunLine, AnOperatorAShapeAndAPeakAreEnough) {
  ASSERT_GIVES(
      auto Read,
      parseRunLine(R"({"schema": "memshape.run/1", "operator": "op", "shape": {"a": 100}, "heap_peak_bytes": 2800})",
                   Now));
  ASSERT_EQ(Read.size(), 1u);
  const RunEntry &Entry = Read.front();
  EXPECT_EQ(Entry.Operator, "op");
  EXPECT_EQ(Entry.At.Shape.at("a"), 100);
  EXPECT_EQ(*Entry.HeapPeak, 2800);
  EXPECT_FALSE(Entry.Resident);
}

TEST(RunLine, ARunOfTheRuntimeGivesARecordPerOperatorAndShape) {
  ASSERT_GIVES(auto Read, parseRunLine(R"({"schema": "memshape.run/1", "program": "p", "calls": [
      {"operator": "f", "shape": {"n": 4}, "heap": {"peak_bytes": 64}, "rss": {"peak_bytes": 5000000}},
      {"operator": "g", "shape": {"n": 4}, "heap": {"peak_bytes": 32}, "rss": {"peak_bytes": 5000000}}]})",
                                       Now));
  ASSERT_EQ(Read.size(), 2u);
  EXPECT_EQ(Read[1].HeapPeak, 32);
  EXPECT_FALSE(Read[0].Resident) << "what the process held may belong to either";
}

TEST(RunLine, ARunThatTheKernelEndedIsALowerBound) {
  ASSERT_GIVES(auto Read, parseRunLine(R"({"schema": "memshape.run/1", "out_of_memory": "cgroup", "calls": [
      {"operator": "f", "shape": {"n": 4}, "heap": {"peak_bytes": 64}, "rss": {"peak_bytes": 5000000}}]})",
                                       Now));
  EXPECT_TRUE(Read.front().Killed);
  EXPECT_EQ(*Read.front().Resident, 5000000);
}

TEST(RunLine, RefusesMeasurementsThatCannotBe) {
  std::string Good = R"(, "operator": "op", "shape": {"a": 1})";
  EXPECT_EQ(problem(Good + R"(, "heap_peak_bytes": 5)"), "");
  EXPECT_NE(problem(Good), "");
  EXPECT_NE(problem(Good + R"(, "heap_peak_bytes": -5)"), "");
  EXPECT_NE(problem(Good + R"(, "heap_peak_bytes": 1e20)"), "");
  EXPECT_NE(problem(Good + R"(, "heap_peak_bytes": NaN)"), "");
  EXPECT_NE(problem(Good + R"(, "heap_peak_bytes": "5")"), "");
  EXPECT_NE(problem(Good + R"(, "rss_peak_bytes": 0)"), "");
  EXPECT_NE(problem(Good + R"(, "heap_peak_bytes": 5, "started_at": 10, "ended_at": 9)"), "");
  EXPECT_NE(problem(Good + R"(, "heap_peak_bytes": 5, "started_at": 3e9)"), "");
  EXPECT_NE(problem(Good + R"(, "heap_peak_bytes": 5, "footprint": {"formula": "8*"})"), "");
  EXPECT_NE(problem(Good + R"(, "heap_peak_bytes": 5, "footprint": {"formula": "8*b"})"), "");
  EXPECT_NE(problem(R"(, "operator": "op", "shape": {"a": "x"}, "heap_peak_bytes": 5)"), "");
  EXPECT_NE(problem(R"(, "operator": "op", "shape": {"a": -1}, "heap_peak_bytes": 5)"), "");
  EXPECT_NE(problem(R"(, "operator": "", "shape": {"a": 1}, "heap_peak_bytes": 5)"), "");
  EXPECT_FALSE(parseRunLine("[]", Now));
  EXPECT_FALSE(parseRunLine("", Now));
  EXPECT_FALSE(parseRunLine(R"({"operator": "op", "shape": {"a": 1}, "heap_peak_bytes": 5})", Now));
}
