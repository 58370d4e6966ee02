// Steps that differ in bytes and time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/checkpointing/StepChain.h"

#include <gtest/gtest.h>
#include <memshape/checkpoint/revolve.h>

#include <map>
#include <queue>
#include <random>

namespace memshape::checkpointing {
/// Dijkstra over what is current, what is left and what is stored; a stored state leaves when its step is reversed next.
static double leastTime(const std::vector<Step> &Steps, std::int64_t Memory) {
  struct State {
    std::int64_t Current, Left;
    unsigned Held;
    auto operator<=>(const State &) const = default;
  };
  std::map<State, double> Seen;
  std::priority_queue<std::pair<double, State>, std::vector<std::pair<double, State>>, std::greater<>> Queue;
  const auto Reach = [&](State S, double Time) {
    const auto [At, IsNew] = Seen.try_emplace(S, Time);
    if (IsNew || Time < At->second) {
      At->second = Time;
      Queue.push({Time, S});
    }
  };
  Reach({0, std::int64_t(Steps.size()), 0}, 0);
  while (!Queue.empty()) {
    const auto [Time, S] = Queue.top();
    Queue.pop();
    if (S.Left == 0)
      return Time;
    std::int64_t Bytes = 0;
    for (std::size_t I = 0; I != Steps.size(); ++I)
      Bytes += S.Held >> I & 1 ? Steps[I].StateBytes : 0;
    const std::int64_t Last = S.Left - 1;
    if (S.Current >= 0) {
      const Step &Next = Steps[std::size_t(S.Current)];
      if (S.Current == Last && Bytes + Next.BackwardBytes <= Memory)
        Reach({-1, Last, S.Held & ~(1u << Last)}, Time + Next.Forward + Next.Backward);
      if (S.Current < Last && Bytes + Next.ForwardBytes <= Memory)
        Reach({S.Current + 1, S.Left, S.Held}, Time + Next.Forward);
      if (!(S.Held >> S.Current & 1) && Bytes + Next.StateBytes <= Memory)
        Reach({S.Current, S.Left, S.Held | 1u << S.Current}, Time);
    }
    if (S.Held >> Last & 1)
      Reach({S.Current, S.Left, S.Held & ~(1u << Last)}, Time);
    for (std::int64_t Each = 0; Each <= Last; ++Each)
      if (S.Held >> Each & 1)
        Reach({Each, S.Left, S.Held}, Time);
  }
  return -1;
}

static std::vector<Step> randomSteps(std::mt19937 &Random) {
  auto Number = [&](int Least, int Most) { return std::uniform_int_distribution(Least, Most)(Random); };
  std::vector<Step> Steps(std::size_t(Number(1, 8)));
  for (Step &S : Steps)
    S = {Number(0, 9), Number(0, 6), Number(0, 12), double(Number(0, 9)), double(Number(0, 9))};
  return Steps;
}

TEST(StepChain, LeastOfAllPersistentSequences) {
  std::mt19937 Random(11);
  int Solved = 0;
  for (int Trial = 0; Trial != 1000; ++Trial) {
    const std::vector<Step> Steps = randomSteps(Random);
    const std::int64_t Memory = std::uniform_int_distribution(0, 45)(Random);
    const double Expected = leastTime(Steps, Memory);
    StepReversal Into;
    const Outcome How = reverseSteps(Steps, Memory, Into);
    ASSERT_EQ(How == Outcome::Solved, Expected >= 0) << Trial;
    const auto Least = std::int64_t(Into.LeastMemory);
    EXPECT_GE(leastTime(Steps, Least), 0) << Trial;
    EXPECT_EQ(leastTime(Steps, Least - 1), -1) << Trial;
    if (Expected < 0)
      continue;
    ++Solved;
    EXPECT_EQ(Into.cost, Expected) << Trial;
    EXPECT_LE(*Into.peak_bytes, Memory) << Trial;
    EXPECT_TRUE(*Into.optimal);
  }
  EXPECT_GT(Solved, 500);
  EXPECT_LT(Solved, 950);
}

TEST(StepChain, EqualStepsAreThoseOfRevolve) {
  for (std::int64_t Slots = 1; Slots != 6; ++Slots)
    for (std::int64_t Count = 1; Count != 40; ++Count) {
      const std::vector<Step> Steps(std::size_t(Count), Step{1 << 20, 0, 0, 1, 1});
      StepReversal Into;
      ASSERT_EQ(reverseSteps(Steps, Slots << 20, Into), Outcome::Solved);
      EXPECT_EQ(Into.recomputed_steps, checkpoint::least_forward_steps(Count, Slots) - (Count - 1))
          << Count << " " << Slots;
      EXPECT_LE(*Into.peak_bytes, Slots << 20);
    }
}

TEST(StepChain, LargeSizesWithoutADivisorStayWithin) {
  std::mt19937_64 Random(3);
  std::vector<Step> Steps(60);
  for (Step &S : Steps)
    S = {std::int64_t(Random() >> 34) | 1, std::int64_t(Random() >> 36), std::int64_t(Random() >> 35), 1, 2};
  StepReversal Into;
  const std::int64_t Memory = std::int64_t(6) << 30;
  ASSERT_EQ(reverseSteps(Steps, Memory, Into), Outcome::Solved);
  EXPECT_FALSE(*Into.optimal);
  EXPECT_LE(*Into.peak_bytes, Memory);
  EXPECT_GT(*Into.peak_bytes, Memory / 2);
  // The least memory does, though sizes are rounded, and a byte less does not.
  const auto Least = std::int64_t(Into.LeastMemory);
  ASSERT_EQ(reverseSteps(Steps, Least, Into), Outcome::Solved);
  EXPECT_EQ(*Into.peak_bytes, Least);
  EXPECT_FALSE(*Into.optimal);
  ASSERT_EQ(reverseSteps(Steps, Least - 1, Into), Outcome::NoSlot);
  EXPECT_EQ(Into.LeastMemory, std::uint64_t(Least));
  EXPECT_EQ(reverseSteps(std::vector<Step>(3000), 1, Into), Outcome::TooLarge);
  EXPECT_EQ(reverseSteps({{INT64_MAX, INT64_MAX, INT64_MAX, 1, 1}}, INT64_MAX - 1, Into), Outcome::NoSlot);
  EXPECT_EQ(Into.LeastMemory, std::uint64_t(INT64_MAX));
  constexpr std::int64_t Odd = (std::int64_t(1) << 60) + 1; // more than a double tells apart
  ASSERT_EQ(reverseSteps({{0, 0, Odd, 1, 1}}, INT64_MAX, Into), Outcome::Solved);
  EXPECT_EQ(*Into.peak_bytes, Odd);
  EXPECT_EQ(reverseSteps(std::vector<Step>(5, {INT64_MAX, INT64_MAX, INT64_MAX, 1, 1}), INT64_MAX, Into),
            Outcome::NoSlot);
  EXPECT_EQ(Into.LeastMemory, 2 * std::uint64_t(INT64_MAX));
}
} // namespace memshape::checkpointing
