// What callers may have done before a call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MadeUpOperators.h"
#include "runner/protocol/FloatEnvironment.h"
#include "runner/protocol/Places.h"

#include <gmock/gmock.h>

using namespace memshape;
using namespace memshape::test;
using testing::Contains;
using testing::HasSubstr;

namespace {

/// Of an operator at n=100.
class Circumstances : public testing::Test {
protected:
  /// The bounds, held under the circumstances that F answers for.
  Bounds held(const std::function<Footprint(const Question &)> &F) const {
    FunctionEvaluator Evaluate(F);
    Question Asked;
    Asked.Shape = {100};
    return boundsOf(S, Asked, F(Asked), Evaluate);
  }
  Bounds comparingWhereDataSays(const std::vector<std::uint32_t> &Compared, std::uint64_t Otherwise);

  Skeleton S = withSymbols("mean", {"n"});
};

} // namespace

static Footprint remembering(std::uint64_t Peak, std::uint64_t State) {
  Footprint F = footprint(Peak);
  F.Remembers = true;
  F.State = State;
  return F;
}

TEST_F(Circumstances, NothingIsTriedWhereTheSkeletonLooksAtNothing) {
  const Bounds Range = held([](const Question &Asked) {
    EXPECT_EQ(Asked.Rounding + Asked.Places, 0u);
    EXPECT_TRUE(Asked.Between.empty());
    return footprint(800);
  });
  EXPECT_TRUE(Range.Exact);
}

TEST_F(Circumstances, ExtentsOfWhatIsReturnedAreHeldAgainstRoundingToo) {
  S.Sites = {{{}, "results", "result.size", {}}};
  S.Rounds = true;
  const auto Told = [](std::uint64_t Extent) {
    Footprint F = footprint(800);
    F.SiteBytes[0] = Extent;
    return F;
  };
  EXPECT_TRUE(held([&](const Question &) { return Told(50); }).ResultsHold);
  const Bounds Range = held([&](const Question &Asked) { return Told(Asked.Rounding == 2 ? 51 : 50); });
  EXPECT_FALSE(Range.ResultsHold);
  EXPECT_TRUE(Range.Exact);
}

TEST_F(Circumstances, ExtentsAreUnknownWhereEarlierCallsWereNotTried) {
  const auto Recalling = [](const Question &) {
    Footprint F = footprint(800);
    F.Recalled = {0};
    return F;
  };
  EXPECT_FALSE(held(Recalling).ResultsHold);
  EXPECT_TRUE(held([](const Question &) { return footprint(800); }).ResultsHold);
}

TEST_F(Circumstances, OneRoundingModeThatLeadsElsewhereIsEnough) {
  S.Rounds = true;
  for (std::uint32_t Mode : {1, 2, 3, 4, 8, 12}) {
    const Bounds Range = held([&](const Question &Asked) { return footprint(Asked.Rounding == Mode ? 808 : 800); });
    EXPECT_EQ(figures(Range), Figures(false, 800, 808)) << Mode;
    EXPECT_THAT(textsOf(Range.Notes), Contains(HasSubstr("rounded")));
  }
}

TEST_F(Circumstances, TwoStatesAreTriedAtOnceWhereBothMatter) {
  S.Rounds = true;
  for (std::uint32_t Events = 0; Events != 4; ++Events) {
    const auto IsOther = [&](std::uint32_t State) {
      return held([&](const Question &Asked) {
               Footprint F = footprint(Asked.Rounding == State ? 808 : 800);
               F.FloatEvents = Events;
               return F;
             }).Exact == false;
    };
    const std::uint32_t UpwardFlushed = 2 + 4 * 1, UpwardInDouble = 2 + 4 * 2;
    EXPECT_EQ(IsOther(UpwardFlushed), (Events & FloatEvents::Rounded) != 0);
    EXPECT_EQ(IsOther(UpwardInDouble), (Events & FloatEvents::RoundedInX87) != 0);
  }
}

TEST_F(Circumstances, WhereDataDecidesARoundingModeThatLeadsElsewhereLeavesNoBounds) {
  S.Rounds = true;
  S.Decisions = {branchAt(3)};
  const auto Deciding = [](std::uint64_t Peak) {
    Footprint F = footprint(Peak);
    F.Decisions = {{0, 1, 0}};
    return F;
  };
  EXPECT_EQ(held([&](const Question &) { return Deciding(800); }).Upper, 800u);
  for (const bool WithDefaults : {true, false}) { // or with other answers alone
    const Bounds Range = held([&](const Question &Asked) {
      return Deciding(Asked.Rounding == 2 && Asked.Branches.empty() == WithDefaults ? 808 : 800);
    });
    EXPECT_EQ(figures(Range), Figures(false, 0, std::nullopt));
  }
}

