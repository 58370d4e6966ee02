// The runner as a process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hand-written skeletons and the answers that follow from reading them.

#include "RunnerProcess.h"

#include <gtest/gtest.h>
#include <unistd.h>

using namespace memshape::test;
using nlohmann::json;

static json shape(std::initializer_list<std::int64_t> Values) { return {{"shape", Values}}; }

#define EXPECT_STATUS(Answer, Expected) EXPECT_EQ((Answer).value("status", ""), Expected) << (Answer).dump()

TEST(Runner, CountsAReallocChainAsOneAllocation) {
  RunnerProcess Runner("realloc-chain");
  const json Answer = Runner.evaluate(shape({100}));
  EXPECT_STATUS(Answer, "ok");
  EXPECT_EQ(Answer["peak"], 1600);
  EXPECT_EQ(Answer["total"], 16 * 100 * 101 / 2);
  EXPECT_EQ(Answer["allocations"], 1);
  EXPECT_EQ(Answer["reallocations"], 99);
  EXPECT_EQ(Answer["output"], 0);
  EXPECT_EQ(Answer["sites"], json::array({{0, 1600, 1}}));
  EXPECT_EQ(Runner.finish(), 0);
}

TEST(Runner, CountsAsIfALineWereChanged) {
  RunnerProcess Runner("realloc-chain");
  json Request = shape({100});
  Request["change"] = {{"what", "scale"}, {"sites", json::array({0})}, {"times", 1}, {"parts", 4}};
  EXPECT_EQ(Runner.evaluate(Request)["peak"], 400);
  Request["change"] = {{"what", "scale"}, {"sites", json::array({0})}, {"times", 3}, {"extent", 0}};
  EXPECT_EQ(Runner.evaluate(Request)["peak"], 48) << "three of a hundred";
  Request["change"] = {{"what", "reserve"}, {"sites", json::array({0})}};
  const json Answer = Runner.evaluate(Request);
  EXPECT_EQ(Answer["peak"], 1600);
  EXPECT_EQ(Answer["counts_whole"], true) << "nothing is told of writes";
  EXPECT_EQ(Runner.evaluate(shape({100}))["peak"], 1600) << "evaluations go on as before";
}

TEST(Runner, TakesMachineCodeWhereThereIsSome) {
  RunnerProcess Runner("realloc-chain");
#if defined(__x86_64__)
  EXPECT_EQ(Runner.ready()["code_from"], std::getenv("TEST_WITH_OBJECTS") ? "object" : "bitcode");
#endif
}

TEST(Runner, CompilesBitcodeBesideAnObjectThatIsNone) {
  for (const std::size_t Kept : {std::size_t(0), std::size_t(64), std::size_t(700)}) {
    RunnerProcess Runner("realloc-chain", {{"cut_object", Kept}});
    EXPECT_EQ(Runner.ready()["code_from"], "bitcode") << Kept;
    EXPECT_EQ(Runner.evaluate(shape({100}))["peak"], 1600);
  }
}

TEST(Runner, TellsWhatOnlyTheFirstCallHolds) {
  RunnerProcess Runner("first-call-static");
  const json Answer = Runner.evaluate(shape({100}));
  EXPECT_EQ(Answer["peak"], 100);
  EXPECT_EQ(Answer["allocations"], 1);
  EXPECT_EQ(Answer["one_time"], 4096);
  EXPECT_EQ(Answer["output"], 100);
  EXPECT_EQ(Runner.evaluate(shape({100}))["one_time"], 4096) << "the second evaluation starts as the first";
}

TEST(Runner, BacksUntouchedBlocksWithNothing) {
  RunnerProcess Runner("untouched-blocks");
  const std::int64_t Bytes = 1'000'000'000'000'000;
  const json Answer = Runner.evaluate(shape({Bytes}));
  EXPECT_EQ(Answer["peak"], 2 * Bytes);
  EXPECT_EQ(Answer["total"], 3 * Bytes);
  EXPECT_EQ(Answer["output"], Bytes);
  EXPECT_EQ(Answer["sites"], json({{0, Bytes, 1}, {1, Bytes, 1}}));
}

TEST(Runner, SeparatesMemorySpaces) {
  RunnerProcess Runner("untouched-blocks", {{"site_spaces", {"host", "device", "device"}}});
  const json Answer = Runner.evaluate(shape({100}));
  EXPECT_EQ(Answer["peak"], 100);
  EXPECT_EQ(Answer["allocations"], 1);
  EXPECT_EQ(Answer["spaces"], json({{"host", 100}, {"device", 200}}));
  EXPECT_EQ(Answer["output"], 0);
}

