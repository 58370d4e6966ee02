// Formulas come back from samples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/recovery/Recovery.h"

#include "Gives.h"
#include <bit>
#include <cmath>
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

std::int64_t powerAbove(std::int64_t Size) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(Size)));
}

std::int64_t quotient(std::int64_t Of, std::int64_t By) { return By < 1 ? 0 : Of / By; }

/// The next size that has no prime factor above Largest, as transforms like it.
std::int64_t smoothAbove(std::int64_t Size, std::int64_t Largest) {
  for (;; ++Size) {
    std::int64_t Rest = Size;
    for (std::int64_t Factor = 2; Factor <= Largest; ++Factor)
      while (Rest % Factor == 0)
        Rest /= Factor;
    if (Rest == 1)
      return Size;
  }
}

/// Squares of a side that is halved while it is even and above Ends, and the side that is left.
std::int64_t halves(std::int64_t Side, std::int64_t Ends) {
  std::int64_t Sum = 0;
  for (; Side % 2 == 0 && Side > Ends; Side /= 2)
    Sum += 17 * Side * Side;
  return 4 * Sum + 3 * Side;
}

std::int64_t pyramid(std::int64_t N, std::int64_t M) {
  std::int64_t Sum = 0;
  for (int Level = 0; Level < 4; ++Level)
    Sum += 4 * (N >> Level) * (M >> Level);
  return Sum;
}

/// Bytes of a shape, and the formula that is found for them.
struct Law {
  const char *Of;
  std::size_t Symbols;
  std::int64_t (*Bytes)(const Shape &);
  const char *Formula;
};

const Law Laws[] = {
    {"constant", 2, [](const Shape &) { return std::int64_t(4096); }, "4096"},
    {"degree four in one symbol", 1,
     [](const Shape &S) { return S[0] * (S[0] + 1) / 2 * 8 + S[0] * S[0] * S[0] * S[0]; }, "n^4 + 4*n^2 + 4*n"},
    {"fractions", 1, [](const Shape &S) { return S[0] * (S[0] + 1) / 2; }, "(n^2 + n)/2"},
    {"half spectrum of a real transform", 2,
     [](const Shape &S) { return 16 * S[0] * (S[1] / 2 + 1) + 8 * S[0] * S[1]; }, "8*n*m + 16*n*floor(m/2) + 16*n"},
    {"padding to blocks of eight", 2, [](const Shape &S) { return 4 * S[0] * ((S[1] + 7) / 8 * 8); }, "32*n*ceil(m/8)"},
    {"next power of two", 2, [](const Shape &S) { return 8 * S[0] * powerAbove(S[1]); }, "8*n*pow2ceil(m)"},
    {"halves above 64", 1, [](const Shape &S) { return halves(S[0], 64); },
     "(272*n^2 - 272*halved(n, 64)^2 + 9*halved(n, 64))/3"},
    {"halves above 6", 1, [](const Shape &S) { return halves(S[0], 6); },
     "(272*n^2 - 272*halved(n, 6)^2 + 9*halved(n, 6))/3"},
    {"power of two above a sum", 2, [](const Shape &S) { return 16 * powerAbove(S[0] + S[1] - 1) + 8 * S[0]; },
     "8*n + 16*pow2ceil(n + m - 1)"},
    {"powers of two above two sums", 3,
     [](const Shape &S) { return 8 * powerAbove(S[0] + 2 * S[2]) * powerAbove(S[1] + 2 * S[2]); },
     "8*pow2ceil(n + 2*k)*pow2ceil(m + 2*k)"},
    {"blocks of a product", 2, [](const Shape &S) { return (4 * S[0] * S[1] + 63) / 64 * 64 + 32; },
     "64*ceil(n*m/16) + 32"},
    {"bits of a product", 2, [](const Shape &S) { return (S[0] * S[1] + 7) / 8; }, "ceil(n*m/8)"},
    {"blocks whose size is a symbol", 2, [](const Shape &S) { return 4 * quotient(S[0] + S[1] - 1, S[1]); },
     "4*ceil(n/m)"},
    {"whole blocks whose size is a symbol", 2, [](const Shape &S) { return 4 * S[0] * quotient(S[0], S[1]) + 8; },
     "4*n*floor(n/m) + 8"},
    {"size of a transform", 2, [](const Shape &S) { return 8 * S[0] * smoothAbove(S[1], 5); }, "8*n*smooth(m, 5)"},
    {"size of a transform of a sum", 2, [](const Shape &S) { return 8 * smoothAbove(S[0] + S[1] - 1, 7); },
     "8*smooth(n + m - 1, 7)"},
    {"levels of a pyramid", 2, [](const Shape &S) { return pyramid(S[0], S[1]); },
     "4*n*m + 4*floor(n/8)*floor(m/8) + 4*floor(n/4)*floor(m/4) + 4*floor(n/2)*floor(m/2)"},
    {"logarithm", 2,
     [](const Shape &S) { return 8 * S[0] * std::int64_t(std::bit_width(static_cast<std::uint64_t>(S[1]))); },
     "8*n*ilog2(m) + 8*n"},
    {"root", 2, [](const Shape &S) { return 8 * S[1] * static_cast<std::int64_t>(std::sqrt(double(S[0]))) + 16; },
     "8*m*isqrt(n) + 16"},
    {"size that is cut", 2, [](const Shape &S) { return 8 * S[0] * std::min<std::int64_t>(S[1], 64); },
     "min(512*n, 8*n*m)"},
    {"lesser of two sizes", 2, [](const Shape &S) { return 8 * S[0] * S[1] + 8 * std::min(S[0], S[1]); },
     "8*n*m + min(8*n, 8*m)"},
    {"buffer that is needed beyond a size", 3,
     [](const Shape &S) {
       const std::int64_t Bytes = 8 * S[1] * S[2];
       return 8 * S[0] * S[2] + (Bytes > 131072 ? Bytes : 0);
     },
     "8*m*k*above(m*k, 16384) + 8*n*k"},
};

} // namespace

