// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/plan/ChunkPlan.h"

#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace memshape {
using Values = std::vector<std::int64_t>;

static PlanQuestion request(std::vector<PlannedSymbol> Symbols, std::uint64_t Limit,
                            std::function<double(const Values &)> Bytes) {
  PlanQuestion Asked;
  Asked.Operator = "op";
  Asked.Symbols = std::move(Symbols);
  for (const PlannedSymbol &Each : Asked.Symbols)
    if (Each.IsExtent)
      Asked.Job.axes.push_back(Each.Axis);
  Asked.Job.sink = v1::Sink::store;
  Asked.ElementIn = Asked.ElementOut = 4;
  Asked.Job.limit_bytes = Limit;
  Asked.Ask = [Bytes](const Values &At) -> v1::Expected<CallBytes> {
    CallBytes Call;
    Call.Peak = static_cast<std::uint64_t>(Bytes(At));
    Call.Upper = Call.Peak;
    return Call;
  };
  return Asked;
}

/// Fewest tasks along the only axis.
static std::int64_t fewestAlong(const PlanQuestion &Asked) {
  const std::int64_t Extent = Asked.Job.axes[0].extent;
  for (std::int64_t Count = 1; Count <= Extent; ++Count) {
    const std::uint64_t Longest = static_cast<std::uint64_t>((Extent - 1) / Count + 1);
    const std::uint64_t Own = *Asked.Ask({static_cast<std::int64_t>(Longest)})->Upper + 4 * Longest;
    v1::TaskBytes Task{Own, Own, 4 * Longest, 4 * Longest};
    const std::uint64_t Whole = 4 * static_cast<std::uint64_t>(Extent);
    if (planning::workerBytes(Asked.Job, {Count, false, Whole, Whole}, Task, true).total() <= Asked.Job.limit_bytes)
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
      const PlanQuestion Asked = request({{{200'000, 0, 1, true, "n"}}}, Limit, Bytes);
      const v1::Expected<v1::Plan> Found = planChunks(Asked);
      ASSERT_TRUE(Found && Found->feasible) << Limit;
      EXPECT_LE(Found->worker.total(), Limit);
      EXPECT_LE(double(Found->tasks), 1.05 * double(fewestAlong(Asked)) + 1) << Limit;
    }
}

TEST(ChunkPlan, AllTasksKeepTheLimitWhereShorterOnesTakeMore) {
  // Odd extents take twice as much.
  const auto Bytes = [](const Values &At) { return double(At[0]) * (At[0] % 2 ? 80.0 : 40.0); };
  const PlanQuestion Asked = request({{{100'001, 0, 1, true, "n"}}}, 1'000'000, Bytes);
  const v1::Expected<v1::Plan> Found = planChunks(Asked);
  ASSERT_TRUE(Found && Found->feasible);
  for (const v1::ChunkRun &Run : Found->chunks.at("n"))
    EXPECT_LE(*Asked.Ask({Run.length})->Upper + 12 * static_cast<std::uint64_t>(Run.length), Asked.Job.limit_bytes);
}

TEST(ChunkPlan, TheLeastMemorySucceedsWithoutAFormula) {
  const auto Bytes = [](const Values &At) { return 40.0 * double(At[0]) * std::sqrt(double(At[1])) + 5000; };
  PlanQuestion Asked = request({{{50, 2, 1, true, "a"}}, {{900, 0, 1, true, "b"}}}, 1, Bytes);
  Asked.Job.max_tasks = 20;
  const v1::Expected<v1::Plan> Nothing = planChunks(Asked);
  ASSERT_TRUE(Nothing && !Nothing->feasible && Nothing->least_memory_bytes);
  Asked.Job.limit_bytes = *Nothing->least_memory_bytes;
  const v1::Expected<v1::Plan> Found = planChunks(Asked);
  EXPECT_TRUE(Found && Found->feasible && Found->tasks <= 20);
}

TEST(ChunkPlan, WhatFirstCallsAddIsHeld) {
  PlanQuestion Asked =
      request({{{1000, 0, 1, true, "n"}}}, 1'000'000, [](const Values &At) { return 8.0 * double(At[0]); });
  Asked.Ask = [Ask = Asked.Ask](const Values &At) {
    v1::Expected<CallBytes> Call = Ask(At);
    Call->OneTime = 700'000;
    return Call;
  };
  const v1::Expected<v1::Plan> Found = planChunks(Asked);
  ASSERT_TRUE(Found && Found->feasible);
  EXPECT_GE(Found->worker.total(), 700'000u + 8 * 1000);
}

TEST(ChunkPlan, WhatACallReturnsIsCountedOnce) {
  PlanQuestion Asked =
      request({{{1000, 0, 1, true, "n"}}}, 1'000'000, [](const Values &At) { return 8.0 * double(At[0]); });
  Asked.ElementIn = Asked.ElementOut = 0;
  Asked.Ask = [Ask = Asked.Ask](const Values &At) {
    v1::Expected<CallBytes> Call = Ask(At);
    Call->Output = 4 * static_cast<std::uint64_t>(At[0]);
    Call->Arguments = {2 * static_cast<std::uint64_t>(At[0])};
    return Call;
  };
  const v1::Expected<v1::Plan> Found = planChunks(Asked);
  ASSERT_TRUE(Found && Found->feasible);
  EXPECT_EQ(Found->upper_bytes, 8000u);
  EXPECT_EQ(Found->output_bytes, 4000u);
  EXPECT_EQ(Found->input_bytes, 2000u);
}

TEST(ChunkPlan, AFailedPredictionIsTheAnswer) {
  PlanQuestion Asked = request({{{1000, 0, 1, true, "n"}}}, 1'000'000, [](const Values &) { return 1.0; });
  Asked.Ask = [](const Values &) -> v1::Expected<CallBytes> {
    return v1::Error{v1::ErrorCode::no_answer, "it throws"};
  };
  const v1::Expected<v1::Plan> Found = planChunks(Asked);
  ASSERT_FALSE(Found);
  EXPECT_EQ(Found.error().message, "it throws");
}

TEST(ChunkPlan, SizesBeyondAllMemoryFitNowhere) {
  PlanQuestion Asked = request({{{1000, 0, 1, false, "n"}}}, 1'000'000, [](const Values &) { return 1.0; });
  Asked.Ask = [](const Values &) -> v1::Expected<CallBytes> {
    return v1::Error{v1::ErrorCode::too_large, "too large"};
  };
  const v1::Expected<v1::Plan> Found = planChunks(Asked);
  ASSERT_TRUE(Found && !Found->feasible);
  EXPECT_FALSE(Found->least_memory_bytes);
}

TEST(ChunkPlan, SymbolsThatAreNoExtentsKeepTheirValue) {
  const PlanQuestion Asked =
      request({{{1000, 0, 1, true, "n"}}, {{77, 0, 1, false, "steps"}, false}}, 30'000, [](const Values &At) {
        EXPECT_EQ(At[1], 77);
        return 8.0 * double(At[0]);
      });
  const v1::Expected<v1::Plan> Found = planChunks(Asked);
  ASSERT_TRUE(Found && Found->feasible);
  const nlohmann::json Text = nlohmann::json::parse(planJson(*Found));
  EXPECT_FALSE(Text["chunks"].contains("steps"));
  EXPECT_EQ(Text["largest_task"]["shape"]["steps"], 77);
  EXPECT_EQ(Text["tasks"], Text["chunks"]["n"].size());
}

TEST(ChunkPlan, PythonTakesItsChunks) {
  EXPECT_EQ(chunksInPython({{7, 1}}), "(7,)");
  EXPECT_EQ(chunksInPython({{7, 2}, {6, 1}}), "(7, 7, 6)");
  EXPECT_EQ(chunksInPython({{7, 20}, {6, 1}}), "(7,)*20 + (6,)*1");
}
} // namespace memshape
