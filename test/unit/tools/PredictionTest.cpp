// Predictions as a whole: figures, page and JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/prediction/Prediction.h"
#include "MadeUpOperators.h"
#include "memshape/SkeletonAbi.h"

#include "Gives.h"
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <bit>

using namespace memshape;
using namespace memshape::test;
using testing::HasSubstr;

/// A smoothing of a cube: two copies and a trace; sigma decides a small kernel.
static Skeleton smoothing() {
  Skeleton S = withSymbols("gst3d", {"ni", "nx", "ns"});
  S.Parameters.push_back({"sigma", Role::Setting, 64, false});
  S.Sites = {{{"gst3d.cpp", "gst3d", 17, 22}, "host", "operator new", {}},
             {{"gst3d.cpp", "smooth", 41, 9}, "host", "operator new", {}},
             {{"gst3d.cpp", "kernel", 8, 3}, "host", "operator new", {}}};
  S.Flattened = 1395;
  S.Kept = 440;
  return S;
}

static Footprint smoothingAt(const Question &Asked) {
  auto Volume = static_cast<std::uint64_t>(Asked.Shape[0] * Asked.Shape[1] * Asked.Shape[2]);
  auto Trace = static_cast<std::uint64_t>(Asked.Shape[2]);
  Footprint F = footprint(12 * Volume + 4 * Trace + 44);
  F.SiteBytes = {{0, 8 * Volume + 44}, {1, 4 * Volume}, {2, 4 * Trace}};
  F.Total = 2 * F.Peak;
  F.Allocations = 12;
  F.Output = 4 * Volume;
  return F;
}

static Result<Prediction> predicted(const Skeleton &S, const Question &Asked,
                                    const std::function<Footprint(const Question &)> &F) {
  FunctionEvaluator Evaluate(F);
  return predictWith(S, Asked, Evaluate, [](auto, auto) {}, {});
}

/// Two sections and a plan whose bytes follow no law.
Footprint envelopeAt(const Question &Asked) {
  const auto Traces = static_cast<std::uint64_t>(Asked.Shape[0]), Samples = static_cast<std::uint64_t>(Asked.Shape[1]);
  const std::uint64_t Plan = Samples * (Samples * 2654435761u >> 7 & 31) + 100;
  Footprint F = footprint(16 * Traces * Samples + Plan);
  F.SiteBytes = {{LibrarySite, Plan}, {0, 8 * Traces * Samples}, {1, 8 * Traces * Samples}};
  return F;
}

Skeleton envelope() {
  Skeleton S = withSymbols("envelope", {"traces", "samples"});
  S.Sites = {{{"env.cpp", "envelope", 25, 3}, "host", "malloc", {}},
             {{"env.cpp", "envelope", 26, 3}, "host", "malloc", {}}};
  return S;
}

/// A run that needs so many seconds of work, asked for with as many as predictWith() has patience for.
Result<Prediction> predictedWithin(std::chrono::seconds Needed, std::optional<std::uint32_t> Reason) {
  Skeleton S = withSymbols("solve", {"n"}, {branchAt(3)});
  std::chrono::milliseconds Timeout{0};
  FunctionEvaluator Evaluate([&](const Question &) {
    Footprint F = footprint(800);
    if (Timeout < Needed) {
      F.Outcome = Footprint::Status::Limit;
      F.Reason = Reason;
    }
    return F;
  });
  return predictWith(S, {{100}, {}, {}, {}}, Evaluate, [&](auto Longest, auto) { Timeout = Longest; }, {});
}

TEST(Prediction, LongRunsEndThatDecisionsDoNotKeepFromIt) {
  const std::chrono::seconds Needed(60);
  ASSERT_GIVES(Prediction P, predictedWithin(Needed, MEMSHAPE_SK_TIRED));
  EXPECT_EQ(P.Heap.Peak, 800u);
  EXPECT_FALSE(predictedWithin(Needed, MEMSHAPE_SK_ASTRAY));
  EXPECT_FALSE(predictedWithin(Needed, std::nullopt)); // a library's loop, at small shapes too
}

