// Formulas: values and how they are written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/formula/Formula.h"

#include <gtest/gtest.h>

using namespace memshape;

const std::vector<std::string> Names{"ni", "nx", "ns"};

static Polynomial symbol(std::size_t Index) { return Polynomial::variable(3, Index); }
static Polynomial number(std::int64_t Value) { return Polynomial::constant(3, Rational(Value)); }
static std::vector<Atom> symbols() { return {{rounding::None(), 0}, {rounding::None(), 1}, {rounding::None(), 2}}; }

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
  EXPECT_EQ(F.chosen({1, 5, 1}), 1u);
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
  Atom Half{rounding::Blocks{2, 0}, 2}, Blocks{rounding::Blocks{8, 7}, 0}, Power{rounding::PowerOfTwo(), 1};
  EXPECT_EQ(Half.str(Names), "floor(ns/2)");
  EXPECT_EQ(Blocks.str(Names), "ceil(ni/8)");
  EXPECT_EQ(Power.str(Names), "pow2ceil(nx)");
  EXPECT_EQ(Half.evaluate({1, 1, 7}), 3);
  EXPECT_EQ(Blocks.evaluate({9, 1, 1}), 2);
  EXPECT_EQ(Power.evaluate({1, 65, 1}), 128);
  EXPECT_EQ(Half.evaluate({1, 1, -1}), -1);
  EXPECT_EQ(Power.evaluate({1, INT64_MAX, 1}), std::nullopt);
}

TEST(Formula, LeastOfItsPieces) {
  Formula F(symbols(), {symbol(0).scaled(Rational(8)), symbol(1).scaled(Rational(4))}, /*Least=*/true);
  EXPECT_EQ(F.str(Names), "min(8*ni, 4*nx)");
  EXPECT_EQ(F.evaluate({10, 5, 1}), Rational(20));
  EXPECT_EQ(F.chosen({10, 5, 1}), 1u);
}

TEST(Formula, AtomsOfSumsAndProducts) {
  const Polynomial Sum = symbol(0) + symbol(1) + number(-1), Product = symbol(0) * symbol(1);
  Atom Power{rounding::PowerOfTwo(), 0, Sum}, Blocks{rounding::Blocks{64, 63}, 0, Product},
      Padded{rounding::Blocks{1, 0, 2}, 0, symbol(0) + symbol(2) + number(-1)},
      Frames{rounding::Blocks{1, 0, 2}, 0, symbol(0) + symbol(1).scaled(Rational(-1))},
      Beyond{rounding::Above{100}, 0, Product}, Size{rounding::Smooth{5}, 0}, Root{rounding::Root(), 0},
      Levels{rounding::Log2(), 0}, Capped{rounding::Least{64}, 1};
  EXPECT_EQ(Power.str(Names), "pow2ceil(ni + nx - 1)");
  EXPECT_EQ(Power.evaluate({60, 5, 1}), 64);
  EXPECT_EQ(Power.evaluate({60, 6, 1}), 128);
  EXPECT_EQ(Blocks.str(Names), "ceil(ni*nx/64)");
  EXPECT_EQ(Blocks.evaluate({13, 5, 1}), 2);
  EXPECT_EQ(Padded.str(Names), "ceil(ni/ns)");
  EXPECT_EQ(Padded.evaluate({13, 1, 4}), 4);
  EXPECT_EQ(Padded.evaluate({13, 1, 0}), std::nullopt);
  EXPECT_EQ(Frames.str(Names), "floor((ni - nx)/ns)");
  EXPECT_EQ(Frames.evaluate({13, 4, 4}), 2);
  EXPECT_EQ(Beyond.str(Names), "above(ni*nx, 100)");
  EXPECT_EQ(Beyond.evaluate({10, 10, 1}), 0);
  EXPECT_EQ(Beyond.evaluate({10, 11, 1}), 1);
  EXPECT_EQ(Size.str(Names), "smooth(ni, 5)");
  EXPECT_EQ(Size.evaluate({121, 1, 1}), 125);
  EXPECT_EQ(Size.evaluate({0, 1, 1}), 1);
  EXPECT_EQ(Root.evaluate({(std::int64_t(1) << 40) - 1, 1, 1}), (1 << 20) - 1);
  EXPECT_EQ(Root.evaluate({-1, 1, 1}), std::nullopt);
  EXPECT_EQ(Levels.evaluate({1023, 1, 1}), 9);
  EXPECT_EQ(Levels.evaluate({0, 1, 1}), 0);
  EXPECT_EQ(Capped.str(Names), "min(nx, 64)");
  EXPECT_EQ(Capped.evaluate({1, 65, 1}), 64);
}

TEST(Formula, DomainNamesEqualRangesTogether) {
  Domain D{{{1, 2000}, {1, 2000}, {3, 3}}};
  EXPECT_EQ(D.str(Names), "1 <= ni, nx <= 2000; ns = 3");
  EXPECT_TRUE(D.contains({1, 2000, 3}));
  EXPECT_FALSE(D.contains({0, 1, 3}));
}
