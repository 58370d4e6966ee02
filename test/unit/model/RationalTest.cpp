// Exact fractions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/formula/Rational.h"

#include <gtest/gtest.h>

using namespace memshape;

TEST(Rational, KeepsLowestTerms) {
  Rational R = Rational::fraction(6, -4);
  EXPECT_EQ(toDecimal(R.numerator()), "-3");
  EXPECT_EQ(toDecimal(R.denominator()), "2");
}

TEST(Rational, AddsSubtractsMultipliesAndDividesExactly) {
  Rational Third = Rational::fraction(1, 3), Half = Rational::fraction(1, 2);
  EXPECT_EQ(Third + Half, Rational::fraction(5, 6));
  EXPECT_EQ(Third - Half, Rational::fraction(-1, 6));
  EXPECT_EQ(Third * Half, Rational::fraction(1, 6));
  EXPECT_EQ(Third / Half, Rational::fraction(2, 3));
}

TEST(Rational, DivisionByZeroIsInvalid) { EXPECT_FALSE((Rational(1) / Rational(0)).valid()); }

TEST(Rational, OverflowIsInvalidAndStaysSo) {
  Rational Large(INT64_MAX);
  Rational Square = Large * Large;
  EXPECT_TRUE(Square.valid());
  Rational Cube = Square * Large;
  EXPECT_FALSE(Cube.valid());
  EXPECT_FALSE((Cube - Cube).valid());
  EXPECT_FALSE(Cube == Cube);
}

TEST(Rational, OnlyIntegersOfSixtyFourBitsConvert) {
  EXPECT_EQ(Rational(INT64_MIN).toInt64(), INT64_MIN);
  EXPECT_EQ((Rational(INT64_MAX) + Rational(1)).toInt64(), std::nullopt);
  EXPECT_EQ(Rational::fraction(1, 2).toInt64(), std::nullopt);
}

TEST(Rational, Orders) {
  EXPECT_TRUE(Rational::fraction(1, 3) < Rational::fraction(1, 2));
  EXPECT_FALSE(Rational(2) < Rational(2));
}
