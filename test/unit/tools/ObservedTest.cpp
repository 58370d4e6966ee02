// Answers to decisions that a run has shown.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/history/Observed.h"
#include "MadeUpOperators.h"

#include "Gives.h"
#include <gtest/gtest.h>

using namespace memshape;
using namespace memshape::test;

const AllocatingPlace List{"f.cpp", 10, 3}, Copy{"f.cpp", 20, 3};

/// A list of 8 bytes for each event that data show, of 1000 that may be, then a copy of three times its size.
static Skeleton listAndCopy(bool AsValue) {
  Skeleton S = withSymbols("f", {"n"});
  S.Sites = {{{"f.cpp", "f", 10, 3}, "host", "malloc", {}}, {{"f.cpp", "f", 20, 3}, "host", "malloc", {}}};
  S.Decisions = {branchAt(8, true)};
  S.Decisions[0].IsValue = AsValue;
  return S;
}

static void step(Footprint &F, std::int64_t Site, std::int64_t Change,
                 std::vector<std::pair<std::int64_t, std::int64_t>> Held) {
  std::int64_t Live = 0;
  for (const auto &[Of, Bytes] : Held)
    Live += Bytes;
  F.Peak = std::max(F.Peak, static_cast<std::uint64_t>(Live));
  F.Steps.push_back({F.Events++, Site, Change, Live, std::move(Held)});
}

static Footprint runOf(std::int64_t Events) {
  Footprint F = footprint(0);
  step(F, 0, 8 * Events, {{0, 8 * Events}});
  step(F, 1, 24 * Events, {{0, 8 * Events}, {1, 24 * Events}});
  return F;
}

/// The branch is proposed 0 each time.
static Footprint byBranch(const Question &Asked) {
  auto Ones = Asked.Ones.find(0);
  std::uint64_t Events = Ones == Asked.Ones.end() ? 0 : std::min<std::uint64_t>(Ones->second, 1000);
  Footprint F = runOf(static_cast<std::int64_t>(Events));
  F.Decisions = {{0, 1000, Events}};
  return F;
}

static Footprint byValue(const Question &Asked) {
  auto Given = Asked.Values.find(0);
  Footprint F = runOf(Given == Asked.Values.end() ? 64 : static_cast<std::int64_t>(Given->second));
  F.Decisions = {{0, 1, 0}};
  return F;
}

const auto Never = [] { return false; };

TEST(Observed, ABranchIsTakenAsOftenAsItsListSays) {
  FunctionEvaluator Evaluate(byBranch);
  ASSERT_GIVES(Explanation Found, explain(listAndCopy(false), {}, {{List, 8 * 137}}, Evaluate, Never));
  EXPECT_TRUE(Found.Changed);
  EXPECT_EQ(Found.Asked.Ones.at(0), 137u);
  EXPECT_EQ(Found.Heap.Peak, 32u * 137);
  EXPECT_LT(Evaluate.Count, 12u);
}

TEST(Observed, ANumberFromDataIsFound) {
  FunctionEvaluator Evaluate(byValue);
  ASSERT_GIVES(Explanation Found, explain(listAndCopy(true), {}, {{List, 8 * 123457}}, Evaluate, Never));
  EXPECT_EQ(Found.Asked.Values.at(0), 123457u);
  EXPECT_EQ(Found.Heap.Peak, 32u * 123457);
}

TEST(Observed, WhatWasSupposedStaysWhereItComesThroughThatMoment) {
  FunctionEvaluator Evaluate(byValue);
  ASSERT_GIVES(Explanation Found, explain(listAndCopy(true), {}, {{List, 8 * 64}, {Copy, 24 * 64}}, Evaluate, Never));
  EXPECT_FALSE(Found.Changed);
  EXPECT_EQ(Evaluate.Count, 1u);
}

TEST(Observed, LessThanWasSupposedIsSeenToo) {
  FunctionEvaluator Evaluate(byValue);
  ASSERT_GIVES(Explanation Found, explain(listAndCopy(true), {}, {{List, 8 * 5}, {Copy, 24 * 5}}, Evaluate, Never));
  EXPECT_EQ(Found.Heap.Peak, 32u * 5);
}

TEST(Observed, WhatTheSkeletonCannotHoldIsNotExplained) {
  FunctionEvaluator Evaluate(byBranch);
  EXPECT_FALSE(explain(listAndCopy(false), {}, {{List, 8 * 2000}}, Evaluate, Never)) << "more than all may be";
  EXPECT_FALSE(explain(listAndCopy(false), {}, {{List, 8 * 10}, {Copy, 24 * 11}}, Evaluate, Never)) << "never together";
  EXPECT_FALSE(explain(listAndCopy(false), {}, {{List, 8 * 10}}, Evaluate, [] { return true; })) << "no time";
}

TEST(Observed, MemoryOfOtherCodeIsNotItsOwn) {
  FunctionEvaluator Evaluate(byBranch);
  ASSERT_GIVES(Explanation Found,
               explain(listAndCopy(false), {}, {{List, 8 * 10}, {{"caller.cpp", 5, 1}, 4096}}, Evaluate, Never));
  EXPECT_EQ(Found.Heap.Peak, 32u * 10);
}