TEST(Runner, AnswersDecisionsAsProposedOrAsAsked) {
  RunnerProcess Runner("decisions-and-values");
  json Answer = Runner.evaluate(shape({5}));
  EXPECT_EQ(Answer["peak"], 7);
  EXPECT_EQ(Answer["decisions"], json({{0, 5, 0}, {1, 1, 0}}));
  EXPECT_EQ(Answer["values"], json({{1, 7, 7}}));
  json Request = shape({5});
  Request["branches"] = {{"0", 1}};
  Request["values"] = {{"1", 128}};
  Answer = Runner.evaluate(Request);
  EXPECT_EQ(Answer["peak"], 628);
  EXPECT_EQ(Answer["allocations"], 6);
  EXPECT_EQ(Answer["decisions"], json({{0, 5, 5}, {1, 1, 0}}));
  EXPECT_EQ(Answer["values"], json({{1, 128, 128}}));
  Request.erase("branches");
  Request["ones"] = {{"0", 3}};
  EXPECT_EQ(Runner.evaluate(Request)["decisions"], json({{0, 5, 3}, {1, 1, 0}}));
  EXPECT_EQ(Runner.evaluate(shape({5}))["peak"], 7) << "answers hold for one evaluation";
}

TEST(Runner, TakesSizesWithinTheirBounds) {
  RunnerProcess Runner("bounded-sizes");
  json Request = shape({50});
  EXPECT_EQ(Runner.evaluate(Request)["peak"], 3) << "as proposed, as far as the bounds allow";
  Request["sizes"] = "greatest";
  EXPECT_EQ(Runner.evaluate(Request)["peak"], 50);
  Request["branches"] = {{"1", 1}};
  EXPECT_EQ(Runner.evaluate(Request)["peak"], 59);
  Request["sizes"] = "middle";
  EXPECT_EQ(Runner.evaluate(Request)["peak"], 33);
  Request["sizes"] = "least";
  EXPECT_EQ(Runner.evaluate(Request)["peak"], 8);
  Request.erase("sizes");
  Request["values"] = {{"0", 40}};
  EXPECT_EQ(Runner.evaluate(Request)["peak"], 80) << "what is given is taken";
}

TEST(Runner, NamesSitesWhoseSizesHaveNoBound) {
  RunnerProcess Runner("bounded-sizes");
  json Request = shape({5000});
  Request["sizes"] = "greatest";
  json Answer = Runner.evaluate(Request);
  EXPECT_EQ(Answer["endless"], json::array({0}));
  EXPECT_EQ(Answer["peak"], 0);
  Request["shape"] = {500};
  Answer = Runner.evaluate(Request);
  EXPECT_FALSE(Answer.contains("endless")) << Answer.dump();
  EXPECT_EQ(Answer["peak"], 500);
}

TEST(Runner, GoesOnAfterAnOperatorThatThrows) {
  RunnerProcess Runner("leaves-below-ten");
  json Request = shape({5});
  Request["settings"] = {1000.9};
  json Answer = Runner.evaluate(Request);
  EXPECT_STATUS(Answer, "throws");
  EXPECT_EQ(Answer["reason"], 3);
  Request["shape"] = {10};
  Answer = Runner.evaluate(Request);
  EXPECT_EQ(Answer["peak"], 1000);
  EXPECT_EQ(Answer["output"], 0);
}

TEST(Runner, TakesCallsThatDoNotReturnForThrows) {
  RunnerProcess Runner("ends-in-many-ways");
  for (int How = 1; How <= 5; ++How)
    EXPECT_STATUS(Runner.evaluate(shape({How})), "throws");
  EXPECT_STATUS(Runner.evaluate(shape({0})), "ok");
}

TEST(Runner, SaysThatOtherAnswersMayLeadToAReturn) {
  RunnerProcess Runner("ends-in-many-ways", {{"decisions", 1}});
  const json Answer = Runner.evaluate(shape({15}));
  EXPECT_STATUS(Answer, "throws");
  EXPECT_EQ(Answer["reason"], 7);
}

