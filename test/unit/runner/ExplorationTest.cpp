// All ways in which data can answer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunnerProcess.h"

#include <gtest/gtest.h>

using namespace memshape::test;
using nlohmann::json;

static json explore(std::int64_t Extent, std::uint64_t States = 1000) {
  return {{"shape", {Extent}}, {"explore", {{"states", States}, {"milliseconds", 20'000}, {"bytes", 1 << 26}}}};
}

TEST(Exploration, RunsThatMeetAreFollowedOnce) {
  RunnerProcess Runner("turns-that-hand-on");
  const json Answer = Runner.evaluate(explore(100));
  EXPECT_EQ(Answer["complete"], true) << Answer.dump();
  EXPECT_EQ(Answer["lower"], 100) << "always the same slot";
  EXPECT_EQ(Answer["upper"], 200);
  EXPECT_EQ(Answer["alike"], false);
  EXPECT_LT(Answer["states"], 700) << "per iteration: which slots hold a block, and which one lies lower";
  EXPECT_EQ(Runner.evaluate({{"shape", {100}}})["peak"], 100) << "evaluations go on as before";
  EXPECT_EQ(Runner.finish(), 0);
}

TEST(Exploration, AnAssumedAnswerIsNotExplored) {
  RunnerProcess Runner("turns-that-hand-on");
  json Request = explore(10);
  Request["branches"] = {{"0", 1}};
  const json Answer = Runner.evaluate(Request);
  EXPECT_EQ(Answer["complete"], true);
  EXPECT_EQ(Answer["upper"], 100);
  EXPECT_EQ(Answer["alike"], true);
  EXPECT_EQ(Answer["total"], 1000);
  EXPECT_EQ(Answer["allocations"], 10);
  EXPECT_EQ(Answer["states"], 0);
}

TEST(Exploration, FollowsChangesOfSizes) {
  RunnerProcess Runner("turns-that-hand-on");
  json Request = explore(100);
  Request["change"] = {{"what", "scale"}, {"sites", {0, 1}}, {"times", 1}, {"parts", 2}};
  const json Answer = Runner.evaluate(Request);
  EXPECT_EQ(Answer["complete"], true) << Answer.dump();
  EXPECT_EQ(Answer["lower"], 50);
  EXPECT_EQ(Answer["upper"], 100);
  Request["change"]["what"] = "reserve";
  EXPECT_EQ(Runner.evaluate(Request)["complete"], false) << "that depends on the order of blocks";
}

TEST(Exploration, EndsWhereThereAreTooManyStates) {
  RunnerProcess Runner("turns-that-hand-on");
  const json Answer = Runner.evaluate(explore(100, 50));
  EXPECT_EQ(Answer["complete"], false);
  EXPECT_EQ(Answer["why"], "there are too many states");
  EXPECT_EQ(Answer["highest"], 200);
}

TEST(Exploration, DecisionsWithoutAPlaceGrowATree) {
  RunnerProcess Runner("decisions-and-values");
  json Request = explore(4);
  Request["values"] = {{"1", 7}};
  const json Answer = Runner.evaluate(Request);
  EXPECT_EQ(Answer["complete"], true) << Answer.dump();
  EXPECT_EQ(Answer["states"], 1 + 2 + 4 + 8);
  EXPECT_EQ(Answer["lower"], 7);
  EXPECT_EQ(Answer["upper"], 407);
}

TEST(Exploration, ASizeFromDataCannotBeFollowed) {
  RunnerProcess Runner("decisions-and-values");
  const json Answer = Runner.evaluate(explore(4));
  EXPECT_EQ(Answer["complete"], false);
  EXPECT_EQ(Answer["why"], "a size comes from data");
}

TEST(Exploration, BoundedSizesAreFollowedAtEitherEnd) {
  RunnerProcess Runner("bounded-sizes");
  json Request = explore(50);
  EXPECT_EQ(Runner.evaluate(Request)["why"], "a size comes from data");
  Request["sizes"] = "greatest";
  json Answer = Runner.evaluate(Request);
  EXPECT_EQ(Answer["complete"], true) << Answer.dump();
  EXPECT_EQ(Answer["upper"], 59);
  Request["sizes"] = "least";
  EXPECT_EQ(Runner.evaluate(Request)["lower"], 3);
  Request["sizes"] = "greatest";
  Request["shape"] = {5000};
  EXPECT_EQ(Runner.evaluate(Request)["why"], "a size comes from data");
}

TEST(Exploration, WhatAFirstCallLeavesBehindIsFoundByTheSecond) {
  RunnerProcess Runner("first-call-static");
  const json Answer = Runner.evaluate(explore(100));
  EXPECT_EQ(Answer["complete"], true) << Answer.dump();
  EXPECT_EQ(Answer["upper"], 100);
  EXPECT_EQ(Answer["allocations"], 1);
  EXPECT_EQ(Answer["output"], 100);
}
