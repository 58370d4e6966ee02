// The child process answers or fails.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/skeletons/SkeletonSession.h"

#include "Gives.h"
#include <gmock/gmock.h>

using namespace memshape;
using testing::HasSubstr;

static Skeleton skeleton(const std::string &Word) {
  Skeleton S;
  S.Operator = "f";
  S.Bitcode = Word;
  S.Sites.emplace_back();
  return S;
}

static RunnerOptions fake(int Seconds = 30) { return {MEMSHAPE_FAKE_RUNNER, {}, std::chrono::seconds(Seconds)}; }

static std::string refusal(const std::string &Word, int Seconds = 30) {
  Skeleton S = skeleton(Word);
  Result<std::unique_ptr<RunnerProcess>> Runner = RunnerProcess::start(S, fake(Seconds));
  if (!Runner)
    return Runner.failure().Message;
  Result<Footprint> Answer = (*Runner)->evaluate({{3, 4}, {}, {}, {}});
  EXPECT_FALSE((*Runner)->alive());
  return Answer ? "answered" : Answer.failure().Message;
}

TEST(RunnerProcess, AnswersManyQuestions) {
  Skeleton S = skeleton("product");
  ASSERT_GIVES(std::unique_ptr<RunnerProcess> Runner, RunnerProcess::start(S, fake()));
  for (std::int64_t N = 1; N < 300; ++N) {
    ASSERT_GIVES(Footprint Answer, Runner->evaluate({{N, 7}, {0.5}, {{0, 1}}, {{1, 5}}}));
    EXPECT_EQ(Answer.Peak, static_cast<std::uint64_t>(56 * N));
    EXPECT_EQ(Answer.SiteBytes.at(0), Answer.Peak);
  }
}

TEST(RunnerProcess, TakesBitcodeLargerThanAPipe) {
  Skeleton S = skeleton(std::string(1 << 20, 'x'));
  EXPECT_TRUE(RunnerProcess::start(S, fake()));
}

TEST(RunnerProcess, SaysWhatWentWrong) {
  EXPECT_EQ(refusal("refuse"), "the skeleton of 'f' cannot be executed: no symbol frobnicate");
  EXPECT_THAT(refusal("die"), HasSubstr("ended unexpectedly"));
  EXPECT_THAT(refusal("babble"), HasSubstr("no proper answer"));
  EXPECT_THAT(refusal("hang", 1), HasSubstr("no answer in real time"));
}

TEST(RunnerProcess, SaysThatThereIsNoRunner) {
  Skeleton S = skeleton("product");
  RunnerOptions Options = fake();
  Options.Executable = "/nowhere/memshape-skeleton";
  EXPECT_THAT(RunnerProcess::start(S, Options).failure().Message,
              testing::AllOf(HasSubstr("/nowhere/memshape-skeleton"), HasSubstr("No such file")));
}

TEST(SkeletonSession, StartsAgainAfterALimit) {
  Skeleton S = skeleton("limit");
  SkeletonSession Session(S, fake());
  ASSERT_GIVES(Footprint First, Session.evaluate({{11}, {}, {}, {}}));
  EXPECT_EQ(First.Outcome, Footprint::Status::Limit);
  ASSERT_GIVES(Footprint Second, Session.evaluate({{5}, {}, {}, {}}));
  EXPECT_EQ(Second.Peak, 40u);
}

TEST(RunnerProcess, OutlivesAChildThatFails) {
  Skeleton S = skeleton("children");
  ASSERT_GIVES(std::unique_ptr<RunnerProcess> Runner, RunnerProcess::start(S, fake()));
  EXPECT_EQ(Runner->evaluate({{11}, {}, {}, {}})->Outcome, Footprint::Status::Error);
  EXPECT_EQ(Runner->evaluate({{5}, {}, {}, {}})->Peak, 40u);
}

TEST(SkeletonSession, GivesUpInTheEnd) {
  Skeleton S = skeleton("limit");
  SkeletonSession Session(S, fake());
  bool Answered = true;
  for (int I = 0; I < 200 && Answered; ++I)
    Answered = static_cast<bool>(Session.evaluate({{11}, {}, {}, {}}));
  EXPECT_FALSE(Answered);
}

TEST(Footprint, ParsesWhatTheRunnerSays) {
  ASSERT_GIVES(Footprint F,
               parseFootprint(R"({"status": "ok", "peak": 12, "total": 20, "allocations": 2, "reallocations": 1,
    "output": -4, "one_time": 3, "spaces": {"host": 12}, "sites": [[0, 12, 1], [-1, 0, 0], [1, -8, -1]], "decisions": [[0, 4, 1], [1, 0, 0]],
    "time_us": 0.5})"));
  EXPECT_EQ(F.Peak, 12u);
  EXPECT_EQ(F.Output, 0u);
  EXPECT_EQ(F.SiteBytes.at(1), 0u);
  ASSERT_EQ(F.Decisions.size(), 1u); // the one that was asked for
  EXPECT_EQ(F.Decisions[0].Ones, 1u);
}

TEST(Footprint, RefusesForeignAnswers) {
  for (const char *Line :
       {"", "[]", "{}", R"({"status": "fine"})", R"({"status": "ok"})", R"({"status": "ok", "peak": -1})",
        R"({"status": "ok", "peak": "12"})", R"({"status": "ok", "peak": 1.5})",
        R"({"status": "ok", "peak": 9223372036854775808})", R"({"status": "ok", "peak": 1, "sites": [1]})",
        R"({"status": "ok", "peak": 1, "sites": [[0]]})", R"({"status": "ok", "peak": 1, "decisions": [[-1, 1, 1]]})",
        R"({"status": "ok", "peak": 1, "varies": "x"})", R"({"status": "ok", "peak": 1, "remembers": 1})"})
    EXPECT_FALSE(parseFootprint(Line)) << Line;
  for (const char *Line : {R"({"status": "ok", "complete": 1})", R"({"status": "ok", "too_many": []})",
                           R"({"status": "ok", "complete": true, "alike": "x"})"})
    EXPECT_FALSE(parseAllRuns(Line)) << Line;
}

TEST(Footprint, IsNotReadFromMillionsOfValues) {
  std::string Line = R"({"status": "ok", "peak": 1, "sites": [)";
  for (int I = 0; I < 5'000'000; ++I)
    Line += "0,";
  EXPECT_THAT(parseFootprint(Line + "0]}").failure().Message, HasSubstr("4 million values"));
}