TEST_F(Circumstances, WhereAnswersTakeTooLongToBeTriedThereAreBoundsThatNothingProves) {
  S.Rounds = true;
  S.Decisions = {branchAt(3)};
  const Bounds Range = held([](const Question &Asked) {
    Footprint F = footprint(800);
    F.Decisions = {{0, 1, 0}};
    if (Asked.Rounding == Rounding::Upward && !Asked.Branches.empty())
      F.Outcome = Footprint::Status::Limit;
    return F;
  });
  EXPECT_EQ(Range.Upper, 800u);
  EXPECT_FALSE(Range.Proven);
  EXPECT_THAT(textsOf(Range.Notes), Contains(HasSubstr("too many steps")));
}

TEST_F(Circumstances, ALowerBoundAloneIsHeldToo) {
  FunctionEvaluator Evaluate([](const Question &) { return footprint(800); });
  Question Asked;
  Asked.Shape = {100};
  Footprint Proposed = footprint(800);
  Proposed.Recalled = {0};
  Bounds Range;
  Range.Lower = 800;
  holdUnderCircumstances(S, Asked, Proposed, Evaluate, Range);
  EXPECT_EQ(Range.Lower, 0u);
}

TEST_F(Circumstances, WhatTakesTooLongToBeTriedIsNotExact) {
  S.Rounds = true;
  const Bounds Range = held([](const Question &Asked) {
    Footprint F = footprint(800);
    if (Asked.Rounding == 3)
      F.Outcome = Footprint::Status::Limit;
    return F;
  });
  EXPECT_FALSE(Range.Exact);
  EXPECT_FALSE(Range.Proven);
  EXPECT_EQ(Range.Lower, 800u);
  EXPECT_EQ(Range.Upper, 800u);
  EXPECT_THAT(textsOf(Range.Notes), Contains(HasSubstr("too many steps")));
}

/// Of regions with at most four threads, each of which holds 200 bytes until the next one begins.
static Footprint ofTeams(const Question &Asked, std::uint32_t Regions) {
  std::uint64_t Peak = 0;
  for (std::uint32_t I = 0; I != Regions; ++I) {
    const std::size_t At = std::min<std::size_t>(I + 1, Asked.TeamSizes.size());
    Peak += 200 * (At ? Asked.TeamSizes[At - 1] : 4);
  }
  Footprint F = footprint(Peak);
  F.Teams.Regions = Regions;
  F.Teams.Widest = 4;
  F.Undecided = 40;
  return F;
}

TEST_F(Circumstances, EveryTeamMayHaveFewerThreads) {
  for (const std::uint32_t Regions : {1u, 2u, 3u}) {
    const Bounds Range = held([&](const Question &Asked) { return ofTeams(Asked, Regions); });
    EXPECT_EQ(figures(Range), Figures(false, 200 * Regions, 800 * Regions));
    EXPECT_FALSE(Range.Sampled);
    EXPECT_THAT(textsOf(Range.Notes), Contains(HasSubstr("OMP_THREAD_LIMIT")));
  }
}

TEST_F(Circumstances, SmallTeamsWereNotTriedWithOtherRounding) {
  S.Rounds = true;
  const Bounds Range = held([](const Question &Asked) {
    Footprint F = ofTeams(Asked, 1);
    F.Peak += Asked.Rounding ? 0 : 100;
    return F;
  });
  EXPECT_EQ(figures(Range), Figures(false, 0, 900));
}

TEST_F(Circumstances, OneTeamMayBeSmallWhileAnotherIsLarge) {
  const Bounds Range = held([&](const Question &Asked) {
    Footprint F = ofTeams(Asked, 2);
    F.Peak = Asked.TeamSizes == std::vector<std::uint32_t>{1, 3} ? 7 : 1600;
    return F;
  });
  EXPECT_EQ(Range.Lower, 7u);
}

