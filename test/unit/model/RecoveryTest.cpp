//===- RecoveryTest.cpp - Formulas come back from samples -----------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/Recovery.h"

#include <bit>
#include <gtest/gtest.h>

using namespace memshape;

namespace {

const std::vector<std::string> Names{"n", "m", "k", "p"};

/// Recovers output 0 of a function of Symbols symbols.
template <class Function>
std::optional<Recovered> recovered(std::size_t Symbols, Function F, RecoveryOptions Options = {}) {
  Options.Budget = std::chrono::seconds(60); // sanitizers are slow; the search has to end by itself
  Recovery R(Symbols, [&](const Shape &S) -> std::optional<Outputs> { return F(S); }, Options);
  std::optional<Recovered> Found = R.recover(0);
  EXPECT_FALSE(R.outOfTime());
  return Found;
}

template <class Function> std::string formula(std::size_t Symbols, Function F, RecoveryOptions Options = {}) {
  std::optional<Recovered> Found = recovered(Symbols, F, Options);
  return Found ? Found->Value.str(Names) : "none";
}

} // namespace

TEST(Recovery, OnePolynomial) {
  auto F = [](const Shape &S) { return Outputs{48 * S[0] * S[1] * S[2] + 44}; };
  std::optional<Recovered> Found = recovered(3, F);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Value.str(Names), "48*n*m*k + 44");
  EXPECT_GE(Found->VerifiedShapes, 500u);
  EXPECT_EQ(Found->Valid.str(Names), "1 <= n, m, k <= 2000");
}

TEST(Recovery, Constant) {
  EXPECT_EQ(formula(2, [](const Shape &) { return Outputs{4096}; }), "4096");
}

TEST(Recovery, DegreeFourInOneSymbolWithFractions) {
  EXPECT_EQ(formula(1, [](const Shape &S) { return Outputs{S[0] * (S[0] + 1) / 2 * 8 + S[0] * S[0] * S[0] * S[0]}; }),
            "n^4 + 4*n^2 + 4*n");
  EXPECT_EQ(formula(1, [](const Shape &S) { return Outputs{S[0] * (S[0] + 1) / 2}; }), "(n^2 + n)/2");
}

TEST(Recovery, GreatestOfTwoPhases) {
  auto F = [](const Shape &S) { return Outputs{std::max(8 * S[0] * S[1] + 16, 4 * S[0] * S[0] + S[1] * S[1])}; };
  std::optional<Recovered> Found = recovered(2, F);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Value.pieces().size(), 2u);
  EXPECT_EQ(Found->Valid.Ranges[0], (Range{1, 2000}));
}

TEST(Recovery, GreatestOfThreePhases) {
  auto F = [](const Shape &S) {
    return Outputs{std::max({24 * S[0] * S[1], 8 * S[1] * S[2] * 3 + 100, 16 * S[0] * S[2] + 7})};
  };
  std::optional<Recovered> Found = recovered(3, F);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Value.pieces().size(), 3u);
}

TEST(Recovery, HalfSpectrumOfARealTransform) {
  EXPECT_EQ(formula(2, [](const Shape &S) { return Outputs{16 * S[0] * (S[1] / 2 + 1) + 8 * S[0] * S[1]}; }),
            "8*n*m + 16*n*floor(m/2) + 16*n");
}

TEST(Recovery, PaddingToBlocksOfEight) {
  EXPECT_EQ(formula(2, [](const Shape &S) { return Outputs{4 * S[0] * ((S[1] + 7) / 8 * 8)}; }), "32*n*ceil(m/8)");
}

TEST(Recovery, NextPowerOfTwo) {
  EXPECT_EQ(formula(2,
                    [](const Shape &S) {
                      return Outputs{8 * S[0] *
                                     static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(S[1])))};
                    }),
            "8*n*pow2ceil(m)");
}

TEST(Recovery, HalvesWhileTheSideIsEvenAndLarge) {
  for (std::int64_t Ends : {64, 6})
    EXPECT_EQ(formula(1,
                      [&](const Shape &S) {
                        std::int64_t Sum = 0, Side = S[0];
                        for (; Side % 2 == 0 && Side > Ends; Side /= 2)
                          Sum += 17 * Side * Side;
                        return Outputs{4 * Sum + 3 * Side};
                      }),
              Ends == 64 ? "(272*n^2 - 272*halved(n, 64)^2 + 9*halved(n, 64))/3"
                         : "(272*n^2 - 272*halved(n, 6)^2 + 9*halved(n, 6))/3");
}

TEST(Recovery, SmallShapesOnTheStackCutTheDomain) {
  auto F = [](const Shape &S) { return Outputs{S[0] >= 129 ? 8 * S[0] * S[0] : 0}; };
  std::optional<Recovered> Found = recovered(1, F);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Value.str(Names), "8*n^2");
  EXPECT_EQ(Found->Valid.Ranges[0], (Range{129, 2000}));
}

TEST(Recovery, TheAnchorDecidesWhichSide) {
  auto F = [](const Shape &S) { return Outputs{S[0] >= 700 ? 8 * S[0] * S[1] : 16 * S[0] * S[1] + 3}; };
  RecoveryOptions Options;
  Options.Anchor = {300, 17};
  std::optional<Recovered> Found = recovered(2, F, Options);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Value.str(Names), "16*n*m + 3");
  EXPECT_EQ(Found->Valid.str(Names), "1 <= n <= 699; 1 <= m <= 2000");
}