TEST(Prediction, WhatFailsAtASmallShapeIsNotWaitedFor) {
  Skeleton S = withSymbols("solve", {"n"});
  unsigned Large = 0;
  FunctionEvaluator Evaluate([&](const Question &Asked) {
    Footprint F = footprint(800);
    F.Outcome = Asked.Shape[0] == 100 ? Footprint::Status::Limit : Footprint::Status::Error;
    F.Reason = MEMSHAPE_SK_TIRED;
    Large += Asked.Shape[0] == 100;
    return F;
  });
  EXPECT_FALSE(predictWith(S, {{100}, {}, {}, {}}, Evaluate, [](auto, auto) {}, {}));
  EXPECT_EQ(Large, 1u);
}

/// Formulas are looked for at smaller shapes first, and the run that follows tells what their terms are.
TEST(Prediction, TheTermOfLibrariesIsToldWhereARunTookLongToo) {
  const Skeleton S = envelope();
  constexpr std::int64_t Traces = 250000;
  std::chrono::milliseconds Timeout{0};
  FunctionEvaluator Evaluate([&](const Question &Asked) {
    Footprint F = envelopeAt(Asked);
    // No law in the other symbol either: there is no formula of the whole peak.
    const std::uint64_t Node = static_cast<std::uint64_t>(Asked.Shape[0]) * 2654435761u >> 9 & 48;
    F.SiteBytes[LibrarySite] += Node;
    F.Peak += Node;
    if (Asked.Shape[0] == Traces && Timeout < std::chrono::seconds(60)) {
      F.Outcome = Footprint::Status::Limit;
      F.Reason = MEMSHAPE_SK_TIRED;
    }
    return F;
  });
  Result<Prediction> P =
      predictWith(S, {{Traces, 2048}, {}, {}, {}}, Evaluate, [&](auto Longest, auto) { Timeout = Longest; }, {});
  ASSERT_TRUE(P) << P.failure().Message;
  ASSERT_TRUE(P->Formulas.prefersPart());
  const auto Json = nlohmann::json::parse(predictionJson(*P));
  EXPECT_EQ(Json["formula"]["terms"][0]["bytes"], P->Heap.Peak - 16 * Traces * 2048);
  EXPECT_EQ(Json["sites"][0]["formula"], "8*traces*samples");
}

TEST(Prediction, WhatLibrariesHoldIsATermOfTheFormula) {
  Skeleton S = envelope();
  ASSERT_GIVES(Prediction P, predicted(S, {{300, 4001}, {}, {}, {}}, envelopeAt));
  ASSERT_TRUE(P.Formulas.prefersPart());
  const auto Json = nlohmann::json::parse(predictionJson(P));
  EXPECT_EQ(Json["formula"]["peak"], "16*traces*samples + libraries");
  EXPECT_EQ(Json["formula"]["terms"][0]["bytes"], P.Heap.Peak - 16 * 300 * 4001);
  EXPECT_EQ(Json["sites"][0]["formula"], "8*traces*samples");
  EXPECT_EQ(Json["sites"][2]["formula"], nullptr);
  // The bound covers the asked shape as well as those that were tried.
  EXPECT_FALSE(P.Formulas.Part->Bound->evaluate({300, 4001}) <
               Rational(Json["formula"]["terms"][0]["bytes"].get<std::int64_t>()));
  EXPECT_THAT(predictionPage(P), HasSubstr("libraries: held inside libraries that are called for real;"));
}

TEST(Prediction, TheTermOfLibrariesHasANameThatNoSymbolHas) {
  Skeleton S = envelope();
  S.Parameters[1].Name = "libraries";
  ASSERT_GIVES(Prediction P, predicted(S, {{300, 4001}, {}, {}, {}}, envelopeAt));
  EXPECT_EQ(nlohmann::json::parse(predictionJson(P))["formula"]["peak"], "16*traces*libraries + libraries2");
}