TEST(Recovery, LawsOfManyKinds) {
  for (const Law &Each : Laws)
    EXPECT_EQ(formula(Each.Symbols, [&](const Shape &S) { return Outputs{Each.Bytes(S)}; }), Each.Formula) << Each.Of;
}

TEST(Recovery, OnePolynomial) {
  auto F = [](const Shape &S) { return Outputs{48 * S[0] * S[1] * S[2] + 44}; };
  ASSERT_GIVES(Recovered Found, recovered(3, F));
  EXPECT_EQ(Found.Value.str(Names), "48*n*m*k + 44");
  EXPECT_GE(Found.VerifiedShapes, 500u);
  EXPECT_EQ(Found.Valid.str(Names), "1 <= n, m, k <= 2000");
}

TEST(Recovery, SymbolsThatAreHeldFastTakeNoMemory) {
  std::optional<Recovered> Found = recovered(80, [](const Shape &S) { return Outputs{8 * S[0] + 16}; });
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Value.str(std::vector<std::string>(80, "n")), "8*n + 16");
}

TEST(Recovery, GreatestOfTwoPhases) {
  auto F = [](const Shape &S) { return Outputs{std::max(8 * S[0] * S[1] + 16, 4 * S[0] * S[0] + S[1] * S[1])}; };
  ASSERT_GIVES(Recovered Found, recovered(2, F));
  EXPECT_EQ(Found.Value.pieces().size(), 2u);
  EXPECT_EQ(Found.Valid.Ranges[0], (Range{1, 2000}));
}

TEST(Recovery, GreatestOfThreePhases) {
  auto F = [](const Shape &S) {
    return Outputs{std::max({24 * S[0] * S[1], 8 * S[1] * S[2] * 3 + 100, 16 * S[0] * S[2] + 7})};
  };
  ASSERT_GIVES(Recovered Found, recovered(3, F));
  EXPECT_EQ(Found.Value.pieces().size(), 3u);
}

TEST(Recovery, PhasesThatRoundUnlikeEachOther) {
  auto F = [](const Shape &S) { return Outputs{4 * std::max(9 * S[0] * S[1] * S[2], S[3] * (S[1] / 2) * (S[2] / 2))}; };
  ASSERT_GIVES(Recovered Found, recovered(4, F));
  EXPECT_EQ(Found.Value.str(Names), "max(36*n*m*k, 4*p*floor(m/2)*floor(k/2))");
  EXPECT_EQ(Found.Valid.str(Names), "1 <= n, m, k, p <= 2000");
}

