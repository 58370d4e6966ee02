// What decisions can do to a peak.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MadeUpOperators.h"

#include <gmock/gmock.h>

#include <array>

using namespace memshape;
using namespace memshape::test;
using testing::ElementsAre;
using testing::HasSubstr;

/// Bounds of an operator whose peak is a function of its answers; decision I is proposed 0.
static Bounds boundsFor(Skeleton &S, const std::function<Footprint(const Question &)> &F, const Question &Asked = {}) {
  FunctionEvaluator Evaluate(F);
  Footprint Proposed = F(Asked);
  Bounds Found = boundsOf(S, Asked, Proposed, Evaluate);
  EXPECT_EQ(Evaluate.Count, Found.Evaluations);
  EXPECT_LE(Found.Evaluations, 288u);
  return Found;
}

namespace {

/// One whose runs have all been followed.
class ExploredEvaluator final : public Evaluator {
public:
  explicit ExploredEvaluator(AllRuns Found) : Found(std::move(Found)) {}
  Result<Footprint> evaluate(const Question &) override { return Failure{"nothing else should be asked"}; }
  std::optional<AllRuns> explore(const Question &, const RunLimits &) override { return Found; }

private:
  AllRuns Found;
};

AllRuns allRuns(std::uint64_t Lower, std::uint64_t Upper, bool Alike) {
  AllRuns Found;
  Found.Complete = true;
  Found.Alike = Alike;
  Found.Lower = Lower;
  Found.Upper = Found.Highest = Found.Total = Upper;
  Found.Allocations = 1;
  return Found;
}

Footprint askedInALoop(std::uint64_t Peak) {
  Footprint F = footprint(Peak);
  F.Decisions = {{0, 10, 5}};
  return F;
}

} // namespace

TEST(Bounds, DecisionsThatChangeNothingLeaveThePeakExact) {
  Skeleton S = withSymbols("f", {"n"}, {branchAt(3, true)});
  ExploredEvaluator Evaluate(allRuns(100, 100, true));
  const Bounds Found = boundsOf(S, {}, askedInALoop(100), Evaluate);
  EXPECT_TRUE(Found.Exact);
  EXPECT_TRUE(Found.Indifferent);
  EXPECT_TRUE(Found.Proven);
  EXPECT_THAT(Found.Notes, testing::IsEmpty());
}

TEST(Bounds, EqualPeaksWithOtherTotalsAreNotExact) {
  Skeleton S = withSymbols("f", {"n"}, {branchAt(3, true)});
  ExploredEvaluator Evaluate(allRuns(100, 100, false));
  const Bounds Found = boundsOf(S, {}, askedInALoop(100), Evaluate);
  EXPECT_FALSE(Found.Exact);
  EXPECT_TRUE(Found.Proven);
  EXPECT_EQ(Found.Lower, 100u);
  EXPECT_EQ(Found.Upper, 100u);
}

TEST(Bounds, AllRunsAndTheOneThatWasProposedGiveTheBounds) {
  Skeleton S = withSymbols("f", {"n"}, {branchAt(3)});
  ExploredEvaluator Evaluate(allRuns(40, 900, false));
  for (auto [Proposed, Lower, Upper] : {std::array<std::uint64_t, 3>{100, 40, 900}, {30, 30, 900}, {1000, 40, 1000}}) {
    const Bounds Found = boundsOf(S, {}, askedInALoop(Proposed), Evaluate);
    EXPECT_TRUE(Found.Proven);
    EXPECT_EQ(figures(Found), Figures(false, Lower, Upper)) << Proposed;
  }
}

TEST(Bounds, EqualPeaksThatLeaveOtherOutputsAreNotExact) {
  Skeleton S = withSymbols("f", {"n"}, {branchAt(3, true)});
  AllRuns Found = allRuns(100, 100, true);
  Found.Output = 4;
  ExploredEvaluator Evaluate(Found);
  EXPECT_FALSE(boundsOf(S, {}, askedInALoop(100), Evaluate).Exact);
}

TEST(Bounds, SizesFromDataAreTriedAtTheirLeastAndGreatest) {
  class SizedEvaluator final : public Evaluator {
  public:
    Result<Footprint> evaluate(const Question &) override { return askedInALoop(100); }
    std::optional<AllRuns> explore(const Question &Asked, const RunLimits &) override {
      return Asked.SizesFromData == Question::Sizes::Least ? allRuns(60, 70, false) : allRuns(80, 900, false);
    }
  } Evaluate;
  Skeleton S = withSymbols("f", {"n"}, {branchAt(3), branchAt(4)});
  S.Decisions.back().IsValue = S.Decisions.back().Bounded = true;
  const Bounds Found = boundsOf(S, {}, askedInALoop(100), Evaluate);
  EXPECT_EQ(Found.Lower, 60u);
  EXPECT_EQ(Found.Upper, 900u);
}

