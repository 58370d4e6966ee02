// Between which values a formula stays, and how far a symbol may grow.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/formula/Span.h"

#include "Gives.h"
#include <gtest/gtest.h>

using namespace memshape;

constexpr std::int64_t Most = 4000;

static Polynomial variable(std::size_t Index) { return Polynomial::variable(2, Index); }
static Polynomial number(std::int64_t Value) { return Polynomial::constant(2, Rational(Value)); }

/// In the symbols n and m.
static Formula plain(std::vector<Polynomial> Pieces, bool Least = false) {
  return Formula({{rounding::None(), 0}, {rounding::None(), 1}}, std::move(Pieces), Least);
}

/// In n and a rounding of n.
static Formula rounded(const rounding::Any &How, const Polynomial &Of) {
  return Formula({{rounding::None(), 0}, {How, 0}}, {Of});
}

/// By trying each.
static std::int64_t lastByTrying(const Formula &Of, Shape At, std::size_t Symbol, std::int64_t Limit) {
  for (std::int64_t Value = 1; Value <= Most; ++Value) {
    At[Symbol] = Value;
    const std::optional<std::int64_t> Bytes = Of.evaluate(At).toInt64();
    if (!Bytes || *Bytes < 0 || *Bytes > Limit)
      return Value - 1;
  }
  return Most;
}

static void checkReach(const Formula &Of) {
  for (std::size_t Symbol : {0, 1})
    for (std::int64_t Other : {0, 1, 7, 100})
      for (std::int64_t Limit : {0, 1, 8, 64, 1000, 4096, 100000}) {
        const Shape At = {Other, Other};
        const Reach Found = reachWithin(Of, At, Symbol, {1, Most}, Rational(Limit));
        EXPECT_TRUE(Found.Complete);
        EXPECT_EQ(Found.Last, lastByTrying(Of, At, Symbol, Limit))
            << Of.str({"n", "m"}) << " in symbol " << Symbol << " beside " << Other << " within " << Limit;
      }
}

TEST(Span, HoldsEveryValueOfABox) {
  const Formula Falling = rounded(rounding::Blocks{16, 0}, variable(0).scaled(4) + variable(1).scaled(-64) + number(4));
  for (std::int64_t Low = 0; Low < 40; ++Low)
    for (std::int64_t High = Low; High < 60; ++High) {
      ASSERT_GIVES(const Span Found, spanOf(Falling, {{{Low, High}, {3, 3}}}));
      for (std::int64_t Value = Low; Value <= High; ++Value) {
        EXPECT_FALSE(Falling.evaluate({Value, 3}) < Found.Low);
        EXPECT_FALSE(Found.High < Falling.evaluate({Value, 3}));
      }
    }
}

TEST(Span, IsOneValueAtOneShape) {
  const Formula Halves = rounded(rounding::Halved{64}, variable(0) * variable(1));
  ASSERT_GIVES(const Span Found, spanOf(Halves, {{{96, 96}, {1, 1}}}));
  EXPECT_EQ(Found.Low, Halves.evaluate({96, 1}));
  EXPECT_EQ(Found.High, Halves.evaluate({96, 1}));
}

TEST(Span, IsAbsentWhereAValueIs) {
  const Formula Quotient({{rounding::Blocks{1, 0, 1}, 0}}, {Polynomial::variable(1, 0)});
  EXPECT_FALSE(spanOf(Quotient, {{{5, 9}, {0, 3}}}));
  EXPECT_TRUE(spanOf(Quotient, {{{5, 9}, {1, 3}}}));
}

TEST(Span, ProvesThatSizesDoNotFall) {
  EXPECT_TRUE(neverFalls(plain({variable(0) * variable(1), variable(1).scaled(4)}), 0));
  EXPECT_TRUE(neverFalls(plain({variable(0) * variable(0) + variable(0).scaled(-1)}), 0));
  EXPECT_FALSE(neverFalls(plain({variable(0) * variable(1) + variable(0).scaled(-1)}), 0)); // where m is 0
  EXPECT_TRUE(neverFalls(plain({variable(0) * variable(1) + variable(0).scaled(-1)}), 0, 1));
  EXPECT_FALSE(neverFalls(rounded(rounding::Blocks{16, 0}, variable(0) + variable(1).scaled(-16)), 0));
  EXPECT_TRUE(neverFalls(rounded(rounding::Blocks{16, 0}, variable(0) + variable(1).scaled(16)), 0));
  EXPECT_FALSE(neverFalls(rounded(rounding::Halved{64}, variable(1)), 0));
  EXPECT_FALSE(neverFalls(Formula({{rounding::Blocks{1, 0, 1}, 0}}, {Polynomial::variable(1, 0)}), 1));
}

TEST(Span, ReachesAsFarAsAllFit) {
  checkReach(plain({variable(0) * variable(1).scaled(8) + number(40)}));
  checkReach(plain({variable(0) * variable(1) + (variable(0) + variable(1)).scaled(-1) + number(1)}));
  checkReach(plain({variable(0).scaled(8), variable(1).scaled(12)}));
  checkReach(plain({variable(0).scaled(8), number(2400)}, /*Least=*/true));
  checkReach(plain({(variable(0) * variable(0) + variable(0)).scaled(Rational::fraction(1, 2)) + variable(1)}));
  checkReach(rounded(rounding::Blocks{16, 0}, variable(0).scaled(4) + variable(1).scaled(-64) + number(4)));
  checkReach(rounded(rounding::Blocks{7, 0}, variable(0).scaled(8) + variable(1).scaled(-28)));
  checkReach(rounded(rounding::Halved{64}, variable(1).scaled(8)));
  checkReach(rounded(rounding::PowerOfTwo(), variable(1).scaled(6) + variable(0).scaled(-1)));
  checkReach(Formula({{rounding::Blocks{1, 0, 1}, 0, variable(0) + variable(1) + number(-1)}},
                     {Polynomial::variable(1, 0).scaled(4)}));
}