TEST_F(Circumstances, BelowTeamsThatAreTooManyToTryLiesWhatWasHeldBefore) {
  const Bounds Range = held([&](const Question &Asked) { return ofTeams(Asked, 100); });
  EXPECT_EQ(Range.Lower, 40u);
  EXPECT_EQ(Range.Upper, 80'000u);
  EXPECT_FALSE(Range.Sampled);
}

TEST_F(Circumstances, WhereSmallerTeamsTakeMoreOthersMayTakeMoreStill) {
  const Bounds Range = held([&](const Question &Asked) {
    Footprint F = ofTeams(Asked, 100);
    F.Peak = 100'000 - F.Peak;
    return F;
  });
  EXPECT_EQ(Range.Upper, 80'000u);
  EXPECT_TRUE(Range.Sampled);
}

TEST_F(Circumstances, TheTeamOfTheCallerMayBeAnyOne) {
  const Bounds Range = held([](const Question &) {
    Footprint F = footprint(800);
    F.Teams.OfCaller = true;
    return F;
  });
  EXPECT_EQ(figures(Range), Figures(false, 0, std::nullopt));
}

Footprint comparing(std::uint64_t Peak, std::vector<std::uint32_t> Blocks) {
  Footprint F = footprint(Peak);
  F.Compared = std::move(Blocks);
  return F;
}

TEST_F(Circumstances, BlocksAreTriedInMixedOrders) {
  S.MakesNumbers = true;
  for (std::uint32_t Order = 1; Order <= 13; ++Order) {
    const Bounds Range = held([&](const Question &Asked) { return footprint(Asked.Places == Order ? 900 : 800); });
    EXPECT_EQ(figures(Range), Figures(false, 0, std::nullopt)); // other places than these may lead anywhere
  }
  EXPECT_TRUE(held([](const Question &) { return footprint(800); }).Exact);
}

TEST_F(Circumstances, FewBlocksAreTriedInAllTheirOrders) {
  for (std::uint32_t Order = 1; Order <= 24; ++Order) {
    const Bounds Range = held([&](const Question &Asked) {
      return comparing(Asked.Places == Order && Asked.Compared.size() == 4 ? 900 : 800, {7, 3, 5, 2});
    });
    EXPECT_FALSE(Range.Exact);
    EXPECT_EQ(Range.Lower, 0u);
  }
  std::uint32_t Tried = 0;
  const Bounds Range = held([&](const Question &Asked) {
    Tried += Asked.Places != 0;
    return comparing(800, {7, 3, 5});
  });
  EXPECT_TRUE(Range.Exact);
  EXPECT_EQ(Tried, 1u + 6);
}

TEST_F(Circumstances, BlocksThatOneOrderComesToAreOrderedAsWell) {
  const Bounds Range = held([&](const Question &Asked) {
    const bool Swapped = Asked.Places == 2 && Asked.Compared.size() == 2, OfThree = Asked.Compared.size() == 3;
    return comparing(Asked.Places == 6 && OfThree ? 900 : 800,
                     Swapped ? std::vector<std::uint32_t>{3, 5, 7} : std::vector<std::uint32_t>{3, 5});
  });
  EXPECT_FALSE(Range.Exact);
}

/// Two decisions, and F where the first one is answered with 1 and the second one with 0.
static Footprint answered(const Question &Asked, const Footprint &F) {
  const auto Is = [&](std::uint32_t Id, std::uint32_t Answer) {
    const auto Given = Asked.Branches.find(Id);
    return Given != Asked.Branches.end() && Given->second == Answer;
  };
  Footprint There = Is(0, 1) && Is(1, 0) ? F : footprint(800);
  There.Decisions = {{0, 1, 0}, {1, 1, 0}};
  return There;
}

/// An operator of 800 bytes that compares places where data says so, and of Otherwise where blocks lie elsewhere then.
Bounds Circumstances::comparingWhereDataSays(const std::vector<std::uint32_t> &Compared, std::uint64_t Otherwise) {
  S.Decisions = {branchAt(3), branchAt(4)};
  return held(
      [&](const Question &Asked) { return answered(Asked, comparing(Asked.Places ? Otherwise : 800, Compared)); });
}

TEST_F(Circumstances, RoundingModesAreTriedWithMixedAnswers) {
  S.Rounds = true;
  S.Decisions = {branchAt(3), branchAt(4)};
  for (const std::uint64_t Upwards : {800, 808})
    EXPECT_EQ(held([&](const Question &Asked) {
                return answered(Asked, footprint(Asked.Rounding == Rounding::Upward ? Upwards : 800));
              }).Upper.has_value(),
              Upwards == 800);
}

TEST_F(Circumstances, WhereDataSaysWhichBlocksAreComparedThereAreNoBounds) {
  EXPECT_EQ(comparingWhereDataSays({}, 800).Upper, 800u);
  EXPECT_FALSE(comparingWhereDataSays({1, 2}, 800).Upper);
  EXPECT_EQ(comparingWhereDataSays({1, 2}, 800).Lower, 0u);
}

TEST_F(Circumstances, DistancesThatDataAsksForAreTriedElsewhere) {
  EXPECT_EQ(comparingWhereDataSays({0}, 800).Upper, 800u);
  EXPECT_FALSE(comparingWhereDataSays({0}, 900).Upper);
}

TEST_F(Circumstances, ManyBlocksAreNeverExact) {
  const Bounds Range = held([](const Question &) { return comparing(800, {7, 3, 5, 2, 1}); });
  EXPECT_FALSE(Range.Exact);
  EXPECT_FALSE(Range.Upper);
}

TEST_F(Circumstances, NoBlockIsPlacedElsewhereWhereNoneAreCompared) {
  EXPECT_TRUE(held([](const Question &Asked) { return footprint(Asked.Places ? 900 : 800); }).Exact);
}

TEST_F(Circumstances, WhatOtherShapesMayHaveLeftIsNeverExact) {
  S.Recalled = {"'level' at mean.c:9"};
  S.Rounds = S.MakesNumbers = true;
  const Bounds Range = held([](const Question &Asked) {
    EXPECT_EQ(Asked.Rounding + Asked.Places, 0u); // nothing is left that these could change
    Footprint F = remembering(800, 1);
    F.Recalled = {0};
    return F;
  });
  EXPECT_EQ(figures(Range), Figures(false, 0, std::nullopt));
  EXPECT_THAT(textsOf(Range.Notes), Contains(HasSubstr("'level' at mean.c:9")));
  EXPECT_TRUE(held([](const Question &) { return remembering(800, 1); }).Exact); // it does not come there
}

TEST_F(Circumstances, ACounterHasNoBounds) {
  const Bounds Range = held([](const Question &Asked) {
    Footprint F = remembering(800 * (2 + Asked.Between.size()), Asked.Between.size());
    F.Unsettled = true;
    return F;
  });
  EXPECT_EQ(figures(Range), Figures(false, 0, std::nullopt));
  EXPECT_THAT(textsOf(Range.Notes), Contains(HasSubstr("1600, 2400, 3200")));
}

TEST_F(Circumstances, WhatEachCallChangesIsNotExactEvenWhereItMakesNoDifferenceYet) {
  const Bounds Range = held([](const Question &Asked) {
    Footprint F = remembering(800, Asked.Between.size());
    F.Unsettled = true;
    return F;
  });
  EXPECT_FALSE(Range.Exact);
}

TEST_F(Circumstances, ACallThatEndsHalfWayLeavesWhatItHasStoredByThen) {
  const auto Tried = [this](std::uint32_t Call, std::uint32_t Place) {
    return held([&](const Question &Asked) {
      const bool Ended = Asked.Ending == Call && Asked.EndsAt == Place;
      Footprint F = remembering(Ended ? 1600 : 800, 1);
      F.MayEnd = {0, 9};
      return F;
    });
  };
  EXPECT_THAT(textsOf(Tried(2, 6).Notes), Contains(HasSubstr("ends half-way")));
  EXPECT_FALSE(Tried(2, 9).Exact);
  EXPECT_FALSE(Tried(2, 9).Upper);
  EXPECT_TRUE(Tried(2, 7).Exact); // of many places the first and the last are tried
  EXPECT_TRUE(Tried(1, 1).Exact); // the first call comes to none
}

TEST_F(Circumstances, TheLargestShapeSoFarIsOfOtherCalls) {
  const Bounds Range = held([](const Question &Asked) {
    std::int64_t Largest = Asked.Shape[0];
    for (const std::vector<std::int64_t> &Call : Asked.Between)
      Largest = std::max(Largest, Call[0]);
    return remembering(8 * static_cast<std::uint64_t>(Largest), static_cast<std::uint64_t>(Largest));
  });
  EXPECT_FALSE(Range.Exact);
}

TEST_F(Circumstances, TheFirstCallMayHaveHadAnotherShape) {
  const Bounds Range = held([](const Question &Asked) {
    return remembering(Asked.First.empty() ? 800 : 8 * static_cast<std::uint64_t>(Asked.First[0]), 7);
  });
  EXPECT_FALSE(Range.Exact);
}

TEST_F(Circumstances, WhatIsMadeOnceStaysExact) {
  EXPECT_TRUE(held([](const Question &) { return remembering(800, 7); }).Exact);
}
