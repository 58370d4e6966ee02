// From the generic prior to what runs say.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/residency/OperatorModel.h"
#include "model/residency/Training.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace memshape;

static Situation call(double Heap, double Held) {
  Situation S;
  S.Heap = S.Total = Heap;
  S.Held = Held;
  S.Allocations = 3;
  return S;
}

static Situation shape(std::map<std::string, double> Shape) {
  Situation S;
  S.Shape = std::move(Shape);
  return S;
}

TEST(OperatorModel, AnUnseenOperatorHoldsWhatItRequestsAndWhatItIsGiven) {
  Prior P = Prior::uninformed();
  OperatorModel Model(P, Target::Resident, call(1e9, 2e9));
  Forecast F = Model.forecast(call(1e9, 2e9), 0.99);
  EXPECT_NEAR(F.Expected.Location, 3e9, 0.01e9);
  EXPECT_GT(F.Upper, F.Expected.Location);
}

TEST(OperatorModel, OneRunShowsThatHalfOfTheHeapIsNeverTouched) {
  Prior P = Prior::uninformed();
  P.Around.HeapFactor = 0.3;
  OperatorModel Model(P, Target::Resident, call(1e8, 1e7));
  double Before = std::abs(Model.predict(call(64e8, 64e7)).Location - (32e8 + 64e7));
  Model.observe(call(1e8, 1e7), 3.5e6 + 0.5e8 + 1e7);
  double After = std::abs(Model.predict(call(64e8, 64e7)).Location - (32e8 + 64e7));
  EXPECT_LT(After, Before / 4);
}

TEST(OperatorModel, AFormulaThatHoldsIsAnsweredToTheByte) {
  OperatorModel Model(Prior::generic(), Target::Heap, call(2800, Unknown), 2800);
  Model.observe(call(2800, Unknown), 2800);
  EXPECT_NEAR(Model.predict(call(22400, Unknown)).Location, 22400, 0.5);
}

TEST(OperatorModel, LearnsFromShapesAlone) {
  OperatorModel Model(Prior::generic(), Target::Heap, shape({{"a", 100}, {"b", 40}}), 8.0 * 100 * 40 + 800);
  for (auto [A, B] : {std::pair(100.0, 40.0), {200.0, 40.0}, {150.0, 90.0}, {300.0, 300.0}, {500.0, 200.0}})
    Model.observe(shape({{"a", A}, {"b", B}}), 8 * A * B + 8 * A);
  EXPECT_NEAR(Model.predict(shape({{"a", 2000}, {"b", 1000}})).Location / (16e6 + 16e3), 1, 0.05);
}

TEST(OperatorModel, TellsALargeProcessFromWhatTheShapeTakes) {
  // An interpreter of 120 MB, from the smallest shape to one 64 times as large.
  auto Peak = [](double A, double B) { return 1.2e8 + 8 * A * B + 16 * A; };
  OperatorModel Model(Prior::generic(), Target::Resident, shape({{"a", 500}, {"b", 400}}), Peak(500, 400));
  for (auto [A, B] : {std::pair(500.0, 400.0), {700.0, 450.0}, {600.0, 900.0}, {1500.0, 600.0}, {1500.0, 1200.0}})
    Model.observe(shape({{"a", A}, {"b", B}}), Peak(A, B));
  EXPECT_NEAR(Model.predict(shape({{"a", 4000}, {"b", 3200}})).Location / Peak(4000, 3200), 1, 0.1);
}

/// Nothing is known of the process but the footprint of its call.
static Situation undescribed(double Heap) {
  Situation S;
  S.Shape = {{"n", Heap / 16}};
  S.Heap = Heap;
  return S;
}

static StudentT afterOneRun(double Heap, double Peak, double HeapAsked) {
  OperatorModel Model(Prior::generic(), Target::Resident, undescribed(Heap), Peak);
  Model.observe(undescribed(Heap), Peak);
  return Model.predict(undescribed(HeapAsked));
}

TEST(OperatorModel, OneRunOfAnInterpreterShowsWhatItHoldsOfItsOwn) {
  for (double Own : {4e7, 7e7, 1.1e8, 1.5e8})
    for (double Heap : {4e6, 3e7, 2e8})
      for (double Times : {4, 20, 100})
        EXPECT_NEAR(afterOneRun(Heap, Own + Heap, Times * Heap).Location / (Own + Times * Heap), 1, 0.01)
            << Own << " of its own, " << Heap << " of heap, " << Times << " times";
}