TEST(Recovery, CutDomainsHoldInTheirCorners) {
  // The blocks of n into m: a formula in a box that touches the diagonal would be wrong there.
  auto F = [](const Shape &S) { return Outputs{8 * ((S[0] * 31 + S[1]) / S[1]) * S[1]}; };
  std::optional<Recovered> Found = recovered(2, F);
  if (!Found)
    return;
  for (std::int64_t N : {Found->Valid.Ranges[0].Low, Found->Valid.Ranges[0].High})
    for (std::int64_t M : {Found->Valid.Ranges[1].Low, Found->Valid.Ranges[1].High})
      EXPECT_EQ(Found->Value.evaluate({N, M}), Rational(F({N, M})[0])) << N << " " << M;
}

TEST(Recovery, FewPowersOfTwoProveNothing) {
  // Six values of the power, and a polynomial of degree four through five of them.
  RecoveryOptions Options;
  Options.LargestValue = 32;
  auto F = [](const Shape &S) {
    std::int64_t Power = powerAbove(S[0]);
    return Outputs{Power * Power * Power * Power + 3 * Power * Power * Power + 5 * Power * Power + 7 * Power + 1};
  };
  EXPECT_EQ(formula(1, F, Options), "none");
}

TEST(Recovery, SmallShapesOnTheStackCutTheDomain) {
  auto F = [](const Shape &S) { return Outputs{S[0] >= 129 ? 8 * S[0] * S[0] : 0}; };
  ASSERT_GIVES(Recovered Found, recovered(1, F));
  EXPECT_EQ(Found.Value.str(Names), "8*n^2");
  EXPECT_EQ(Found.Valid.Ranges[0], (Range{129, 2000}));
}

TEST(Recovery, TheAnchorDecidesWhichSide) {
  auto F = [](const Shape &S) { return Outputs{S[0] >= 700 ? 8 * S[0] * S[1] : 16 * S[0] * S[1] + 3}; };
  RecoveryOptions Options;
  Options.Anchor = {300, 17};
  ASSERT_GIVES(Recovered Found, recovered(2, F, Options));
  EXPECT_EQ(Found.Value.str(Names), "16*n*m + 3");
  EXPECT_EQ(Found.Valid.str(Names), "1 <= n <= 699; 1 <= m <= 2000");
}

TEST(Recovery, ShapesWithoutAValueCutTheDomain) {
  Recovery R(2,
             [](const Shape &S) -> std::optional<Outputs> {
               if (S[0] < 3 || S[1] < 5)
                 return std::nullopt;
               return Outputs{8 * (S[0] - 2) * (S[1] - 4)};
             },
             {});
  ASSERT_GIVES(Recovered Found, R.recover(0));
  EXPECT_EQ(Found.Valid.str(Names), "3 <= n <= 2000; 5 <= m <= 2000");
}

