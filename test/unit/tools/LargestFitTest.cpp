// The greatest value that fits, with all smaller ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/solve/LargestFit.h"

#include "Gives.h"
#include <gtest/gtest.h>

using namespace memshape;

namespace {

constexpr std::int64_t Most = 100'000;

/// A question about a function of the value.
struct Asked : FitQuestion {
  explicit Asked(std::function<std::uint64_t(std::int64_t)> Bytes, std::uint64_t Memory) {
    Values = {1, Most};
    MemoryBytes = Memory;
    Ask = [=, this](std::int64_t Value) -> v1::Expected<std::uint64_t> {
      ++Predictions;
      return Bytes(Value);
    };
  }
  int Predictions = 0;
};

/// 8*n, or 4*n where n is even.
std::uint64_t odd(std::int64_t Value) { return static_cast<std::uint64_t>(Value % 2 ? 8 * Value : 4 * Value); }

} // namespace

TEST(LargestFit, FindsTheLastOfGrowingBytes) {
  Asked Of([](std::int64_t Value) { return static_cast<std::uint64_t>(8 * Value); }, 8005);
  ASSERT_GIVES(const Fit Found, largestFit(Of));
  EXPECT_EQ(Found.Largest, 1000);
  EXPECT_EQ(Found.Bytes, 8000u);
  EXPECT_EQ(Found.Next, std::pair(std::int64_t(1001), std::uint64_t(8008)));
  EXPECT_FALSE(Found.Proven);
  EXPECT_LT(Of.Predictions, 80);
}

TEST(LargestFit, ProvesWhatItHasTriedValueByValue) {
  Asked Of([](std::int64_t Value) { return static_cast<std::uint64_t>(8 * Value); }, 200);
  ASSERT_GIVES(const Fit Found, largestFit(Of));
  EXPECT_EQ(Found.Largest, 25);
  EXPECT_TRUE(Found.Proven);
}

TEST(LargestFit, StopsAtTheFirstThatDoesNotFit) {
  Asked Of(odd, 4000);
  Of.AskMany = [](std::span<const std::int64_t> Values) {
    std::vector<std::uint64_t> Bytes;
    for (std::int64_t Value : Values)
      Bytes.push_back(odd(Value));
    return Bytes;
  };
  ASSERT_GIVES(const Fit Found, largestFit(Of));
  EXPECT_EQ(Found.Largest, 500);
  EXPECT_EQ(Found.Next, std::pair(std::int64_t(501), std::uint64_t(4008)));
  EXPECT_EQ(Found.Again, 502);
  EXPECT_TRUE(Found.Proven);
}

TEST(LargestFit, DoesNotTrustQuickAnswersThatDiffer) {
  Asked Of([](std::int64_t Value) { return static_cast<std::uint64_t>(8 * Value); }, 8000);
  Of.AskMany = [](std::span<const std::int64_t> Values) { return std::vector<std::uint64_t>(Values.size(), 1); };
  ASSERT_GIVES(const Fit Found, largestFit(Of));
  EXPECT_EQ(Found.Largest, 1000);
  EXPECT_FALSE(Found.Proven);
}

TEST(LargestFit, ProvesByAFormula) {
  const Formula Law({{rounding::None(), 0}}, {Polynomial::variable(1, 0).scaled(8)});
  Asked Of([](std::int64_t Value) { return static_cast<std::uint64_t>(8 * Value); }, 400'000);
  Of.Law = &Law;
  Of.At = {1};
  ASSERT_GIVES(const Fit Found, largestFit(Of));
  EXPECT_EQ(Found.Largest, 50'000);
  EXPECT_TRUE(Found.Proven);
}

TEST(LargestFit, LeavesAFormulaThatDiffers) {
  const Formula Law({{rounding::None(), 0}}, {Polynomial::variable(1, 0).scaled(8)});
  Asked Of([](std::int64_t Value) { return static_cast<std::uint64_t>(Value > 30'000 ? 16 * Value : 8 * Value); },
           400'000);
  Of.Law = &Law;
  Of.At = {1};
  ASSERT_GIVES(const Fit Found, largestFit(Of));
  EXPECT_EQ(Found.Largest, 30'000);
  EXPECT_FALSE(Found.Proven);
}

TEST(LargestFit, BeginsAtTheLeastThatIsAllowed) {
  Asked Of({}, 8000);
  Of.Ask = [](std::int64_t Value) -> v1::Expected<std::uint64_t> {
    if (Value < 23)
      return v1::Error{v1::ErrorCode::no_answer, "it throws"};
    return static_cast<std::uint64_t>(100 * Value);
  };
  ASSERT_GIVES(const Fit Found, largestFit(Of));
  EXPECT_EQ(Found.Least, 23);
  EXPECT_EQ(Found.Largest, 80);
}

TEST(LargestFit, SaysWhatTheLeastTakesWhereNothingFits) {
  Asked Of([](std::int64_t Value) { return static_cast<std::uint64_t>(8 * Value + 1000); }, 100);
  ASSERT_GIVES(const Fit Found, largestFit(Of));
  EXPECT_EQ(Found.Largest, std::nullopt);
  EXPECT_EQ(Found.Next, std::pair(std::int64_t(1), std::uint64_t(1008)));
}

TEST(LargestFit, HasNoNextWhereAllFit) {
  Asked Of([](std::int64_t) { return std::uint64_t(7); }, 100);
  ASSERT_GIVES(const Fit Found, largestFit(Of));
  EXPECT_EQ(Found.Largest, Most);
  EXPECT_EQ(Found.Next, std::nullopt);
}