TEST(Prediction, SitesWithoutALawAreInTheTermToo) {
  Skeleton S = envelope();
  S.Sites.push_back({{"env.cpp", "keep", 7, 3}, "host", "operator new", {}});
  auto WithNode = [](const Question &Asked) {
    Footprint F = envelopeAt(Asked);
    const std::uint64_t Node = static_cast<std::uint64_t>(Asked.Shape[1]) * 2654435761u >> 9 & 1 ? 48 : 0;
    F.Peak += Node;
    F.Total += Node;
    F.SiteBytes[2] = Node;
    return F;
  };
  ASSERT_GIVES(Prediction P, predicted(S, {{300, 4001}, {}, {}, {}}, WithNode));
  const auto Json = nlohmann::json::parse(predictionJson(P));
  EXPECT_EQ(Json["formula"]["peak"], "16*traces*samples + rest");
  EXPECT_EQ(Json["formula"]["terms"][0]["bytes"], P.Heap.Peak - 16 * 300 * 4001);
}

TEST(Prediction, InstructionsAreAShareOnlyWhereTheyAreOne) {
  Skeleton S = smoothing();
  S.Kept = 488;
  S.Flattened = 463;
  ASSERT_GIVES(Prediction P, predicted(S, {{400, 300, 200}, {1.5}, {}, {}}, smoothingAt));
  EXPECT_THAT(predictionPage(P), HasSubstr("(488 instructions, with questions to its runner, for the operator's 463)"));
}

TEST(Prediction, WhatIsMissingStandsBesideTheHeadline) {
  Skeleton S = withSymbols("wrapper", {"n"});
  UnknownCall Call;
  Call.Symbol = "filter";
  Call.Dropped = true;
  Call.Reason = CallReason::NoBody;
  S.Unknown = {Call};
  Result<Prediction> P = predicted(S, {{5}, {}, {}, {}}, [](const Question &) {
    Footprint F = footprint(0);
    F.UnknownMet = {0};
    return F;
  });
  ASSERT_TRUE(P) << P.failure().Message;
  EXPECT_THAT(predictionPage(*P), HasSubstr("one run, without what 'filter' requests"));
}

TEST(Prediction, COperatorsDoNotThrow) {
  Skeleton S = withSymbols("picky", {"n"});
  S.Place.File = "picky.c";
  Result<Prediction> P = predicted(S, {{5}, {}, {}, {}}, [](const Question &) {
    Footprint F;
    F.Outcome = Footprint::Status::Throws;
    return F;
  });
  ASSERT_FALSE(P);
  EXPECT_EQ(P.failure().Message, "operator 'picky' ends the program (abort, exit or a failed check) at n=5");
}

TEST(Prediction, PageOfATensorialOperator) {
  Skeleton S = smoothing();
  ASSERT_GIVES(Prediction P, predicted(S, {{400, 300, 200}, {1.5}, {}, {}}, smoothingAt));
  EXPECT_EQ(predictionPage(P), R"(gst3d at ni=400, nx=300, ns=200; sigma=1.5

  peak heap         274.66 MiB  288,000,844 bytes  exact
  left at return     91.55 MiB   96,000,000 bytes
  allocated in all  549.32 MiB  576,001,688 bytes  in 12 allocations

  formula   12*ni*nx*ns + 4*ns + 44
            verified at 500 other shapes, for 1 <= ni, nx, ns <= 2000

  At the peak
    183.11 MiB  66.7 %  gst3d.cpp:17  gst3d   8*ni*nx*ns + 44
     91.55 MiB  33.3 %  gst3d.cpp:41  smooth  4*ni*nx*ns
         800 B   0.0 %  gst3d.cpp:8   kernel  4*ns

  This rests on the operator's allocation skeleton (440 of 1,395 instructions), executed in 2.5 us.
)");
}

