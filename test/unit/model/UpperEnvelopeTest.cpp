// Bounds above scattered figures.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/recovery/UpperEnvelope.h"

#include "Gives.h"
#include <gtest/gtest.h>

using namespace memshape;

static std::vector<ShapeFigure> figuresOf(std::int64_t (*F)(std::int64_t, std::int64_t)) {
  std::vector<ShapeFigure> Figures;
  for (std::int64_t X = 1; X <= 60; X += 3)
    for (std::int64_t Y = 1; Y <= 60; Y += 4)
      Figures.push_back({{X, Y}, F(X, Y)});
  return Figures;
}

static void expectNowhereBelow(const Polynomial &Bound, const std::vector<ShapeFigure> &Figures) {
  for (const auto &[At, Figure] : Figures)
    EXPECT_FALSE(Bound.evaluate(At) < Rational(Figure)) << At[0] << " " << At[1];
}

TEST(UpperEnvelope, IsTheLawWhereThereIsOne) {
  EXPECT_EQ(upperEnvelope(2, figuresOf([](std::int64_t, std::int64_t Y) { return 24 * Y + 100; }))->str({"x", "y"}),
            "24*y + 100");
  EXPECT_EQ(upperEnvelope(2, figuresOf([](std::int64_t X, std::int64_t Y) { return 8 * X * Y; }))->str({"x", "y"}),
            "8*x*y");
  EXPECT_EQ(upperEnvelope(2, figuresOf([](std::int64_t, std::int64_t) { return std::int64_t(7); }))->str({"x", "y"}),
            "7");
}

TEST(UpperEnvelope, IsNowhereBelowWhatJumps) {
  const std::vector<ShapeFigure> Figures =
      figuresOf([](std::int64_t, std::int64_t Y) { return (Y % 5 == 0 ? 40 : 3) * Y + (Y % 7) * 16; });
  ASSERT_GIVES(Polynomial Bound, upperEnvelope(2, Figures));
  expectNowhereBelow(Bound, Figures);
  EXPECT_FALSE(Bound.dependsOn(0));
  EXPECT_TRUE(Bound.dependsOn(1));
}

TEST(UpperEnvelope, NeedsFiguresThatItCanComputeWith) {
  EXPECT_FALSE(upperEnvelope(1, {}));
  EXPECT_FALSE(upperEnvelope(1, {{{3}, -8}}));
  EXPECT_FALSE(upperEnvelope(1, {{{3}, std::int64_t(1) << 60}}));
}
