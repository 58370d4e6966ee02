// Beliefs after observations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/residency/Averaging.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace memshape;

static Belief belief(int Terms) { return {Row::Zero(Terms), TermMatrix::Identity(Terms, Terms), 2, 0.5}; }

static Row row(std::initializer_list<double> Values) {
  Row R(static_cast<int>(Values.size()));
  int I = 0;
  for (double Value : Values)
    R[I++] = Value;
  return R;
}

TEST(Posterior, OneObservationByHand) {
  // Precision 1 -> 1 + 2^2 = 5, mean (0 + 2*3)/5 = 1.2, rate 0.5 + (9 + 0 - 5*1.44)/2 = 1.4.
  Posterior P(belief(1));
  P.observe(row({2}), 3);
  EXPECT_DOUBLE_EQ(P.mean()[0], 1.2);
  EXPECT_DOUBLE_EQ(P.shape(), 2.5);
  EXPECT_DOUBLE_EQ(P.rate(), 1.4);
  StudentT Next = P.predict(row({1}));
  EXPECT_DOUBLE_EQ(Next.Location, 1.2);
  EXPECT_DOUBLE_EQ(Next.Degrees, 5);
  EXPECT_DOUBLE_EQ(Next.Scale, std::sqrt(1.4 / 2.5 * (1 + 1 / 5.0)));
}

TEST(Posterior, OneByOneIsTheSameAsAllAtOnce) {
  std::mt19937 Random(7);
  std::normal_distribution<double> Normal;
  constexpr int Terms = 5, Count = 40;
  Posterior P(belief(Terms));
  Eigen::MatrixXd X(Count, Terms);
  Eigen::VectorXd Y(Count);
  for (int I = 0; I < Count; ++I) {
    Row At(Terms);
    for (int K = 0; K < Terms; ++K)
      X(I, K) = At[K] = Normal(Random);
    Y[I] = At.sum() + 0.1 * Normal(Random);
    P.observe(At, Y[I]);
  }
  Eigen::MatrixXd Precision = Eigen::MatrixXd::Identity(Terms, Terms) + X.transpose() * X;
  Eigen::VectorXd Mean = Precision.ldlt().solve(X.transpose() * Y);
  EXPECT_LT((P.mean() - Mean).norm(), 1e-12);
  EXPECT_NEAR(P.rate(), 0.5 + 0.5 * (Y.squaredNorm() - Mean.dot(Precision * Mean)), 1e-10);
  EXPECT_DOUBLE_EQ(P.shape(), 2 + Count / 2.0);
}

TEST(Posterior, OrderDoesNotMatter) {
  Posterior A(belief(2)), B(belief(2));
  A.observe(row({1, 2}), 3), A.observe(row({1, 5}), 4);
  B.observe(row({1, 5}), 4), B.observe(row({1, 2}), 3);
  EXPECT_LT((A.mean() - B.mean()).norm(), 1e-14);
  EXPECT_NEAR(A.rate(), B.rate(), 1e-14);
}

TEST(Posterior, ARunThatWasKilledNeverLowersThePrediction) {
  for (double Limit : {-3.0, 0.0, 1.0, 10.0, 1e6}) {
    Posterior P(belief(1));
    P.observe(row({1}), 1);
    double Before = P.predict(row({1})).Location;
    P.observeAbove(row({1}), Limit);
    EXPECT_GE(P.predict(row({1})).Location, Before - 1e-12) << Limit;
    if (Limit > Before)
      EXPECT_GT(P.predict(row({1})).exceeding(Limit), 0.05) << Limit;
  }
}

TEST(Posterior, ForgettingAllIsThePriorAndForgettingNothingChangesNothing) {
  Posterior P(belief(2));
  P.observe(row({1, 2}), 3);
  Row Before = P.mean();
  P.forget(1);
  EXPECT_LT((P.mean() - Before).norm(), 1e-14);
  P.forget(0);
  EXPECT_LT(P.mean().norm(), 1e-14);
  EXPECT_DOUBLE_EQ(P.shape(), 2);
  EXPECT_DOUBLE_EQ(P.rate(), 0.5);
}

TEST(Averaging, TheBasisThatPredictsTakesTheWeight) {
  Averaging A({belief(1), belief(1)}, {0, 0});
  for (int N = 1; N <= 20; ++N) // y = 3 n^2; the first basis knows n alone
    A.observe({{row({1.0 * N}), 1}, {row({1.0 * N * N}), 1}}, 3.0 * N * N);
  EXPECT_GT(A.weights()[1], 0.999);
  EXPECT_NEAR(A.predict({{row({100}), 1}, {row({10000}), 1}}).Location, 30000, 100);
}

TEST(Averaging, ScalesAreUndone) {
  Averaging A({belief(1)}, {0}), B({belief(1)}, {0});
  A.observe({{row({2}), 1}}, 3);
  B.observe({{row({2000}), 1000}}, 3000);
  EXPECT_NEAR(B.predict({{row({1000}), 1000}}).Location, 1000 * A.predict({{row({1}), 1}}).Location, 1e-9);
  EXPECT_NEAR(B.predict({{row({1000}), 1000}}).Scale, 1000 * A.predict({{row({1}), 1}}).Scale, 1e-9);
}