TEST(Prediction, PageOfAnOperatorWithADecision) {
  Skeleton S = withSymbols("solve", {"n"}, {branchAt(323, true)});
  S.Sites = {{{"solve.cpp", "solve", 5, 1}, "host", "malloc", {}}};
  auto F = [](const Question &Asked) {
    auto N = static_cast<std::uint64_t>(Asked.Shape[0]);
    bool Stops = answer(Asked, 0, 0);
    Footprint Answer = footprint(8 * N * N + (Stops ? 0 : 8 * N));
    Answer.SiteBytes = {{0, Answer.Peak}};
    Answer.Undecided = 8 * N * N;
    Answer.Decisions = {{0, N, Stops ? N : 0}};
    return Answer;
  };
  ASSERT_GIVES(Prediction P, predicted(S, {{1000}, {}, {}, {}}, F));
  EXPECT_FALSE(P.Range.Exact);
  std::string Page = predictionPage(P);
  EXPECT_THAT(Page, HasSubstr("peak heap         7.64 MiB  8,008,000 bytes  at most: data decides\n"));
  EXPECT_THAT(Page, HasSubstr("at least        7.63 MiB  8,000,000 bytes\n"));
  EXPECT_THAT(Page, HasSubstr("expected        7.64 MiB  8,008,000 bytes\n"));
  EXPECT_THAT(Page, HasSubstr("    0  LLT.h:323  x <= 0  taken as no  ends a loop\n"));
}

TEST(Prediction, SitesOfOneLineAreOneRow) {
  Skeleton S = smoothing();
  S.Sites[1].Place = S.Sites[0].Place;
  ASSERT_GIVES(Prediction P, predicted(S, {{400, 300, 200}, {1.5}, {}, {}}, smoothingAt));
  EXPECT_THAT(predictionPage(P), HasSubstr("    274.66 MiB  100.0 %  gst3d.cpp:17  gst3d   12*ni*nx*ns + 44\n"
                                           "         800 B    0.0 %  gst3d.cpp:8   kernel  4*ns\n"));
}

TEST(Prediction, JsonFollowsTheContract) {
  Skeleton S = smoothing();
  ASSERT_GIVES(Prediction P, predicted(S, {{4, 3, 2}, {1.5}, {}, {}}, smoothingAt));
  nlohmann::json Out = nlohmann::json::parse(predictionJson(P));
  EXPECT_EQ(Out["schema"], "memshape.prediction/1");
  EXPECT_EQ(Out["operator"], "gst3d");
  EXPECT_EQ(Out["shape"], nlohmann::json({{"ni", 4}, {"nx", 3}, {"ns", 2}}));
  EXPECT_EQ(Out["settings"]["sigma"], 1.5);
  EXPECT_EQ(Out["heap"]["peak_bytes"], 340);
  EXPECT_EQ(Out["heap"]["lower_bytes"], 340);
  EXPECT_EQ(Out["heap"]["upper_bytes"], 340);
  EXPECT_EQ(Out["heap"]["exact"], true);
  EXPECT_EQ(Out["heap"]["total_bytes"], 680);
  EXPECT_EQ(Out["heap"]["allocations"], 12);
  EXPECT_EQ(Out["heap"]["output_bytes"], 96);
  EXPECT_EQ(Out["heap"]["one_time_bytes"], 0);
  EXPECT_TRUE(Out["rss"]["peak_bytes"].is_null());
  EXPECT_EQ(Out["formula"]["peak"], "12*ni*nx*ns + 4*ns + 44");
  EXPECT_GE(Out["formula"]["verified_shapes"], 500);
  EXPECT_EQ(Out["sites"][0]["line"], 17);
  EXPECT_EQ(Out["sites"][0]["bytes_at_peak"], 236);
  EXPECT_EQ(Out["sites"][0]["formula"], "8*ni*nx*ns + 44");
  EXPECT_EQ(Out["decisions"], nlohmann::json::array());
  EXPECT_EQ(Out["evidence"], "skeleton");
  EXPECT_TRUE(Out["time_us"].is_number());
}

