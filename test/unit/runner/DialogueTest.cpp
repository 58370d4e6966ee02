// Requests and answers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is read, what is refused, and that answers are JSON.

#include "runner/protocol/Dialogue.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace memshape;
using nlohmann::json;

TEST(Dialogue, ReadsTheFirstRequest) {
  StartRequest Start;
  std::string Problem;
  ASSERT_TRUE(parseStart(R"({"bitcode_bytes": 12, "sites": 2, "decisions": 3, "libraries": ["libm.so.6"],
                             "site_spaces": ["host", "device"], "later": {"x": 1},
                             "limits": {"seconds": 0.5, "address_space_bytes": 4096}})",
                         Start, Problem))
      << Problem;
  EXPECT_EQ(Start.BitcodeBytes, 12u);
  EXPECT_EQ(Start.Decisions, 3u);
  EXPECT_EQ(Start.SiteSpaces, (std::vector<std::uint8_t>{0, 1}));
  EXPECT_EQ(Start.Libraries, std::vector<std::string>{"libm.so.6"});
  EXPECT_EQ(Start.Seconds, 0.5);
  EXPECT_EQ(Start.AddressSpaceBytes, 4096u);
}

TEST(Dialogue, RefusesFirstRequestsWithOneLine) {
  for (const char *Line : {"",
                           "null",
                           "[1]",
                           "{",
                           R"({})",
                           R"({"bitcode_bytes": 0})",
                           R"({"bitcode_bytes": "9"})",
                           R"({"bitcode_bytes": 1.5})",
                           R"({"bitcode_bytes": 2000000000})",
                           R"({"bitcode_bytes": 1, "sites": -1})",
                           R"({"bitcode_bytes": 1, "sites": 99999999})",
                           R"({"bitcode_bytes": 1, "libraries": "x"})",
                           R"({"bitcode_bytes": 1, "libraries": [""]})",
                           R"({"bitcode_bytes": 1, "libraries": ["a\u0000b"]})",
                           R"({"bitcode_bytes": 1, "limits": []})",
                           R"({"bitcode_bytes": 1, "limits": {"seconds": 0}})",
                           R"({"bitcode_bytes": 1, "limits": {"seconds": "1"}})",
                           R"({"bitcode_bytes": 1, "limits": {"seconds": 1e300}})",
                           R"({"bitcode_bytes": 1, "sites": 1, "site_spaces": []})",
                           R"({"bitcode_bytes": 1, "sites": 1, "site_spaces": ["moon"]})"}) {
    StartRequest Start;
    std::string Problem;
    EXPECT_FALSE(parseStart(Line, Start, Problem)) << Line;
    EXPECT_FALSE(Problem.empty()) << Line;
    EXPECT_EQ(Problem.find('\n'), std::string::npos);
  }
}

TEST(Dialogue, ReadsEvaluations) {
  EvaluationRequest Request;
  std::string Problem;
  ASSERT_TRUE(parseEvaluation(R"({"shape": [1, -2, 18446744073709551615], "settings": [1.5, 2, true],
                                  "branches": {"0": 1, "7": false}, "values": {"3": -1}, "ones": {"5": 128},
                                  "sizes": "greatest"})",
                              Request, Problem))
      << Problem;
  EXPECT_EQ(Request.Shape, (std::vector<std::int64_t>{1, -2, -1}));
  EXPECT_EQ(Request.Settings, (std::vector<double>{1.5, 2, 1}));
  EXPECT_EQ(Request.Branches,
            (std::vector<std::pair<std::uint32_t, BranchAnswer>>{{0, BranchAnswer::Yes}, {7, BranchAnswer::No}}));
  EXPECT_EQ(Request.Values, (std::vector<std::pair<std::uint32_t, std::uint64_t>>{{3, UINT64_MAX}}));
  EXPECT_EQ(Request.Ones, (std::vector<std::pair<std::uint32_t, std::uint64_t>>{{5, 128}}));
  EXPECT_EQ(Request.Sizes, SizesFromData::Greatest);
}

TEST(Dialogue, RefusesEvaluationsWithOneLine) {
  for (const char *Line :
       {"7", R"({"shape": 4})", R"({"shape": [1.5]})", R"({"shape": [99999999999999999999]})", R"({"settings": ["a"]})",
        R"({"branches": [1]})", R"({"branches": {"0": 6}})", R"({"branches": {"x": 1}})", R"({"branches": {"-1": 1}})",
        R"({"values": {"1": 1.5}})", R"({"values": {"99999999999": 1}})", R"({"ones": [1]})", R"({"sizes": "most"})",
        R"({"sizes": 1})", R"({"ones": {"1": "x"}})"}) {
    EvaluationRequest Request;
    std::string Problem;
    EXPECT_FALSE(parseEvaluation(Line, Request, Problem)) << Line;
    EXPECT_FALSE(Problem.empty()) << Line;
  }
}

