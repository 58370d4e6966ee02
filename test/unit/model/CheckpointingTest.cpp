// Reversals of chains.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/checkpointing/Reversal.h"

#include <gtest/gtest.h>
#include <memshape/checkpoint/levels.h>
#include <memshape/checkpoint/revolve.h>

#include <bit>
#include <map>
#include <queue>
#include <random>

namespace memshape::checkpointing {
namespace {

/// Dijkstra over all states: what is current, what is left, and the sets of states and of tapes in each level as bits.
class AllSequences {
public:
  explicit AllSequences(const Chain &C) : Of(C) {}

  double least() {
    reach({0, Of.steps, std::vector<unsigned>(Of.levels.size()), std::vector<unsigned>(Of.levels.size())}, 0);
    while (!Queue.empty()) {
      const auto [Cost, S] = Queue.top();
      Queue.pop();
      if (Cost > Seen[S])
        continue;
      if (S.Left == 0)
        return Cost;
      follow(S, Cost);
    }
    return -1;
  }

private:
  struct State {
    std::int64_t Current, Left; ///< -1: none is current
    std::vector<unsigned> Held, Tapes;
    auto operator<=>(const State &) const = default;
  };
  struct Entry {
    double Cost;
    State S;
    bool operator<(const Entry &Other) const { return Cost > Other.Cost; }
  };

  void reach(State S, double Cost) {
    const auto [At, IsNew] = Seen.try_emplace(S, Cost);
    if (!IsNew && At->second <= Cost)
      return;
    At->second = Cost;
    Queue.push({Cost, std::move(S)});
  }

  void follow(const State &S, double Cost) {
    if (S.Current == S.Left - 1)
      reach(reversed(S), Cost + Of.forward + Of.backward);
    if (S.Current >= 0 && S.Current + 1 < S.Left)
      reach({S.Current + 1, S.Left, S.Held, S.Tapes}, Cost + Of.forward);
    for (std::size_t At = 0; At != Of.levels.size(); ++At) {
      const Level &L = Of.levels[At];
      const std::int64_t Free =
          L.slots - std::popcount(S.Held[At]) * Of.state_slots - std::popcount(S.Tapes[At]) * Of.tape_slots;
      if (S.Current >= 0 && Free >= Of.state_slots && !(S.Held[At] >> S.Current & 1)) {
        State Next = S;
        Next.Held[At] |= 1u << S.Current;
        reach(std::move(Next), Cost + L.write);
      }
      if (Of.tape_slots > 0)
        followTapes(S, Cost, At, Free);
      for (std::int64_t Each = 0; Each < S.Left; ++Each)
        if (S.Held[At] >> Each & 1) {
          reach({Each, S.Left, S.Held, S.Tapes}, Cost + L.read);
          State Next = S;
          Next.Held[At] &= ~(1u << Each);
          reach(std::move(Next), Cost);
        }
    }
  }

  /// A step is run with a tape, reversed by its tape, or its tape is thrown away.
  void followTapes(const State &S, double Cost, std::size_t At, std::int64_t Free) {
    const double Ratio = double(Of.tape_slots) / double(Of.state_slots);
    if (S.Current >= 0 && S.Current < S.Left && Free >= Of.tape_slots && !(S.Tapes[At] >> S.Current & 1)) {
      State Next = S;
      Next.Tapes[At] |= 1u << S.Current;
      ++Next.Current;
      reach(std::move(Next), Cost + Of.forward + Of.levels[At].write * Ratio);
    }
    if (S.Tapes[At] >> (S.Left - 1) & 1)
      reach(reversed(S), Cost + Of.backward + Of.levels[At].read * Ratio);
    for (std::int64_t Each = 0; Each < S.Left; ++Each)
      if (S.Tapes[At] >> Each & 1) {
        State Next = S;
        Next.Tapes[At] &= ~(1u << Each);
        reach(std::move(Next), Cost);
      }
  }

  static State reversed(const State &S) {
    State Next = {-1, S.Left - 1, S.Held, S.Tapes};
    for (auto *Sets : {&Next.Held, &Next.Tapes})
      for (unsigned &Level : *Sets)
        Level &= (1u << Next.Left) - 1;
    return Next;
  }

