// Each run is compared with what was known before it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/history/Rounds.h"

#include <gtest/gtest.h>

using namespace memshape;

static RunEntry run(int N, const std::string &Setting, double Resident) {
  return parseRunLine(R"({"schema": "memshape.run/1", "operator": "f", "shape": {"n": )" + std::to_string(N) +
                          R"(}, "settings": {"s": )" + Setting + R"(}, "heap_peak_bytes": )" + std::to_string(8 * N) +
                          R"(, "rss_peak_bytes": )" + std::to_string(static_cast<long>(Resident)) + "}",
                      0)
      ->front();
}

static std::vector<RunEntry> growing(int Count) {
  std::vector<RunEntry> Runs;
  for (int I = 1; I <= Count; ++I)
    Runs.push_back(run(1000000 * I, "1", 9e6 + 8e6 * I));
  return Runs;
}

static std::optional<double> eightBytes(const RunEntry &Run) { return 8 * Run.At.Shape.at("n"); }

TEST(Rounds, ARoundKnowsNothingOfLaterRuns) {
  std::vector<RunEntry> Few = growing(3), More = growing(8);
  std::vector<Round> A = roundsOf(Prior::generic(), Few, 0.99, eightBytes),
                     B = roundsOf(Prior::generic(), More, 0.99, eightBytes);
  for (std::size_t I = 0; I < Few.size(); ++I) {
    EXPECT_EQ(A[I].Before.Resident->Expected.Location, B[I].Before.Resident->Expected.Location);
    EXPECT_EQ(A[I].Before.ResidentRuns, I);
  }
  // It learns.
  auto Error = [&](const Round &R) { return std::abs(R.Before.Resident->Expected.Location - *R.Run.Resident); };
  EXPECT_LT(Error(B[7]), 0.2 * Error(B[0]));
}

TEST(Rounds, OtherSettingsAreAnotherFunction) {
  std::vector<RunEntry> Runs{run(1000, "1", 5e6), run(1000, "2", 50e6), run(1000, "1.0", 5e6), run(1000, "true", 5e6)};
  std::vector<Round> All = roundsOf(Prior::generic(), Runs, 0.99, nullptr);
  EXPECT_EQ(All[1].Before.ResidentRuns, 0u);
  EXPECT_FALSE(All[1].Before.Resident);
  EXPECT_EQ(All[2].Before.ResidentRuns, 1u);
  EXPECT_EQ(All[3].Before.ResidentRuns, 2u) << "true is 1";
}

TEST(Rounds, WhatNobodyExpectedIsNull) {
  nlohmann::ordered_json Json = roundsJson(roundsOf(Prior::generic(), {run(1000, "\"fast\"", 5e6)}, 0.99, nullptr));
  ASSERT_EQ(Json.size(), 1u);
  EXPECT_TRUE(Json[0]["predicted"]["heap"].is_null());
  EXPECT_TRUE(Json[0]["upper"]["rss"].is_null());
  EXPECT_TRUE(Json[0]["time"].is_null());
  EXPECT_EQ(Json[0]["settings"]["s"], "fast");
  EXPECT_EQ(Json[0]["measured"]["rss"], 5000000);
  EXPECT_EQ(roundsPage({}, 5), "");
}