TEST(Prediction, SizesThatWrapAreRefused) {
  Skeleton S = withSymbols("dense", {"n"});
  S.Sites.emplace_back();
  auto Wrapping = [](const Question &Asked) {
    auto N = static_cast<std::uint64_t>(Asked.Shape[0]);
    return footprint(4 * N * N * N); // unsigned arithmetic wraps, as the operator's does
  };
  for (std::int64_t N : {std::int64_t(4194304), std::int64_t(2700000), std::int64_t(3000000000)}) {
    Footprint Wrapped = Wrapping({{N}, {}, {}, {}});
    if (Wrapped.Peak > INT64_MAX)
      continue; // the runner itself refuses those
    Result<Prediction> P = predicted(S, {{N}, {}, {}, {}}, Wrapping);
    ASSERT_FALSE(P) << N;
    EXPECT_THAT(P.failure().Message, testing::AllOf(HasSubstr("too large"), HasSubstr("2^63")));
  }
}

TEST(Prediction, SizesThatWrapAreRefusedWithoutAFormulaToo) {
  Skeleton S = withSymbols("odd", {"n"});
  auto Wrapping = [](const Question &Asked) {
    auto N = static_cast<std::uint64_t>(Asked.Shape[0]);
    return footprint((4 * N * N * N + static_cast<unsigned>(std::popcount(N * 2654435761))) & INT64_MAX);
  };
  Result<Prediction> P = predicted(S, {{4194304}, {}, {}, {}}, Wrapping);
  ASSERT_FALSE(P);
  EXPECT_THAT(P.failure().Message, HasSubstr("too large"));
}

TEST(Prediction, PlacesAndFunctionsAreShortened) {
  EXPECT_EQ(shortPlace({"/usr/lib/gcc/x/12/../../../../include/c++/12/bits/stl_algobase.h", "", 1176, 1}),
            "c++/12/bits/stl_algobase.h:1176");
  EXPECT_EQ(shortPlace({"src/include/a.h", "", 3, 1}), "src/include/a.h:3");
  EXPECT_EQ(shortPlace({}), "");
  EXPECT_EQ(shortFunction("std::vector<int>::f"), "std::vector<int>::f");
  EXPECT_EQ(shortFunction("smoothLines<(lambda at examples/gaussian_smooth.cpp:76:15)>::call"),
            "smoothLines<...>::call");
}

TEST(Prediction, AnOperatorThatThrowsIsAnAnswerOfOneLine) {
  Skeleton S = withSymbols("picky", {"n"});
  Result<Prediction> P = predicted(S, {{5}, {}, {}, {}}, [](const Question &) {
    Footprint F;
    F.Outcome = Footprint::Status::Throws;
    F.Message = "std::invalid_argument at picky.cpp:9";
    return F;
  });
  ASSERT_FALSE(P);
  EXPECT_EQ(P.failure().Message, "operator 'picky' throws or aborts at n=5: std::invalid_argument at picky.cpp:9");
}

TEST(Prediction, NoFormulaWhereTheShapeIsBesideIt) {
  Skeleton S = withSymbols("f", {"n"});
  S.Sites.emplace_back();
  auto F = [](const Question &Asked) {
    auto N = static_cast<std::uint64_t>(Asked.Shape[0]);
    return footprint(N == 17 ? 1 : 8 * N);
  };
  ASSERT_GIVES(Prediction P, predicted(S, {{17}, {}, {}, {}}, F));
  nlohmann::json Out = nlohmann::json::parse(predictionJson(P));
  EXPECT_EQ(Out["heap"]["peak_bytes"], 1);
  EXPECT_TRUE(Out["formula"]["peak"].is_null());
  EXPECT_EQ(Out["formula"]["verified_shapes"], 0);
}

TEST(Prediction, AMissingFormulaHasACodeBesideItsReason) {
  Skeleton S = withSymbols("f", {"n"});
  S.Sites.emplace_back();
  auto F = [](const Question &Asked) { // a number that nothing but a table gives
    return footprint((static_cast<std::uint64_t>(Asked.Shape[0]) * 0x9e3779b97f4a7c15) >> 50);
  };
  ASSERT_GIVES(Prediction P, predicted(S, {{17}, {}, {}, {}}, F));
  P.Formulas.OutOfTime = false;
  nlohmann::json Formula = nlohmann::json::parse(predictionJson(P))["formula"];
  EXPECT_TRUE(Formula["peak"].is_null());
  EXPECT_EQ(Formula["reason_code"], "no_closed_form");
  P.Formulas.OutOfTime = true;
  Formula = nlohmann::json::parse(predictionJson(P))["formula"];
  EXPECT_EQ(Formula["reason_code"], "out_of_time");
  EXPECT_EQ(Formula["reason"], "no closed form found in time");
}