TEST(Dialogue, ReadsUpToTheLimitsOfRequestsAndNotBeyond) {
  auto Reads = [](const json &Evaluation) {
    EvaluationRequest Request;
    std::string Problem;
    return parseEvaluation(Evaluation.dump(), Request, Problem);
  };
  using namespace request;
  EXPECT_TRUE(Reads({{"threads", MaxThreads}, {"steps", MaxSteps}, {"seconds", MaxSeconds}}));
  EXPECT_FALSE(Reads({{"threads", MaxThreads + 1}}));
  EXPECT_TRUE(Reads({{"team_sizes", json::array({1, MaxThreads})}, {"nested", true}}));
  EXPECT_FALSE(Reads({{"team_sizes", json::array({1, 0})}}));
  EXPECT_FALSE(Reads({{"team_sizes", json::array({MaxThreads + 1})}}));
  EXPECT_FALSE(Reads({{"team_sizes", std::vector<int>(MaxTeamSizes + 1, 1)}}));
  EXPECT_FALSE(Reads({{"nested", 1}}));
  EXPECT_FALSE(Reads({{"steps", MaxSteps + 1}}));
  EXPECT_FALSE(Reads({{"seconds", MaxSeconds * 1.01}}));
  const json Most = {{"states", MaxStates}, {"milliseconds", MaxMilliseconds}, {"bytes", MaxStateBytes}};
  EXPECT_TRUE(Reads({{"explore", Most}}));
  for (const auto &[Name, Limit] : Most.items()) {
    json More = Most;
    More[Name] = Limit.get<std::uint64_t>() + 1;
    EXPECT_FALSE(Reads({{"explore", More}})) << Name;
  }
  EXPECT_TRUE(Reads({{"branches", {{std::to_string(MaxIds - 1), LastPattern}}}}));
  EXPECT_FALSE(Reads({{"branches", {{std::to_string(MaxIds), LastPattern}}}}));
}

TEST(Dialogue, ReadsTheChangeThatIsTried) {
  EvaluationRequest Request;
  std::string Problem;
  const auto Reads = [&](const json &Change) {
    return parseEvaluation(json({{"change", Change}}).dump(), Request, Problem);
  };
  EXPECT_TRUE(Reads({{"what", "scale"}, {"sites", {3, 5}}, {"times", 1}, {"parts", 2}}));
  EXPECT_EQ(Request.Tried.Sites, (std::vector<std::int32_t>{3, 5}));
  EXPECT_EQ(Request.Tried.Parts, 2u);
  EXPECT_EQ(Request.Tried.Extent, -1);
  EXPECT_TRUE(Reads({{"what", "free_before"}, {"before", json::array({7})}, {"extent", 1}}));
  EXPECT_EQ(Request.Tried.What, Change::Kind::Close);
  EXPECT_EQ(Request.Tried.Extent, 1);
  EXPECT_FALSE(Reads({{"what", "magic"}}));
  EXPECT_FALSE(Reads({{"what", "scale"}, {"sites", json::array({-1})}}));
  EXPECT_FALSE(Reads({{"what", "scale"}, {"extent", request::MaxParameters}}));
  EXPECT_FALSE(Reads(json::array()));
}

TEST(Dialogue, SurvivesDeepNesting) {
  EvaluationRequest Request;
  std::string Problem;
  EXPECT_FALSE(parseEvaluation(std::string(1 << 20, '['), Request, Problem));
  EXPECT_FALSE(parseEvaluation(std::string(1 << 18, '[') + std::string(1 << 18, ']'), Request, Problem));
}

TEST(Dialogue, WritesAnswersAsJson) {
  EvaluationFigures Figures;
  Figures.Peak = INT64_MAX;
  Figures.Output = -5;
  Figures.SpacePeaks = {{0, 3}, {1, 4}};
  Figures.SitesAtPeak = {{-1, 2, 1}, {3, -4, -1}};
  Figures.Requests = {{3, 40, 5, 8, 2}};
  Figures.Decisions = {{1, 4000000000, 2}};
  Figures.Values = {{1, 0, UINT64_MAX}};
  Figures.Microseconds = 83.14;
  const json Answer = json::parse(formatFigures(Figures));
  EXPECT_EQ(Answer["peak"], INT64_MAX);
  EXPECT_EQ(Answer["output"], -5);
  EXPECT_EQ(Answer["spaces"], json({{"host", 3}, {"device", 4}}));
  EXPECT_EQ(Answer["sites"], json({{-1, 2, 1}, {3, -4, -1}}));
  EXPECT_EQ(Answer["requests"], json::array({{3, 40, 5, 8, 2}}));
  EXPECT_EQ(Answer["decisions"], json({{1, 4000000000, 2}}));
  EXPECT_EQ(Answer["values"], json({{1, 0, UINT64_MAX}}));
  EXPECT_EQ(Answer["time_us"], 83.1);
  const json Problem = json::parse(formatProblem("throws", "a \"name\" with \xff bytes", 7));
  EXPECT_EQ(Problem["status"], "throws");
  EXPECT_EQ(Problem["reason"], 7);
  EXPECT_EQ(json::parse(formatReady(1.25, true, false))["evaluations_in"], "children");
}