  const Chain &Of;
  std::map<State, double> Seen;
  std::priority_queue<Entry> Queue;
};

Chain randomChain(std::mt19937 &Random) {
  auto Number = [&](int Least, int Most) { return std::uniform_int_distribution(Least, Most)(Random); };
  constexpr double Costs[] = {0, 0, 1, 2, 3, 5, 9, 20};
  Chain C;
  const int Levels = Number(1, 3);
  C.steps = Number(1, Levels == 3 ? 5 : 7);
  for (int I = 0; I != Levels; ++I)
    C.levels.push_back({"", Number(I == 0 ? 1 : 0, 2), Costs[Number(0, 7)], Costs[Number(0, 7)]});
  C.forward = Number(0, 4);
  return C;
}

TEST(Checkpointing, LeastOfAllSequences) {
  std::mt19937 Random(7);
  for (int Trial = 0; Trial != 300; ++Trial) {
    const Chain C = randomChain(Random);
    Reversal Found;
    ASSERT_EQ(reverse(C, Found), Outcome::Solved);
    EXPECT_EQ(Found.cost, AllSequences(C).least()) << Trial;
    Execution Run(C);
    for (const Action &A : Found.actions)
      ASSERT_TRUE(Run.run(A)) << Trial;
    EXPECT_TRUE(Run.isDone());
    EXPECT_EQ(Run.cost(), Found.cost);
  }
}

/// Of half of them, the second level costs less than the first.
TEST(Checkpointing, LeastOfAllSequencesOnTwoLevels) {
  std::mt19937 Random(8);
  auto Number = [&](int Least, int Most) { return double(std::uniform_int_distribution(Least, Most)(Random)); };
  for (int Trial = 0; Trial != 500; ++Trial) {
    const double Write = Number(0, 9), Read = Number(0, 9);
    Level Near = {"near", std::int64_t(Number(1, 2)), Write, Read},
          Far = {"far", std::int64_t(Number(1, 3)), Write + Number(1, 9), Read + Number(1, 9)};
    const Chain C = {std::int64_t(Number(2, 6)), Trial % 2 ? std::vector{Far, Near} : std::vector{Near, Far},
                     Number(0, 4), 1};
    Reversal Found;
    ASSERT_EQ(reverse(C, Found), Outcome::Solved);
    EXPECT_EQ(Found.cost, AllSequences(C).least()) << Trial;
  }
}

void checkLeast(const Chain &C) {
  Reversal Found;
  const double Least = AllSequences(C).least();
  ASSERT_EQ(reverse(C, Found), Least < 0 ? Outcome::NoSlot : Outcome::Solved);
  if (Least < 0)
    return;
  EXPECT_DOUBLE_EQ(Found.cost, Least);
  Execution Run(C);
  for (const Action &A : Found.actions)
    ASSERT_TRUE(Run.run(A));
  EXPECT_TRUE(Run.isDone());
  EXPECT_EQ(Run.peakTapes(), Found.peak_tapes.value_or(0));
}

TEST(Checkpointing, LeastOfAllSequencesWithTapes) {
  std::mt19937 Random(9);
  auto Number = [&](int Least, int Most) { return std::uniform_int_distribution(Least, Most)(Random); };
  for (int Trial = 0; Trial != 200; ++Trial) {
    Chain C = randomChain(Random);
    C.steps = std::min<std::int64_t>(C.steps, 8 - 2 * std::int64_t(C.levels.size()));
    C.state_slots = Number(1, 3);
    C.tape_slots = Number(1, 4);
    for (Level &Each : C.levels)
      Each.slots = Number(0, C.levels.size() == 1 ? 8 : 3);
    SCOPED_TRACE(Trial);
    checkLeast(C);
  }
  for (std::int64_t Tape = 1; Tape <= 2; ++Tape) {
    Chain Long = {12, {{"ram", 2, 0, 0}}, 1, 1};
    Long.tape_slots = Tape;
    checkLeast(Long);
  }
}

/// Maddison (2023): p(n, s) = min(1 + p(n - 1, s - 1), min over m of m + p(m, s) + p(n - m, s - 1)) runs of steps.
TEST(Checkpointing, TapesOfTheSizeOfStatesFollowTheMixedRecurrence) {
  constexpr std::int64_t MostSteps = 120, MostSlots = 12;
  std::vector<std::vector<std::int64_t>> Runs(MostSlots + 1, std::vector<std::int64_t>(MostSteps + 1, 0));
  for (std::int64_t Slots = 1; Slots <= MostSlots; ++Slots)
    for (std::int64_t Steps = 1; Steps <= MostSteps; ++Steps) {
      std::int64_t Least = Steps * (Steps + 1) / 2 - (Steps > 1 ? 1 : 0);
      if (Slots > 1 && Steps > 1)
        Least = 1 + Runs[std::size_t(Slots - 1)][std::size_t(Steps - 1)];
      for (std::int64_t Cut = 2; Slots > 1 && Cut < Steps; ++Cut)
        Least = std::min(Least, Cut + Runs[std::size_t(Slots)][std::size_t(Cut)] +
                                    Runs[std::size_t(Slots - 1)][std::size_t(Steps - Cut)]);
      Runs[std::size_t(Slots)][std::size_t(Steps)] = Least;
      Chain C = {Steps, {{"ram", Slots, 0, 0}}, 1, 0};
      C.tape_slots = 1;
      Reversal Found;
      ASSERT_EQ(reverse(C, Found), Outcome::Solved);
      ASSERT_EQ(Found.cost, double(Least)) << Steps << " " << Slots;
      EXPECT_EQ(Found.recomputed_steps, Least - Steps);
    }
}

TEST(Checkpointing, BytesBecomeSlots) {
  Chain C = {100, {}, 1, 1};
  C.memory_bytes = 1000, C.state_bytes = 40, C.tape_bytes = 60;
  ChainInUnits Found = inUnits(C);
  EXPECT_TRUE(Found.IsExact);
  EXPECT_EQ(Found.Of.levels[0].slots, 50);
  EXPECT_TRUE(Found.Of.state_slots == 2 && Found.Of.tape_slots == 3);
  // Rounded up, and what fits alone still does.
  C.memory_bytes = 1'000'000'007, C.state_bytes = 1'000'000'007, C.tape_bytes = 13'000'001;
  Found = inUnits(C);
  EXPECT_FALSE(Found.IsExact);
  EXPECT_EQ(Found.Of.state_slots, Found.Of.levels[0].slots);
  EXPECT_LE(Found.Of.levels[0].slots, 2000);
  C.state_bytes = UINT64_MAX, C.tape_bytes = 1'000'000'007; // a tape fits, a state does not
  Found = inUnits(C);
  EXPECT_GT(Found.Of.state_slots, Found.Of.levels[0].slots);
  EXPECT_EQ(Found.Of.tape_slots, Found.Of.levels[0].slots);
}

/// t(L, C) = min over m of m + t(L - m, C - 1) + t(m, C).
TEST(Checkpointing, RevolveIsItsRecurrence) {
  constexpr std::int64_t MostSteps = 300, MostSlots = 12;
  std::vector<std::vector<std::int64_t>> Least(MostSlots + 1, std::vector<std::int64_t>(MostSteps + 1, 0));
  for (std::int64_t Slots = 1; Slots <= MostSlots; ++Slots)
    for (std::int64_t Steps = 1; Steps <= MostSteps; ++Steps) {
      std::int64_t Best = Steps * (Steps - 1) / 2;
      for (std::int64_t Cut = 1; Slots > 1 && Cut < Steps; ++Cut)
        Best = std::min(Best, Cut + Least[std::size_t(Slots - 1)][std::size_t(Steps - Cut)] +
                                  Least[std::size_t(Slots)][std::size_t(Cut)]);
      Least[std::size_t(Slots)][std::size_t(Steps)] = Best;
      EXPECT_EQ(checkpoint::least_forward_steps(Steps, Slots), Best) << Steps << " " << Slots;
    }
}

TEST(Checkpointing, RevolveIsTheTableOfOneFreeLevel) {
  for (std::int64_t Slots = 1; Slots != 8; ++Slots)
    for (std::int64_t Steps = 1; Steps != 60; ++Steps) {
      Chain C{Steps, {{"ram", Slots, 0, 0}}, 1, 0};
      Reversal Found;
      ASSERT_EQ(reverse(C, Found), Outcome::Solved);
      EXPECT_EQ(Found.cost, double(Steps) + checkpoint::Levels(Steps, {{Slots, 0, 0}}).cost()) << Steps << " " << Slots;
      EXPECT_EQ(Found.recomputed_steps, checkpoint::least_forward_steps(Steps, Slots) - (Steps - 1))
          << Steps << " " << Slots;
      EXPECT_LE(Found.peak_slots, Slots);
    }
}

/// The recurrence, over lengths, free slots, and the level of the initial state: what Levels costs, which leaves out the
/// steps within reversals.
double leastByRecurrence(const Chain &C) {
  const std::size_t Levels = C.levels.size(), Steps = std::size_t(C.steps);
  std::vector<std::size_t> Stride(Levels, 0);
  std::size_t Combinations = 1, Full = 0;
  for (std::size_t At = 0; At != Levels; ++At)
    if (C.levels[At].slots < C.steps) {
      Stride[At] = Combinations;
      Full += Combinations * std::size_t(C.levels[At].slots);
      Combinations *= std::size_t(C.levels[At].slots) + 1;
    }
  constexpr double Never = std::numeric_limits<double>::infinity();
  const std::vector<double> Row(Steps + 1, Never);
  std::vector<std::vector<double>> Open(Combinations, Row), Kept(Combinations * Levels, Row), Front = Kept;
  const auto Left = [&](std::size_t Free, std::size_t At) { return Free / Stride[At] % (C.levels[At].slots + 1); };
  for (std::size_t N = 1; N <= Steps; ++N) {
    for (std::size_t Free = 0; Free != Combinations; ++Free)
      for (std::size_t At = 0; At != Levels; ++At)
        if (double &Cost = Kept[Free * Levels + At][N];
            !Stride[At] || Left(Free, At) != std::size_t(C.levels[At].slots)) {
          for (std::size_t Cut = 1; Cut < N; ++Cut)
            Cost = std::min(Cost, Front[Free * Levels + At][Cut] + Open[Free][N - Cut]);
          Cost = N == 1 ? 0 : C.levels[At].read + Cost;
        }
    for (std::size_t Free = 0; Free != Combinations; ++Free) {
      if (N == 1)
        Open[Free][N] = 0;
      for (std::size_t At = 0; At != Levels && N > 1; ++At)
        if (!Stride[At] || Left(Free, At) != 0)
          Open[Free][N] = std::min(Open[Free][N], C.levels[At].write + Kept[(Free - Stride[At]) * Levels + At][N]);
    }
    for (std::size_t Free = 0; Free != Combinations; ++Free)
      for (std::size_t At = 0; At != Levels; ++At)
        if (!Stride[At] || Left(Free, At) != std::size_t(C.levels[At].slots))
          Front[Free * Levels + At][N] =
              double(N) * C.forward + std::min(Kept[Free * Levels + At][N], Open[Free + Stride[At]][N]);
  }
  return Open[Full][Steps];
}

/// Lengths that are filled together take their sums in another order: they are the same to the last bit.
TEST(Checkpointing, LongChainsCostWhatTheirRecurrenceSays) {
  std::mt19937 Random(9);
  auto Number = [&](int Least, int Most) { return std::uniform_int_distribution(Least, Most)(Random); };
  auto Cost = [&] {
    const double Scale[] = {0, 1, 1, 0.1, 1.0 / 3, 1e-3, 1e6};
    return Number(0, 9) * Scale[Number(0, 6)];
  };
  for (int Trial = 0; Trial != 40; ++Trial) {
    Chain C = {Number(250, 420), {}, Cost(), Cost()};
    for (int I = Number(1, 3); I != 0; --I)
      C.levels.push_back({"", Number(0, 6) ? Number(C.levels.empty(), 3) : 1000, Cost(), Cost()});
    std::vector<checkpoint::Level> Levels;
    for (const Level &Each : C.levels)
      Levels.push_back({Each.slots, Each.write, Each.read});
    const double Least = leastByRecurrence(C), Reversals = double(C.steps) * (C.forward + C.backward);
    EXPECT_EQ(checkpoint::Levels(C.steps, Levels, C.forward).cost(), Least) << Trial;
    Reversal Found;
    ASSERT_EQ(reverse(C, Found), Outcome::Solved);
    EXPECT_NEAR(Found.cost, Least + Reversals, 1e-9 * (Least + Reversals)) << Trial;
  }
}

TEST(Checkpointing, SixStepsInTwoSlots) {
  Reversal Found;
  ASSERT_EQ(reverse({6, {{"ram", 2, 0, 0}}, 1, 1}, Found), Outcome::Solved);
  const std::vector<Action> Begin = {{Do::store, 0, 0, 0},   {Do::forward, 0, 3, 0},  {Do::store, 3, 0, 0},
                                     {Do::forward, 3, 5, 0}, {Do::backward, 5, 0, 0}, {Do::restore, 3, 0, 0}};
  EXPECT_EQ(std::vector(Found.actions.begin(), Found.actions.begin() + 6), Begin);
  EXPECT_EQ(Found.recomputed_steps, 3);
  EXPECT_EQ(Found.cost, 8 + 6 + 6);
  EXPECT_EQ(Found.peak_slots, 2);
}

/// The published recurrence for levels takes the first level first; the second costs nothing here.
TEST(Checkpointing, ALaterLevelMayBeCheaper) {
  Reversal Found;
  ASSERT_EQ(reverse({3, {{"ram", 2, 1, 1}, {"other", 2, 0, 0}}, 2, 1}, Found), Outcome::Solved);
  EXPECT_EQ(Found.cost, 2 * 2 + 3 * (2 + 1));
  for (const Action &A : Found.actions)
    EXPECT_TRUE(A.kind == Do::forward || A.kind == Do::backward || A.level == 1);
}

/// The table of these would be too large.
TEST(Checkpointing, LevelsThatAreNeverBestCostNoTime) {
  Reversal Found;
  const Level Free = {"ram", 1'000'000, 0, 0}, Slow = {"disk", 5, 1, 1};
  for (const auto &Levels : {std::vector{Free, Slow}, std::vector{Slow, Free}, std::vector{Free, Slow, Free}}) {
    ASSERT_EQ(reverse({1'000'000, Levels, 1, 1}, Found), Outcome::Solved);
    EXPECT_EQ(Found.recomputed_steps, 0);
    EXPECT_EQ(Found.cost, 999'999 + 2e6);
    EXPECT_EQ(Found.actions.front().level, Levels.front().slots == 5 ? 1 : 0);
  }
}

TEST(Checkpointing, AMillionSteps) {
  Reversal Found;
  ASSERT_EQ(reverse({1'000'000, {{"ram", 20, 0, 0}}, 1, 1}, Found), Outcome::Solved);
  EXPECT_EQ(Found.recomputed_steps, checkpoint::least_forward_steps(1'000'000, 20) - 999'999);
  EXPECT_EQ(Found.peak_slots, 20);
}

TEST(Checkpointing, WithoutASlotOneStepAlone) {
  Reversal Found;
  EXPECT_EQ(reverse({1, {}, 1, 1}, Found), Outcome::Solved);
  EXPECT_EQ(Found.actions, (std::vector<Action>{{Do::backward, 0, 0, 0}}));
  EXPECT_EQ(reverse({2, {{"ram", 0, 0, 0}}, 1, 1}, Found), Outcome::NoSlot);
  const Chain ManyLevels = {10, std::vector<Level>(7, {"", 7, 1, 1}), 1, 1};
  EXPECT_EQ(reverse(ManyLevels, Found), Outcome::TooLarge);
  EXPECT_EQ(reverse({100'000, {{"ram", 50, 1, 0}, {"disk", 50, 2, 0}}, 1, 1}, Found), Outcome::TooLarge);
}

} // namespace
} // namespace memshape::checkpointing
