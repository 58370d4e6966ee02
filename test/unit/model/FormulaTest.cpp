//===- FormulaTest.cpp - Formulas: values and how they are written --------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/Formula.h"

#include <gtest/gtest.h>

using namespace memshape;

namespace {

const std::vector<std::string> Names{"ni", "nx", "ns"};

Polynomial symbol(std::size_t Index) { return Polynomial::variable(3, Index); }
Polynomial number(std::int64_t Value) { return Polynomial::constant(3, Rational(Value)); }
std::vector<Atom> symbols() {
  return {{Atom::Kind::Symbol, 0, 1, 0}, {Atom::Kind::Symbol, 1, 1, 0}, {Atom::Kind::Symbol, 2, 1, 0}};
}

} // namespace

TEST(Formula, IsWrittenHighestDegreeFirst) {
  Polynomial P = number(44) + (symbol(0) * symbol(1) * symbol(2)).scaled(Rational(48)) + symbol(2).scaled(Rational(-8));
  EXPECT_EQ(P.str(Names), "48*ni*nx*ns - 8*ns + 44");
}

TEST(Formula, WritesPowersAndOneDenominator) {
  Polynomial P = (symbol(0) * symbol(0) + symbol(0)).scaled(Rational::fraction(1, 2));
  EXPECT_EQ(P.str(Names), "(ni^2 + ni)/2");
  EXPECT_EQ(number(0).str(Names), "0");
  EXPECT_EQ(symbol(1).scaled(Rational(-1)).str(Names), "-nx");
}

TEST(Formula, GreatestOfItsPieces) {
  Formula F(symbols(), {symbol(0).scaled(Rational(8)), symbol(1).scaled(Rational(4))});
  EXPECT_EQ(F.str(Names), "max(8*ni, 4*nx)");
  EXPECT_EQ(F.evaluate({10, 5, 1}), Rational(80));
  EXPECT_EQ(F.evaluate({1, 5, 1}), Rational(20));
  EXPECT_EQ(F.greatest({1, 5, 1}), 1u);
}

TEST(Formula, WritesSharedTermsOnce) {
  Polynomial Shared = (symbol(0) * symbol(1)).scaled(Rational(4)) + number(104);
  Formula F(symbols(), {Shared + symbol(0).scaled(Rational(8)), Shared + symbol(1).scaled(Rational(8))});
  EXPECT_EQ(F.str(Names), "4*ni*nx + 104 + max(8*ni, 8*nx)");
}

TEST(Formula, DoesNotWrapBeyondSixtyFourBits) {
  Formula F(symbols(), {(symbol(0) * symbol(0) * symbol(0)).scaled(Rational(4))});
  Rational Value = F.evaluate({3000000, 1, 1});
  EXPECT_TRUE(Value.valid());
  EXPECT_EQ(toDecimal(Value.numerator()), "108000000000000000000");
  EXPECT_EQ(Value.toInt64(), std::nullopt);
}

TEST(Formula, RoundingAtoms) {
  Atom Half{Atom::Kind::Floor, 2, 2, 0}, Blocks{Atom::Kind::Floor, 0, 8, 7}, Power{Atom::Kind::PowerOfTwo, 1, 1, 0};
  EXPECT_EQ(Half.str(Names), "floor(ns/2)");
  EXPECT_EQ(Blocks.str(Names), "ceil(ni/8)");
  EXPECT_EQ(Power.str(Names), "pow2ceil(nx)");
  EXPECT_EQ(Half.evaluate({1, 1, 7}), 3);
  EXPECT_EQ(Blocks.evaluate({9, 1, 1}), 2);
  EXPECT_EQ(Power.evaluate({1, 65, 1}), 128);
  EXPECT_EQ(Half.evaluate({1, 1, -1}), -1);
  EXPECT_EQ(Power.evaluate({1, INT64_MAX, 1}), std::nullopt);
}

TEST(Formula, DomainNamesEqualRangesTogether) {
  Domain D{{{1, 2000}, {1, 2000}, {3, 3}}};
  EXPECT_EQ(D.str(Names), "1 <= ni, nx <= 2000; ns = 3");
  EXPECT_TRUE(D.contains({1, 2000, 3}));
  EXPECT_FALSE(D.contains({0, 1, 3}));
}
