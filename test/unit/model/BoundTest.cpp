// Bounds are exceeded as rarely as asked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/residency/Bound.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace memshape;

TEST(OnlineQuantile, FollowsTheQuantileOfAnIndependentSequence) {
  std::mt19937 Random(3);
  std::exponential_distribution<double> Exponential;
  OnlineQuantile Q(0.9, 0);
  for (int I = 0; I < 200000; ++I)
    Q.observe(Exponential(Random));
  EXPECT_NEAR(Q.threshold(), 2.302585, 0.1); // -ln 0.1
}

TEST(OnlineQuantile, IsExceededRarelyEvenWhereScoresGrow) {
  std::mt19937 Random(5);
  std::normal_distribution<double> Normal;
  OnlineQuantile Q(0.95, 1.6);
  int Missed = 0;
  for (int I = 0; I < 2000; ++I) {
    double Score = Normal(Random) + (I < 1000 ? 0 : 2);
    Missed += Score > Q.threshold();
    Q.observe(Score);
  }
  EXPECT_LT(Missed, 2000 * 0.12);
}

TEST(ScorePool, CountsOperatorsAlike) {
  ScorePool Pool;
  Pool.add(std::vector<double>(1000, 5.0)); // one operator with many runs
  for (int I = 0; I < 99; ++I)
    Pool.add({static_cast<double>(I) / 100});
  EXPECT_LT(Pool.quantile(0.9, 5), 1);
  EXPECT_GE(Pool.quantile(0.999, 5), 5);
}

TEST(ScorePool, ASmallPoolSaysItsLargestScoreAndMoreBeyond) {
  ScorePool Pool;
  for (int I = 1; I <= 20; ++I)
    Pool.add({static_cast<double>(I)});
  EXPECT_DOUBLE_EQ(Pool.quantile(0.5, 5), 11);
  EXPECT_EQ(Pool.quantile(20.0 / 21, 5), 20) << "for so much the largest of twenty stands";
  EXPECT_GT(Pool.quantile(0.99, 5), 20);
  EXPECT_GT(Pool.quantile(0.999, 5), Pool.quantile(0.99, 5));
}

/// How often a new operator stays below what 33 others say at 0.99, and how far that lies, in true quantiles.
template <class Score> std::pair<double, double> coverage(Score Draw) {
  constexpr int Pools = 400, Others = 33, New = 200;
  int Inside = 0;
  double Sum = 0;
  for (int I = 0; I < Pools; ++I) {
    ScorePool Pool;
    for (int O = 0; O < Others; ++O)
      Pool.add({Draw()});
    double Bound = Pool.quantile(0.99, 30);
    Sum += std::log(Bound);
    for (int N = 0; N < New; ++N)
      Inside += Draw() <= Bound;
  }
  return {Inside / double(Pools * New), std::exp(Sum / Pools)};
}

TEST(ScorePool, FewOperatorsBoundNewOnesWhateverTheirTail) {
  std::mt19937 Random(11);
  std::uniform_real_distribution<double> Uniform;
  std::exponential_distribution<double> Exponential;
  std::normal_distribution<double> Normal;
  auto [Light, LightBound] = coverage([&] { return std::abs(Normal(Random)); });
  EXPECT_GE(Light, 0.99);
  EXPECT_LT(LightBound, 1.6 * 2.576);
  auto [Middle, MiddleBound] = coverage([&] { return Exponential(Random); });
  EXPECT_GE(Middle, 0.985);
  EXPECT_LT(MiddleBound, 2 * 4.605);
  auto [Heavy, HeavyBound] = coverage([&] { return std::pow(Uniform(Random), -0.5); }); // no variance any more
  EXPECT_GE(Heavy, 0.98);
}

TEST(ScorePool, ComesBackFromItsNumbers) {
  ScorePool Pool, Read;
  for (int I = 1; I <= 300; ++I)
    Pool.add({static_cast<double>(I), I / 2.0});
  ASSERT_TRUE(ScorePool::fromNumbers(Pool.numbers(), Read));
  for (double Confidence : {0.9, 0.95, 0.99})
    EXPECT_GE(Read.quantile(Confidence, 5), Pool.quantile(Confidence, 5));
  // Beyond the largest the tail's index counts, which comes from the scores that were kept.
  EXPECT_NEAR(Read.quantile(0.999, 5) / Pool.quantile(0.999, 5), 1, 0.01);
  EXPECT_NEAR(Read.quantile(0.95, 5), Pool.quantile(0.95, 5), 3);
  EXPECT_FALSE(ScorePool::fromNumbers({2, 5, 0.5, 1, 0.5}, Read)); // not ascending
}

TEST(BoundScore, IsNotBelowTheFamilyWhileTheHistoryIsShort) {
  EXPECT_EQ(boundScore(0.99, 3, {}), 3);
  EXPECT_EQ(boundScore(0.99, 3, std::vector<double>(50, -1.0)), 3);
  EXPECT_LT(boundScore(0.99, 3, std::vector<double>(150, -1.0)), 3);
  EXPECT_GT(boundScore(0.99, 3, {5.0}), 3.5) << "a run above the bound moves it";
}