TEST(Runner, AnswersFaultsAndEnds) {
  for (int How : {6, 7, 8, 10, 11, 12, 13}) {
    RunnerProcess Runner("ends-in-many-ways");
    const json Answer = Runner.evaluate(shape({How}));
    EXPECT_STATUS(Answer, "error") << How;
    EXPECT_FALSE(Answer.value("message", "").empty());
    EXPECT_EQ(Runner.finish(), 1);
  }
}

TEST(Runner, TellsWhatARunTookThatItEnds) {
  RunnerProcess Runner("ends-in-many-ways");
  EXPECT_EQ(Runner.evaluate(shape({13}))["work_us"], 1500);
}

TEST(Runner, StopsASkeletonThatDoesNotEnd) {
  RunnerProcess Runner("ends-in-many-ways", {{"limits", {{"seconds", 0.2}}}});
  EXPECT_STATUS(Runner.evaluate(shape({9})), "limit");
  EXPECT_EQ(Runner.finish(), 1);
}

TEST(Runner, NamesTheSiteThatCannotBeBacked) {
  RunnerProcess Runner("ends-in-many-ways");
  const json Answer = Runner.evaluate(shape({14}));
  EXPECT_STATUS(Answer, "limit");
  EXPECT_EQ(Answer["site"], 1);
}

TEST(Runner, RemembersNothingBetweenEvaluations) {
  RunnerProcess Runner("state-between-evaluations");
  for (int I = 0; I < 3; ++I)
    EXPECT_EQ(Runner.evaluate(shape({1}))["peak"], 1 + 11 + 101 + 1 + 1) << "evaluation " << I;
}

TEST(Runner, WorksInASmallAddressSpace) {
  RunnerProcess Runner("realloc-chain", {{"limits", {{"address_space_bytes", std::int64_t(1) << 30}}}});
  EXPECT_EQ(Runner.evaluate(shape({100}))["peak"], 1600) << Runner.ready().dump();
}

TEST(Runner, NamesAFunctionThatNobodyDefines) {
  RunnerProcess Runner("unknown-function");
  EXPECT_STATUS(Runner.ready(), "error");
  EXPECT_NE(Runner.ready()["message"].get<std::string>().find("nobody_defines_this"), std::string::npos);
}

TEST(Runner, NamesALibraryThatIsMissing) {
  RunnerProcess Runner("library-calls", {{"libraries", {"libnobody-has-this.so.7"}}});
  EXPECT_STATUS(Runner.ready(), "error");
  EXPECT_NE(Runner.ready()["message"].get<std::string>().find("libnobody-has-this.so.7"), std::string::npos);
}

TEST(Runner, RefusesWhatIsNoBitcode) {
  for (const std::string &Bytes :
       {std::string("not bitcode, but 24 bytes"), std::string("BC\xC0\xDE", 4) + std::string(60, '\7')}) {
    RunnerProcess Runner;
    Runner.send("{\"bitcode_bytes\": " + std::to_string(Bytes.size()) + "}\n" + Bytes);
    const json Answer = Runner.answer();
    EXPECT_STATUS(Answer, "error");
    EXPECT_EQ(Answer["message"].get<std::string>().find('\n'), std::string::npos);
    EXPECT_EQ(Runner.finish(), 1);
  }
}

TEST(Runner, RefusesEveryTruncationOfBitcode) {
  const std::string Whole = contentsOf(std::string(MEMSHAPE_TEST_SKELETONS) + "/first-call-static.bc");
  for (std::size_t Bytes = 4; Bytes < Whole.size(); Bytes += Whole.size() / 12) {
    RunnerProcess Runner;
    Runner.send("{\"bitcode_bytes\": " + std::to_string(Bytes) + ", \"sites\": 2}\n" + Whole.substr(0, Bytes));
    EXPECT_STATUS(Runner.answer(), "error") << Bytes;
  }
}

TEST(Runner, RefusesABrokenDialogue) {
  for (const char *Line : {"", "[]", "{", "{\"bitcode_bytes\": -4}", "{\"bitcode_bytes\": 1e99}", "{\"sites\": 3}"}) {
    RunnerProcess Runner;
    Runner.send(std::string(Line) + "\n");
    EXPECT_STATUS(Runner.answer(), "error") << Line;
  }
  RunnerProcess Runner("realloc-chain");
  EXPECT_STATUS(Runner.evaluate({{"shape", {"x"}}}), "error");
}

/// Skeletons that call a library for real.
class RunnerWithLibrary : public testing::Test {
protected:
  RunnerProcess Runner{"library-calls", {{"libraries", {MEMSHAPE_TEST_LIBRARY}}}};
};