TEST(OperatorModel, OneRunOfAnInterpreterMayHaveHeldTensorsThatNobodyMentioned) {
  OperatorModel Model(Prior::generic(), Target::Resident, undescribed(1e8), 2e8);
  Model.observe(undescribed(1e8), 2e8);
  EXPECT_GT(Model.forecast(undescribed(1e9), 0.99).Upper, 2e9) << "all of the rest followed the shape";
}

TEST(OperatorModel, OneRunOfASmallProgramShowsTensorsBesideItsFootprint) {
  // 3 MB of program, 4 MB of heap, and a tensor of 4 MB that no record mentions.
  EXPECT_GT(afterOneRun(4e6, 1.1e7, 2.56e8).Location, 3e6 + 2.56e8 + 0.7 * 2.56e8);
}

TEST(OperatorModel, TwoRunsShowThatTheRestOfAnInterpreterFollowsTheShape) {
  OperatorModel Model(Prior::generic(), Target::Resident, undescribed(1e7), 9e7);
  for (double Heap : {1e7, 4e7, 8e7})
    Model.observe(undescribed(Heap), 8e7 + 2 * Heap);
  EXPECT_NEAR(Model.predict(undescribed(1e9)).Location / 2.08e9, 1, 0.1);
}

TEST(OperatorModel, AfterAChangeTheFirstRunsCountAsMuchAsThePast) {
  OperatorModel Model(Prior::generic(), Target::Resident, call(1e8, 1e7));
  for (int Run = 0; Run < 50; ++Run)
    Model.observe(call(1e8, 1e7), 1.2e8);
  Forecast Before = Model.forecast(call(1e8, 1e7), 0.99);
  Model.environmentChanged();
  Forecast After = Model.forecast(call(1e8, 1e7), 0.99);
  EXPECT_NEAR(After.Expected.Location / Before.Expected.Location, 1, 0.02) << "nothing says otherwise yet";
  EXPECT_GT(After.Upper, Before.Upper);
  for (int Run = 0; Run < 6; ++Run)
    Model.observe(call(1e8, 1e7), 1.6e8);
  EXPECT_NEAR(Model.predict(call(1e8, 1e7)).Location / 1.6e8, 1, 0.1);
}

TEST(OperatorModel, BoundsAreWiderWhereMoreConfidenceIsAskedFor) {
  OperatorModel Model(Prior::generic(), Target::Resident, call(1e8, 1e8));
  double Last = 0;
  for (double Confidence : {0.6, 0.9, 0.99, 0.999}) {
    double Upper = Model.forecast(call(1e8, 1e8), Confidence).Upper;
    EXPECT_GT(Upper, Last);
    Last = Upper;
  }
  EXPECT_EQ(Model.forecast(call(1e8, 1e8), 0.99, 1.5e8).Upper, 1.5e8);
}

TEST(OperatorModel, AKilledRunRaisesTheBound) {
  OperatorModel Model(Prior::generic(), Target::Resident, call(1e8, 1e7));
  double Before = Model.predict(call(1e8, 1e7)).Location;
  Model.observeAbove(call(1e8, 1e7), 2e8);
  EXPECT_GT(Model.predict(call(1e8, 1e7)).Location, Before);
}

TEST(Prior, ComesBackFromItsText) {
  Prior P = Prior::uninformed();
  P.Own = {7e7, 0.5, 0.125};
  P.Pools[0].add({1, 2, 3});
  std::string Why;
  std::optional<Prior> Read = Prior::parse(P.text(), &Why);
  ASSERT_TRUE(Read) << Why;
  EXPECT_EQ(Read->text(), P.text());
  EXPECT_EQ(Read->Own.Median, 7e7);
  EXPECT_EQ(Read->Own.Deviation, 0.5);
  EXPECT_EQ(Read->Own.TensorOdds, 0.125);
}