TEST(Recovery, ShapesWithoutAValueCutTheDomain) {
  Recovery R(2,
             [](const Shape &S) -> std::optional<Outputs> {
               if (S[0] < 3 || S[1] < 5)
                 return std::nullopt;
               return Outputs{8 * (S[0] - 2) * (S[1] - 4)};
             },
             {});
  std::optional<Recovered> Found = R.recover(0);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Valid.str(Names), "3 <= n <= 2000; 5 <= m <= 2000");
}

TEST(Recovery, CurvedBoundariesLeaveABox) {
  // A workspace that is needed only beyond a size on the stack.
  auto F = [](const Shape &S) {
    std::int64_t Tensor = 4 * S[0] * S[1] + 8 * S[0] * S[0];
    return Outputs{Tensor + (4 * S[0] * S[1] > 131072 ? 8 * std::min<std::int64_t>(S[1], 384) * (S[0] / 4 + 3) : 0)};
  };
  RecoveryOptions Options;
  Options.Anchor = {100, 100};
  std::optional<Recovered> Found = recovered(2, F, Options);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Value.str(Names), "8*n^2 + 4*n*m");
  EXPECT_LE(Found->Valid.Ranges[0].High * Found->Valid.Ranges[1].High, 32768 + 4096);
  EXPECT_GE(Found->VerifiedShapes, 500u);
}

TEST(Recovery, ExpensiveShapesAreNotSampled) {
  RecoveryOptions Options;
  std::int64_t Largest = 0;
  Options.MaxCost = std::chrono::microseconds(5000);
  Options.Cost = [](const Shape &S) { return std::chrono::microseconds(S[0] * S[1] / 4); };
  std::optional<Recovered> Found = recovered(
      2,
      [&](const Shape &S) {
        Largest = std::max({Largest, S[0], S[1]});
        return Outputs{8 * S[0] * S[1]};
      },
      Options);
  ASSERT_TRUE(Found);
  EXPECT_LE(Largest, 120);
  EXPECT_EQ(Found->Valid.Ranges[0], (Range{1, 120}));
}

TEST(Recovery, AnIrregularSymbolIsHeld) {
  auto F = [](const Shape &S) {
    std::int64_t Bits = std::popcount(static_cast<std::uint64_t>(S[1] * 2654435761));
    return Outputs{8 * S[0] * Bits};
  };
  RecoveryOptions Options;
  Options.Anchor = {100, 5};
  std::optional<Recovered> Found = recovered(2, F, Options);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Valid.Ranges[1], (Range{5, 5}));
}

TEST(Recovery, NoFormulaWhereThereIsNone) {
  auto F = [](const Shape &S) {
    return Outputs{std::int64_t(std::popcount(static_cast<std::uint64_t>(S[0] * S[1]))) * 8};
  };
  EXPECT_FALSE(recovered(2, F));
}

TEST(Recovery, OneRareExceptionRefusesTheFormula) {
  // Holds at all but every hundredth shape: sampling finds it, and the domain cannot be cut around it.
  auto F = [](const Shape &S) { return Outputs{8 * S[0] * S[1] + ((S[0] * 31 + S[1] * 17) % 50 == 0 ? 1 : 0)}; };
  std::optional<Recovered> Found = recovered(2, F);
  EXPECT_FALSE(Found) << Found->Valid.str(Names);
}

TEST(Recovery, SitesFollowThePhaseOfTheAnchor) {
  auto Evaluate = [](const Shape &S) -> std::optional<Outputs> {
    std::int64_t First = 16 * S[0] * S[1], Second = 8 * S[1] * S[1] + 5;
    return First >= Second ? Outputs{First, First, 0} : Outputs{Second, 0, Second};
  };
  RecoveryOptions Options;
  Options.Anchor = {1000, 10};
  Recovery R(2, Evaluate, Options);
  std::optional<Recovered> Peak = R.recover(0);
  ASSERT_TRUE(Peak);
  std::optional<Recovered> Site = R.recoverWithin(1, *Peak), Other = R.recoverWithin(2, *Peak);
  ASSERT_TRUE(Site && Other);
  EXPECT_EQ(Site->Value.str(Names), "16*n*m");
  EXPECT_EQ(Other->Value.str(Names), "0");
}

TEST(Recovery, SameSeedSameAnswer) {
  auto F = [](const Shape &S) { return Outputs{S[0] >= 40 ? 8 * S[0] * S[1] : 4}; };
  std::optional<Recovered> A = recovered(2, F), B = recovered(2, F);
  ASSERT_TRUE(A && B);
  EXPECT_EQ(A->Valid.str(Names), B->Valid.str(Names));
  EXPECT_EQ(A->VerifiedShapes, B->VerifiedShapes);
}

TEST(Recovery, NarrowParametersAreVerifiedExhaustively) {
  RecoveryOptions Options;
  Options.Limits = {{-128, 127}};
  std::optional<Recovered> Found = recovered(1, [](const Shape &S) { return Outputs{4 * S[0]}; }, Options);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Valid.Ranges[0], (Range{1, 127}));
  EXPECT_EQ(Found->VerifiedShapes, 127u);
}
