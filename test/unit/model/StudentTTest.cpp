// Student's t: values from tables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/residency/StudentT.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace memshape;

TEST(StudentT, QuantilesAreThoseOfTheTables) {
  // Abramowitz and Stegun, table 26.10.
  EXPECT_NEAR(standardQuantile(0.99, 1), 31.82052, 1e-5);
  EXPECT_NEAR(standardQuantile(0.99, 2), 6.96456, 1e-5);
  EXPECT_NEAR(standardQuantile(0.95, 10), 1.81246, 1e-5);
  EXPECT_NEAR(standardQuantile(0.995, 30), 2.75000, 1e-5);
  EXPECT_NEAR(standardQuantile(0.99, 1e9), 2.326348, 1e-5);
}

TEST(StudentT, QuantileAndTailAreInverse) {
  for (double Degrees : {1.0, 2.0, 2.4, 3.0, 5.5, 12.0, 100.0, 1e6})
    for (double Probability : {1e-9, 1e-4, 0.01, 0.2, 0.4999, 0.5, 0.6, 0.9, 0.999, 0.999999}) {
      double Value = standardQuantile(Probability, Degrees);
      StudentT Standard{0, 1, Degrees};
      EXPECT_NEAR(Standard.cumulative(Value), Probability, 1e-8) << Degrees << " " << Probability;
      EXPECT_NEAR(Standard.cumulative(Value) + Standard.exceeding(Value), 1, 1e-14);
    }
}

TEST(StudentT, DensityIsTheSlopeOfTheCumulative) {
  StudentT T{3, 2, 4};
  double Step = 1e-5;
  EXPECT_NEAR(std::exp(T.logDensity(4)), (T.cumulative(4 + Step) - T.cumulative(4 - Step)) / (2 * Step), 1e-8);
}

TEST(StudentT, MomentsAboveALimitAreThoseOfTheIntegral) {
  for (double Degrees : {3.0, 6.0, 40.0})
    for (double Limit : {-2.0, 0.0, 1.0, 4.0}) {
      double Mass = 0, Mean = 0, Square = 0;
      StudentT Standard{0, 1, Degrees};
      // t = limit + u/(1 - u): the whole tail on one interval.
      constexpr int Steps = 200000;
      for (int I = 0; I < Steps; ++I) {
        double U = (I + 0.5) / Steps, Value = Limit + U / (1 - U);
        double Weight = std::exp(Standard.logDensity(Value)) / ((1 - U) * (1 - U)) / Steps;
        Mass += Weight, Mean += Weight * Value, Square += Weight * Value * Value;
      }
      Truncated Found = exceedingMoments(Limit, Degrees);
      EXPECT_NEAR(Found.Mean, Mean / Mass, 1e-3 * (1 + std::abs(Mean / Mass)));
      EXPECT_NEAR(Found.MeanSquare, Square / Mass, Degrees == 3 ? 0.05 * Square / Mass : 1e-3 * (1 + Square / Mass));
    }
}