TEST(Prior, RefusesWhatIsNoModel) {
  for (const char *Text : {"", "memshape-model 2\n", "memshape-model 1\n",
                           "memshape-model 1\ncoefficients 1 2\nspread 1 1 1 1 1 1 1 1 2\n",
                           "memshape-model 1\ncoefficients 1 2 3 4 5 6 nan 8\nspread 1 1 1 1 1 1 1 1 2\n",
                           "memshape-model 1\ncoefficients 1 2 3 4 5 6 7 8\nspread 1 1 1 -1 1 1 1 1 2\n",
                           "memshape-model 1\ncoefficients 1 2 3 4 5 6 7 8\nspread 1 1 1 1 1 1 1 1 2\nown 1 0 1\n",
                           "memshape-model 1\ncoefficients 1 2 3 4 5 6 7 8\nspread 1 1 1 1 1 1 1 1 2\nown 1 1\n"}) {
    std::string Why;
    EXPECT_FALSE(Prior::parse(Text, &Why)) << Text;
    EXPECT_FALSE(Why.empty());
  }
}

TEST(Training, FindsTheCoefficientsThatMadeTheRecordsAndIsReproducible) {
  std::mt19937 Random(1);
  std::uniform_real_distribution<double> Uniform(0.5, 2);
  std::vector<OperatorRuns> Corpus;
  for (int O = 0; O < 12; ++O) {
    OperatorRuns Runs;
    double Heap = 1e7 * Uniform(Random), Held = 1e7 * Uniform(Random);
    for (double Size = 1; Size <= 64; Size *= 2)
      Runs.push_back({call(Heap * Size, Held * Size), 4e6 + 0.9 * Heap * Size + Held * Size});
    Corpus.push_back(Runs);
  }
  Prior P = trainPrior(Corpus);
  EXPECT_NEAR(P.Coefficients[HeapBytes], 0.9, 0.02);
  EXPECT_NEAR(P.Coefficients[HeldBytes], 1, 0.02);
  EXPECT_EQ(P.text(), trainPrior(Corpus).text());

  // Processes of which nobody said what they hold say what such processes have of their own, and nothing else.
  std::vector<OperatorRuns> More = Corpus;
  for (double Own : {5e7, 7e7, 9e7}) {
    OperatorRuns Runs;
    for (double Heap : {1e7, 4e7, 1.6e8})
      Runs.push_back({undescribed(Heap), P.mean(undescribed(Heap)) + Own});
    More.push_back(Runs);
  }
  Prior Q = trainPrior(More);
  EXPECT_EQ(Q.Coefficients, P.Coefficients);
  EXPECT_EQ(Q.Around.WideBytes, P.Around.WideBytes);
  EXPECT_NEAR(Q.Own.Median, std::cbrt(5e7 * 7e7 * 9e7), 1e3);
  EXPECT_LT(Q.Own.TensorOdds, P.Own.TensorOdds);
}

TEST(OperatorModel, WhatNobodyRequestedIsNotHeld) {
  Situation Large = call(1e9, 1e9);
  OperatorModel Model(Prior::generic(), Target::Resident, Large),
      Unheld(Prior::generic(), Target::Resident, call(1e9, Unknown));
  double Before = Model.forecast(Large, 0.99).Upper;
  EXPECT_LT(Before, 2.05e9) << "a few megabytes, whatever the size";
  EXPECT_GT(Model.forecast(Large, 0.9999).Upper, Before);
  Model.observe(call(1e6, 1e6), 80e6); // a process that brings much of its own
  EXPECT_GT(Model.forecast(Large, 0.99).Upper, 2.07e9);
  EXPECT_GT(Unheld.forecast(call(1e9, Unknown), 0.99).Upper, 1e9);
}

TEST(OperatorModel, ABoundIsTheSameHoweverOftenItIsAskedFor) {
  OperatorModel Model(Prior::generic(), Target::Resident, call(1e8, 1e8));
  double First = Model.forecast(call(1e8, 1e8), 0.99).Upper, Other = Model.forecast(call(1e8, 1e8), 0.9).Upper;
  EXPECT_LT(Other, First);
  EXPECT_EQ(Model.forecast(call(1e8, 1e8), 0.99).Upper, First);
  Model.observe(call(1e8, 1e8), 2.04e8);
  double After = Model.forecast(call(1e8, 1e8), 0.99).Upper;
  EXPECT_NE(After, First);
  EXPECT_EQ(Model.forecast(call(1e8, 1e8), 0.99).Upper, After);
}