TEST_F(RunnerWithLibrary, CountsBlocksThatChangeHands) {
  json Answer = Runner.evaluate(shape({0, 1000})); // ours, freed there
  EXPECT_EQ(Answer["peak"], 1000) << Answer.dump();
  EXPECT_EQ(Answer["output"], 0);
  EXPECT_EQ(Answer["sites"], json::array({{0, 1000, 1}}));
  Answer = Runner.evaluate(shape({1, 1000})); // theirs, freed here
  EXPECT_EQ(Answer["peak"], 1000);
  EXPECT_EQ(Answer["output"], 0);
  EXPECT_EQ(Answer["sites"], json::array({{-1, 1000, 1}}));
  Answer = Runner.evaluate(shape({2, 1000})); // ours, grown there
  EXPECT_EQ(Answer["peak"], 2000);
  EXPECT_EQ(Answer["total"], 3000);
  EXPECT_EQ(Answer["allocations"], 1);
  EXPECT_EQ(Answer["reallocations"], 1);
  EXPECT_EQ(Answer["sites"], json::array({{-1, 2000, 1}}));
  Answer = Runner.evaluate(shape({3, 1000})); // theirs, grown here
  EXPECT_EQ(Answer["peak"], 3000);
  EXPECT_EQ(Answer["sites"], json::array({{1, 3000, 1}}));
}

TEST_F(RunnerWithLibrary, SeparatesALibrarysCacheFromTheWarmCall) {
  for (int I = 0; I < 2; ++I) {
    const json Answer = Runner.evaluate(shape({4, 1000}));
    EXPECT_EQ(Answer["peak"], 0) << "the block of the first call is freed before the new one is made";
    EXPECT_EQ(Answer["total"], 1000);
    EXPECT_EQ(Answer["output"], 0);
    EXPECT_EQ(Answer["one_time"], (1 << 20) + 1000);
  }
}

TEST_F(RunnerWithLibrary, CountsThreadsOfALibrary) {
  const json Answer = Runner.evaluate(shape({5, 100000}));
  EXPECT_STATUS(Answer, "ok");
  EXPECT_GE(Answer["peak"], 400000);
  EXPECT_LT(Answer["peak"], 410000);
  EXPECT_EQ(Answer["output"], 0);
  EXPECT_GE(Answer["allocations"], 4004);
}

TEST(Runner, CountsARepeatedCallEachTimeAndMakesItOnce) {
  RunnerProcess Runner("repeated-and-unknown-calls", {{"libraries", {MEMSHAPE_TEST_LIBRARY}}});
  const json Answer = Runner.evaluate(shape({1}));
  EXPECT_EQ(Answer["output"], 1) << "one real call" << Answer.dump();
  EXPECT_EQ(Answer["peak"], 508);
  EXPECT_EQ(Answer["total"], 8 + 3 * 1000 + 1);
  EXPECT_EQ(Answer["allocations"], 1 + 3 * 2 + 1);
  EXPECT_EQ(Answer["sites"], json({{-1, 500, 1}, {0, 8, 1}}));
  EXPECT_EQ(Answer["unknown"], json({0, 2}));
}

TEST_F(RunnerWithLibrary, AnswersALibraryThatAborts) { EXPECT_STATUS(Runner.evaluate(shape({6, 1})), "error"); }
TEST_F(RunnerWithLibrary, AnswersALibraryThatExits) { EXPECT_STATUS(Runner.evaluate(shape({7, 1})), "error"); }
TEST_F(RunnerWithLibrary, AnswersALibraryThatExitsSilently) { EXPECT_STATUS(Runner.evaluate(shape({11, 1})), "error"); }
TEST_F(RunnerWithLibrary, TakesALibrarysExceptionForAThrow) { EXPECT_STATUS(Runner.evaluate(shape({8, 1})), "throws"); }

TEST_F(RunnerWithLibrary, KeepsPrintingApartFromAnswers) {
  EXPECT_EQ(Runner.evaluate(shape({9, 1}))["output"], 0);
  EXPECT_EQ(Runner.evaluate(shape({1, 5}))["peak"], 5);
}

TEST_F(RunnerWithLibrary, DoesNotLetALibraryWriteFilesOrStartProcesses) {
  EXPECT_STATUS(Runner.evaluate(shape({10, 1})), "ok");
  EXPECT_NE(access("/tmp/memshape-skeleton-test-must-not-appear", F_OK), 0);
}