TEST(Prediction, OperatorsWithoutShapeSymbolsHaveAPageToo) {
  Skeleton S = withSymbols("fixed", {});
  S.Sites.emplace_back();
  Result<Prediction> P = predicted(S, {}, [](const Question &) { return footprint(64); });
  ASSERT_TRUE(P);
  EXPECT_THAT(predictionPage(*P), HasSubstr("peak heap         64 B  64 bytes  exact"));
}

TEST(Prediction, ExpectsARunThatStandsForMany) {
  Skeleton S = withSymbols("pick", {"n"}, {branchAt(12, true), branchAt(13, true)});
  for (SkeletonDecision &Decision : S.Decisions)
    Decision.Effect = DecisionEffect::ChoosesAllocations;
  S.Decisions[1].Effect = DecisionEffect::EndsLoop;
  auto F = [](const Question &Asked) {
    auto N = static_cast<std::uint64_t>(Asked.Shape[0]);
    auto How = Asked.Branches.find(0);
    const std::uint64_t Picked = How == Asked.Branches.end() || How->second == 1 ? N : How->second == 3 ? N / 2 : 0;
    Footprint Answer = footprint(64 + 16 * Picked);
    Answer.SiteBytes = {{0, Answer.Peak}};
    Answer.Undecided = 64;
    Answer.Decisions = {{0, N, Picked}, {1, N, 0}};
    return Answer;
  };
  S.Sites = {{{"pick.cpp", "pick", 5, 1}, "host", "malloc", {}}};
  ASSERT_GIVES(Prediction P, predicted(S, {{1000}, {}, {}, {}}, F));
  EXPECT_FALSE(P.Range.Exact);
  EXPECT_EQ(P.Heap.Peak, 64u + 16 * 500);
  EXPECT_LE(P.Range.Lower, 64u);
  EXPECT_FALSE(P.Formulas.HoldsAtShape); // it is that of all picks
  EXPECT_THAT(predictionPage(P), HasSubstr("taken both ways"));
}

TEST(Prediction, GoesOnOnlyInSymbolsThatWereVaried) {
  FormulaSet Found;
  Found.Symbols = {"w", "room"};
  std::vector<Atom> Atoms;
  for (std::size_t I = 0; I < 2; ++I)
    Atoms.push_back({rounding::None(), I});
  Formula Value(Atoms, {Polynomial::variable(2, 0).scaled(Rational(8))});
  Found.Peak = Recovered{Value, {{{16, 2000}, {100, 100}}}, 60};
  Found.Sites.emplace(0, Recovered{Value, Found.Peak->Valid, 60});
  ASSERT_TRUE(extrapolated(Found, {8000, 100}));
  EXPECT_EQ(extrapolated(Found, {8000, 100})->Peak, 64000u);
  EXPECT_EQ(extrapolated(Found, {8000, 100})->SiteBytes.at(0), 64000u);
  EXPECT_FALSE(extrapolated(Found, {8000, 101})); // held, not free
  EXPECT_FALSE(extrapolated(Found, {8, 100}));    // smaller than anything that was seen
  // Sites that hold more than the peak are none of its parts.
  Found.Sites.emplace(1, Recovered{Value, Found.Peak->Valid, 60});
  EXPECT_TRUE(extrapolated(Found, {8000, 100})->SiteBytes.empty());
  // What the caller builds is no part of it either, however large.
  Found.Arguments.emplace(2, Recovered{Value, Found.Peak->Valid, 60});
  EXPECT_EQ(extrapolated(Found, {8000, 100})->SiteBytes, (std::map<std::int64_t, std::uint64_t>{{2, 64000u}}));
}
