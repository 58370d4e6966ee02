// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/plan/ChunkPlan.h"

#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace memshape {
namespace {

using Values = std::vector<std::int64_t>;

ChunkRequest request(std::vector<PlannedSymbol> Symbols, std::uint64_t Limit,
                     std::function<double(const Values &)> Bytes) {
  ChunkRequest Asked;
  Asked.Operator = "op";
  Asked.Symbols = std::move(Symbols);
  Asked.ElementIn = Asked.ElementOut = 4;
  Asked.Limit = Limit;
  Asked.Ask = [Bytes](const Values &At) -> Result<CallBytes> {
    CallBytes Call;
    Call.Peak = static_cast<std::uint64_t>(Bytes(At));
    Call.Upper = Call.Peak;
    return Call;
  };
  return Asked;
}

/// Fewest tasks along the only axis.
std::int64_t fewestAlong(const ChunkRequest &Asked) {
  const std::int64_t Extent = Asked.Symbols[0].Value;
  for (std::int64_t Count = 1; Count <= Extent; ++Count) {
    const std::uint64_t Longest = static_cast<std::uint64_t>((Extent - 1) / Count + 1);
    const std::uint64_t Own = *Asked.Ask({static_cast<std::int64_t>(Longest)})->Upper + 4 * Longest;
    planning::TaskBytes Task{Own, Own, 4 * Longest, 4 * Longest};
    const std::uint64_t Whole = 4 * static_cast<std::uint64_t>(Extent);
    if (planning::workerBytes(Asked.On, {Count, false, Whole, Whole}, Task, true).total() <= Asked.Limit)
      return Count;
  }
  return 0;
}

TEST(ChunkPlan, FindsTheFewestWithoutAFormula) {
  const auto Squared = [](const Values &At) { return 8.0 * double(At[0]) * double(At[0]) + 1000; };
  const auto Logarithmic = [](const Values &At) { return 40.0 * double(At[0]) * std::log2(double(At[0]) + 1); };
  const auto Stepped = [](const Values &At) { return 64.0 * std::exp2(std::ceil(std::log2(double(At[0])))); };
  for (const std::function<double(const Values &)> &Bytes :
       {std::function<double(const Values &)>(Squared), std::function<double(const Values &)>(Logarithmic),
        std::function<double(const Values &)>(Stepped)})
    for (std::uint64_t Limit : {100'000ull, 1'000'000ull, 30'000'000ull}) {
      const ChunkRequest Asked = request({{"n", 200'000, true, true, 0, 1}}, Limit, Bytes);
      const Result<PlanAnswer> Found = planChunks(Asked);
      ASSERT_TRUE(Found && Found->Found) << Limit;
      EXPECT_LE(Found->Found->upperBytes(), Limit);
      EXPECT_LE(double(Found->Found->Chosen.Tasks), 1.05 * double(fewestAlong(Asked)) + 1) << Limit;
    }
}

TEST(ChunkPlan, AllTasksKeepTheLimitWhereShorterOnesTakeMore) {
  // Odd extents take twice as much.
  const auto Bytes = [](const Values &At) { return double(At[0]) * (At[0] % 2 ? 80.0 : 40.0); };
  const ChunkRequest Asked = request({{"n", 100'001, true, true, 0, 1}}, 1'000'000, Bytes);
  const Result<PlanAnswer> Found = planChunks(Asked);
  ASSERT_TRUE(Found && Found->Found);
  for (const planning::ChunkRun &Run : Found->Found->Chunks[0])
    EXPECT_LE(*Asked.Ask({Run.Length})->Upper + 12 * static_cast<std::uint64_t>(Run.Length), Asked.Limit);
}

TEST(ChunkPlan, TheLeastMemorySucceedsWithoutAFormula) {
  const auto Bytes = [](const Values &At) { return 40.0 * double(At[0]) * std::sqrt(double(At[1])) + 5000; };
  ChunkRequest Asked = request({{"a", 50, true, true, 2, 1}, {"b", 900, true, true, 0, 1}}, 1, Bytes);
  Asked.MostTasks = 20;
  const Result<PlanAnswer> Nothing = planChunks(Asked);
  ASSERT_TRUE(Nothing && !Nothing->Found && Nothing->LeastBytes);
  Asked.Limit = *Nothing->LeastBytes;
  const Result<PlanAnswer> Found = planChunks(Asked);
  EXPECT_TRUE(Found && Found->Found && Found->Found->Chosen.Tasks <= 20);
}

TEST(ChunkPlan, WhatFirstCallsAddIsHeld) {
  ChunkRequest Asked =
      request({{"n", 1000, true, true, 0, 1}}, 1'000'000, [](const Values &At) { return 8.0 * double(At[0]); });
  Asked.Ask = [Ask = Asked.Ask](const Values &At) {
    Result<CallBytes> Call = Ask(At);
    Call->OneTime = 700'000;
    return Call;
  };
  const Result<PlanAnswer> Found = planChunks(Asked);
  ASSERT_TRUE(Found && Found->Found);
  EXPECT_GE(Found->Found->upperBytes(), 700'000u + 8 * 1000);
}

TEST(ChunkPlan, WhatACallReturnsIsCountedOnce) {
  ChunkRequest Asked =
      request({{"n", 1000, true, true, 0, 1}}, 1'000'000, [](const Values &At) { return 8.0 * double(At[0]); });
  Asked.ElementIn = Asked.ElementOut = 0;
  Asked.Ask = [Ask = Asked.Ask](const Values &At) {
    Result<CallBytes> Call = Ask(At);
    Call->Output = 4 * static_cast<std::uint64_t>(At[0]);
    Call->Arguments = 2 * static_cast<std::uint64_t>(At[0]);
    return Call;
  };
  const Result<PlanAnswer> Found = planChunks(Asked);
  ASSERT_TRUE(Found && Found->Found);
  EXPECT_EQ(Found->Found->Chosen.Largest.Bytes.Upper, 8000u);
  EXPECT_EQ(Found->Found->Chosen.Largest.Bytes.Out, 4000u);
  EXPECT_EQ(Found->Found->Chosen.Largest.Bytes.In, 2000u);
}

TEST(ChunkPlan, AFailedPredictionIsTheAnswer) {
  ChunkRequest Asked = request({{"n", 1000, true, true, 0, 1}}, 1'000'000, [](const Values &) { return 1.0; });
  Asked.Ask = [](const Values &) -> Result<CallBytes> { return Failure{"it throws"}; };
  const Result<PlanAnswer> Found = planChunks(Asked);
  ASSERT_FALSE(Found);
  EXPECT_EQ(Found.failure().Message, "it throws");
}

TEST(ChunkPlan, SizesBeyondAllMemoryFitNowhere) {
  ChunkRequest Asked = request({{"n", 1000, true, false, 0, 1}}, 1'000'000, [](const Values &) { return 1.0; });
  Asked.Ask = [](const Values &) -> Result<CallBytes> { return Failure{"too large", FailureCode::TooLarge}; };
  const Result<PlanAnswer> Found = planChunks(Asked);
  ASSERT_TRUE(Found && !Found->Found);
  EXPECT_FALSE(Found->LeastBytes);
}

TEST(ChunkPlan, SymbolsThatAreNoExtentsKeepTheirValue) {
  const ChunkRequest Asked =
      request({{"n", 1000, true, true, 0, 1}, {"steps", 77, false, false, 0, 1}}, 30'000, [](const Values &At) {
        EXPECT_EQ(At[1], 77);
        return 8.0 * double(At[0]);
      });
  const Result<PlanAnswer> Found = planChunks(Asked);
  ASSERT_TRUE(Found && Found->Found);
  const nlohmann::json Text = nlohmann::json::parse(planJson(Asked, *Found));
  EXPECT_FALSE(Text["chunks"].contains("steps"));
  EXPECT_EQ(Text["largest_task"]["shape"]["steps"], 77);
  EXPECT_EQ(Text["tasks"], Text["chunks"]["n"].size());
}

TEST(ChunkPlan, PythonTakesItsChunks) {
  EXPECT_EQ(chunksInPython({{7, 1}}), "(7,)");
  EXPECT_EQ(chunksInPython({{7, 2}, {6, 1}}), "(7, 7, 6)");
  EXPECT_EQ(chunksInPython({{7, 20}, {6, 1}}), "(7,)*20 + (6,)*1");
}

} // namespace
} // namespace memshape