TEST(Bounds, SizesThatNoProcessHasRoomForAreNoBound) {
  class SizedEvaluator final : public Evaluator {
  public:
    Result<Footprint> evaluate(const Question &) override { return askedInALoop(100); }
    std::optional<AllRuns> explore(const Question &, const RunLimits &) override {
      return allRuns(80, std::uint64_t(1) << 47, false);
    }
  } Evaluate;
  Skeleton S = withSymbols("f", {"n"}, {branchAt(3), branchAt(4)});
  S.Decisions.back().IsValue = S.Decisions.back().Bounded = true;
  Footprint Proposed = askedInALoop(100);
  Proposed.Decisions.push_back({1, 1, 0});
  const Bounds Found = boundsOf(S, {}, Proposed, Evaluate);
  EXPECT_EQ(Found.Upper, std::nullopt);
  EXPECT_TRUE(Found.says(NoteCode::unbounded_size));
}

TEST(Bounds, RunsAreNotFollowedWhereACallIsLeftOut) {
  Skeleton S = withSymbols("f", {"n"}, {branchAt(3)});
  S.Unknown = {{"mystery", {}, true, CallReason::NoBody}};
  ExploredEvaluator Evaluate(allRuns(100, 100, true));
  Footprint Proposed = askedInALoop(100);
  Proposed.UnknownMet = {0};
  EXPECT_FALSE(boundsOf(S, {}, Proposed, Evaluate).Proven);
}

TEST(Bounds, EachWayOfAnsweringInALoopIsTried) {
  for (std::uint32_t Highest = 2; Highest <= 5; ++Highest) {
    Skeleton S = withSymbols("f", {"n"}, {branchAt(3, true)});
    const Bounds Found = boundsFor(S, [&](const Question &Asked) {
      const std::uint32_t How = answer(Asked, 0, 0);
      Footprint F = footprint(How == Highest ? 900 : 100);
      F.Decisions = {{0, 10, How ? 5u : 0u}};
      return F;
    });
    EXPECT_EQ(Found.Upper, std::nullopt) << Highest;
    EXPECT_TRUE(std::any_of(Found.Notes.begin(), Found.Notes.end(), [](const Note &Each) {
      return Each.Code == NoteCode::changing_answers;
    })) << Highest;
  }
}

TEST(Bounds, RunsAreNotFollowedWhereALibraryIsCalledForReal) {
  Skeleton S = withSymbols("f", {"n"}, {branchAt(3)});
  S.Unknown = {{"fftw_execute", {}, false, CallReason::Executed}};
  ExploredEvaluator Evaluate(allRuns(100, 100, true));
  EXPECT_FALSE(boundsOf(S, {}, askedInALoop(100), Evaluate).Exact);
}

TEST(Bounds, WithoutDecisionsThePeakIsExact) {
  Skeleton S = withSymbols("f", {"n"});
  S.Decisions.push_back(branchAt(3)); // there, but not asked for at this shape
  Bounds Found = boundsFor(S, [](const Question &) { return footprint(100); });
  EXPECT_EQ(figures(Found), Figures(true, 100, 100));
  EXPECT_EQ(Found.Evaluations, 0u);
}

TEST(Bounds, AskedDecisionIsNeverExact) {
  Skeleton S = withSymbols("f", {"n"}, {branchAt(3)});
  Bounds Found = boundsFor(S, [](const Question &Asked) {
    Footprint F = footprint(answer(Asked, 0, 0) ? 40 : 100);
    F.Decisions = {{0, 1, answer(Asked, 0, 0)}};
    return F;
  });
  EXPECT_EQ(figures(Found), Figures(false, 40, 100));
}

TEST(Bounds, FindsDecisionsBehindDecisions) {
  Skeleton S = withSymbols("f", {"n"}, {branchAt(3), branchAt(4), branchAt(5)});
  // Only 0 -> 1, then 1 -> 0, then 2 -> 1 reaches the high peak.
  Bounds Found = boundsFor(S, [](const Question &Asked) {
    Footprint F = footprint(100);
    F.Decisions = {{0, 1, answer(Asked, 0, 0)}};
    if (answer(Asked, 0, 0) == 0)
      return F;
    F.Decisions.push_back({1, 1, answer(Asked, 1, 1)});
    if (answer(Asked, 1, 1) == 1)
      return F;
    F.Decisions.push_back({2, 1, answer(Asked, 2, 0)});
    if (answer(Asked, 2, 0) == 1)
      F.Peak = 999;
    return F;
  });
  EXPECT_EQ(Found.Upper, 999u);
  EXPECT_EQ(Found.Lower, 100u);
  EXPECT_THAT(Found.Notes, testing::IsEmpty());
}

TEST(Bounds, ManyDecisionsAreTriedInPart) {
  Skeleton S = withSymbols("f", {"n"});
  for (std::uint32_t I = 0; I < 30; ++I)
    S.Decisions.push_back(branchAt(I));
  Bounds Found = boundsFor(S, [](const Question &Asked) {
    Footprint F = footprint(100);
    F.Undecided = 90;
    for (std::uint32_t I = 0; I < 30; ++I) {
      F.Decisions.push_back({I, 1, answer(Asked, I, 0)});
      F.Peak += answer(Asked, I, 0) ? I : 0;
    }
    return F;
  });
  EXPECT_EQ(Found.Lower, 90u) << "what was not tried may lead lower";
  EXPECT_EQ(Found.Upper, 535u);
  EXPECT_THAT(textsOf(Found.Notes), ElementsAre(HasSubstr("of the combinations of 30 decisions")));
}

