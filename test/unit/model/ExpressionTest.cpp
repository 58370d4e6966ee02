// Footprint formulas read from text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/formula/Expression.h"

#include <gtest/gtest.h>

using namespace memshape;

static double value(const char *Text, const std::map<std::string, double> &Symbols = {}) {
  std::optional<Expression> Read = Expression::parse(Text);
  return Read ? Read->evaluate(Symbols).value_or(-1e9) : -2e9;
}

TEST(Expression, ReadsWhatMemshapePrints) {
  std::map<std::string, double> At{{"ni", 10}, {"nx", 20}, {"n", 9}};
  EXPECT_EQ(value("48*ni*nx + 44", At), 9644);
  EXPECT_EQ(value("(n^2 + n)/2", At), 45);
  EXPECT_EQ(value("8*ni + max(8*nx, 4*ni - 2, 0)", At), 240);
  EXPECT_EQ(value("4*floor((n + 7)/8) + ceil(n/8) + pow2ceil(n)", At), 8 + 2 + 16);
  EXPECT_EQ(value("halved(208*n^0, 24) + halved(n, 64)", At), 13 + 9);
  EXPECT_EQ(value("smooth(7*n - 2, 5) + smooth(2*n + 3, 7)", At), 64 + 21);
  EXPECT_EQ(value("above(n*nx, 179) + above(n*nx, 180)", At), 1);
  EXPECT_EQ(value("isqrt(nx) + ilog2(8*n) + ilog2(n - 9)", At), 4 + 6);
  EXPECT_EQ(value("min(n, 4)*max(nx, 3)", At), 80);
  EXPECT_EQ(value("-nx + 2^3^2", At), 492);
}

TEST(Expression, SaysWhatItCannotRead) {
  for (const char *Text : {"", "8*", "(n", "n n", "foo(3)", "8 $ 3", "1e999", "max(1,", "*3"}) {
    std::string Why;
    EXPECT_FALSE(Expression::parse(Text, &Why)) << Text;
    EXPECT_FALSE(Why.empty()) << Text;
  }
  EXPECT_FALSE(Expression::parse(std::string(100000, '(')));
  EXPECT_FALSE(Expression::parse(std::string(10000, '-') + "1"));
}

TEST(Expression, HasNoValueWhereASymbolIsMissingOrItIsNotFinite) {
  EXPECT_FALSE(Expression::parse("8*a")->evaluate({}));
  EXPECT_FALSE(Expression::parse("1/a")->evaluate({{"a", 0}}));
}

TEST(Expression, IsAPolynomialWhereItNeitherRoundsNorChooses) {
  const std::map<std::string, Polynomial> Symbols{{"n", Polynomial::variable(2, 0)}, {"m", Polynomial::variable(2, 1)}};
  const auto Text = [&](const char *Of) {
    const std::optional<Polynomial> Found = Expression::parse(Of)->polynomial(2, Symbols);
    return Found ? Found->str({"n", "m"}) : "none";
  };
  EXPECT_EQ(Text("4*(n + m)^2 - -n*3/2 + 8"), "(8*n^2 + 16*n*m + 8*m^2 + 3*n + 16)/2");
  EXPECT_EQ(Text("n - n"), "0");
  for (const char *Other : {"ceil(n/8)", "max(n, m)", "n/m", "n^m", "n^9", "n/0", "k"})
    EXPECT_EQ(Text(Other), "none") << Other;
}