TEST(Recovery, CurvedBoundariesLeaveABox) {
  // A workspace that is needed only beyond a size on the stack.
  auto F = [](const Shape &S) {
    std::int64_t Tensor = 4 * S[0] * S[1] + 8 * S[0] * S[0];
    return Outputs{Tensor + (4 * S[0] * S[1] > 131072 ? 8 * std::min<std::int64_t>(S[1], 384) * (S[0] / 4 + 3) : 0)};
  };
  RecoveryOptions Options;
  Options.Anchor = {100, 100};
  ASSERT_GIVES(Recovered Found, recovered(2, F, Options));
  EXPECT_EQ(Found.Value.str(Names), "8*n^2 + 4*n*m");
  EXPECT_LE(Found.Valid.Ranges[0].High * Found.Valid.Ranges[1].High, 32768 + 4096);
  EXPECT_GE(Found.VerifiedShapes, 500u);
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
  ASSERT_GIVES(Recovered Found, recovered(2, F, Options));
  EXPECT_EQ(Found.Valid.Ranges[1], (Range{5, 5}));
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
  ASSERT_GIVES(Recovered Peak, R.recover(0));
  std::optional<Recovered> Site = R.recoverWithin(1, Peak), Other = R.recoverWithin(2, Peak);
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

/// What smaller shapes say of output 0 at a shape; the output after it counts what an evaluation takes.
template <class Function>
static std::optional<Recovered> onTheWay(Shape To, std::vector<bool> Held, Function F, std::int64_t Most,
                                         double Span = 16, double Slack = 1.5) {
  RecoveryOptions Options;
  Options.Toward = Way(std::move(To), std::move(Held));
  Options.CostFigure = 1;
  Options.MaxCost = std::chrono::microseconds(1000);
  Options.FreshShapes = 60;
  Options.MayHold = false;
  Options.Budget = std::chrono::seconds(60);
  const std::size_t Symbols = Options.Toward.end().size();
  Recovery R(
      Symbols,
      [&](const Shape &S) -> std::optional<Outputs> {
        const std::int64_t Bytes = F(S);
        return Bytes > Most ? std::nullopt : std::optional(Outputs{Bytes, Bytes / 1000});
      },
      Options);
  R.narrowWay(Span, Slack);
  return R.recover(0);
}

TEST(RecoveryOnTheWay, KeepsTheRatiosOfTheAskedShape) {
  // Room for the output or not: small shapes with large rooms go the other way.
  auto F = [](const Shape &S) { return 4 * S[0] * S[1] + (S[0] <= S[2] ? 32 * S[0] * S[1] : 0); };
  ASSERT_GIVES(Recovered Room, onTheWay({8000, 4000, 16000}, {false, false, false}, F, 200'000'000));
  EXPECT_EQ(Room.Value.str(Names), "36*n*m");
  ASSERT_GIVES(Recovered Full, onTheWay({8000, 4000, 5000}, {false, false, false}, F, 200'000'000));
  EXPECT_EQ(Full.Value.str(Names), "4*n*m");
  // Near one, ratios have to be kept more strictly.
  EXPECT_FALSE(onTheWay({8000, 4000, 9000}, {false, false, false}, F, 200'000'000));
  EXPECT_TRUE(onTheWay({8000, 4000, 9000}, {false, false, false}, F, 200'000'000, 4, 1.1));
}

TEST(RecoveryOnTheWay, HoldsCapacities) {
  auto F = [](const Shape &S) { return 4 * S[0] * S[1] + (S[0] * S[1] <= S[2] ? 32 * S[0] * S[1] : 0); };
  ASSERT_GIVES(Recovered Found, onTheWay({8000, 8000, 400'000'000}, {false, false, true}, F, 200'000'000));
  EXPECT_EQ(Found.Value.str(Names), "36*n*m");
  EXPECT_EQ(Found.Valid.Ranges[2], (Range{400'000'000, 400'000'000}));
}

TEST(RecoveryOnTheWay, HasToHoldAtTheLargestThatRan) {
  // Cheap up to some hundred in each direction, evaluated up to some thousand, where another regime begins.
  auto F = [](const Shape &S) { return 8 * S[0] * S[1] + (S[0] > 2000 ? 4096 : 0); };
  EXPECT_FALSE(onTheWay({100'000, 100'000}, {false, false}, F, 200'000'000));
  EXPECT_TRUE(onTheWay({100'000, 100'000}, {false, false}, F, 30'000'000));
}

TEST(RecoveryOnTheWay, TellsNoLawOfAFewValues) {
  auto F = [](const Shape &S) { return S[0] * S[0] * S[0] * 8; };
  EXPECT_FALSE(onTheWay({100'000}, {false}, F, 8 * 30 * 30 * 30));
}

TEST(RecoveryOnTheWay, SeesRoundings) {
  auto F = [](const Shape &S) { return (S[0] + 7) / 8 * 8 * S[1] * 4; };
  ASSERT_GIVES(Recovered Found, onTheWay({100'000, 50'000}, {false, false}, F, 200'000'000));
  EXPECT_EQ(Found.Value.evaluate({100'001, 50'000}), Rational(std::int64_t(100'008) * 50'000 * 4));
}