TEST(Bounds, AnswersThatNeverReturnLeaveNoUpperBound) {
  Skeleton S = withSymbols("f", {"n"}, {branchAt(3, true)});
  Bounds Found = boundsFor(S, [](const Question &Asked) {
    Footprint F = footprint(100);
    F.Undecided = 60;
    F.Decisions = {{0, 10, 0}};
    if (answer(Asked, 0, 0))
      F.Outcome = Footprint::Status::Limit;
    return F;
  });
  EXPECT_EQ(Found.Upper, std::nullopt);
  EXPECT_EQ(Found.Lower, 60u);
  EXPECT_THAT(textsOf(Found.Notes), ElementsAre(HasSubstr("came to no end"), HasSubstr("in a loop")));
}

TEST(Bounds, LongRunsThatAskOnceAreTriedWithEachAnswerOnce) {
  Skeleton S = withSymbols("f", {"n"}, {branchAt(3)});
  Bounds Found = boundsFor(S, [](const Question &Asked) {
    Footprint F = footprint(answer(Asked, 0, 1) ? 100 : 90);
    F.Decisions = {{0, 1, answer(Asked, 0, 1)}};
    F.WorkMicroseconds = 60'000'000;
    return F;
  });
  EXPECT_EQ(Found.Lower, 90u);
  EXPECT_EQ(Found.Upper, 100u);
  EXPECT_TRUE(Found.Proven);
  EXPECT_EQ(Found.Evaluations, 1u);
}

TEST(Bounds, AnswersThatThrowDoNotCount) {
  Skeleton S = withSymbols("f", {"n"}, {branchAt(3)});
  Bounds Found = boundsFor(S, [](const Question &Asked) {
    Footprint F = footprint(answer(Asked, 0, 0) ? 0 : 100);
    F.Decisions = {{0, 1, 0}};
    if (answer(Asked, 0, 0))
      F.Outcome = Footprint::Status::Throws;
    return F;
  });
  EXPECT_EQ(figures(Found), Figures(false, 100, 100));
}

TEST(Bounds, ValuesFromDataHaveNoBoundUnlessAssumed) {
  Skeleton S = withSymbols("f", {"n"}, {branchAt(7)});
  S.Decisions.back().IsValue = true;
  auto F = [](const Question &Asked) {
    auto Place = Asked.Values.find(0);
    Footprint Answer = footprint(8 * (Place == Asked.Values.end() ? 1 : Place->second));
    Answer.Decisions = {{0, 1, 0}};
    return Answer;
  };
  Bounds Found = boundsFor(S, F);
  EXPECT_EQ(Found.Upper, std::nullopt);
  EXPECT_THAT(textsOf(Found.Notes), ElementsAre(HasSubstr("--assume k=N")));
  Question Assumed;
  Assumed.Values[0] = 128;
  Found = boundsFor(S, F, Assumed);
  EXPECT_EQ(Found.Upper, 1024u);
  EXPECT_FALSE(Found.Exact);
}

TEST(Bounds, CallsThatWereNotExecutedAreNotBounded) {
  Skeleton S = withSymbols("f", {"n"});
  S.Unknown = {{"mystery", {}, true, CallReason::NoBody}, {"elsewhere", {}, true, CallReason::NoBody}};
  Bounds Found = boundsFor(S, [](const Question &) {
    Footprint F = footprint(100);
    F.UnknownMet = {0};
    return F;
  });
  EXPECT_FALSE(Found.Exact);
  EXPECT_EQ(Found.Upper, std::nullopt);
  EXPECT_THAT(textsOf(Found.Notes), ElementsAre("not executed, so their memory is not counted: mystery"));
}

TEST(Bounds, UnknownCallsThatAShapeDoesNotMeetDoNotMatter) {
  Skeleton S = withSymbols("f", {"n"});
  S.Unknown = {{"mystery", {}, true, CallReason::NoBody}};
  EXPECT_TRUE(boundsFor(S, [](const Question &) { return footprint(100); }).Exact);
}

TEST(Bounds, AssumedBranchesStayAsAssumed) {
  Skeleton S = withSymbols("f", {"n"}, {branchAt(3)});
  Question Asked;
  Asked.Branches[0] = 1;
  Bounds Found = boundsFor(
      S,
      [](const Question &Q) {
        Footprint F = footprint(answer(Q, 0, 0) ? 40 : 100);
        F.Decisions = {{0, 1, answer(Q, 0, 0)}};
        return F;
      },
      Asked);
  EXPECT_EQ(Found.Upper, 40u);
  EXPECT_FALSE(Found.Exact);
}
