// Tasks that allocate besides their executors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Replacement.h"
#include "Simulation.h"
#include "Stores.h"
#include "TemporaryFolder.h"

#include <memshape/out_of_core.h>

#include <atomic>
#include <gmock/gmock.h>
#include <latch>
#include <thread>

using namespace memshape::out_of_core;

namespace {

constexpr std::uint64_t Page = 4096, Numbers = Page / sizeof(std::uint64_t); // a block of a page

bool nothing(ExecutorId) { return false; }

/// The uses that give back, and the executors that leave, when Which is used within Budget.
using Left = std::pair<std::vector<std::uint64_t>, std::vector<ExecutorId>>;
Left use(Replacement &Of, std::vector<ExecutorId> Which, std::uint64_t Budget, std::uint64_t Besides) {
  Replacement::Change Made = Of.use(Which, false, Budget, nothing, Besides);
  EXPECT_LE(Of.residentBytes() + Of.reservedBytes(), Budget);
  return {Made.Over, Made.Out};
}

Replacement ofTens(std::size_t Together, int Count = 6) {
  Replacement Made(Policy::lru, 0, Together);
  for (int Each = 0; Each < Count; ++Each)
    Made.add(10);
  return Made;
}

TEST(Reservations, WhatOlderTasksReservedIsGivenBackBeforeAnyExecutorLeaves) {
  Replacement Tested = ofTens(1);
  EXPECT_EQ(use(Tested, {0}, 50, 20), Left());
  EXPECT_EQ(use(Tested, {1}, 50, 20), Left({1}, {}));
  EXPECT_EQ(use(Tested, {2}, 50, 20), Left({2}, {}));
  EXPECT_EQ(use(Tested, {3}, 50, 20), Left({3}, {0}));
}

TEST(Reservations, TasksThatRunTogetherKeepTheirsAndTheirExecutors) {
  Replacement Tested = ofTens(2);
  EXPECT_EQ(use(Tested, {0}, 60, 10), Left());
  EXPECT_EQ(use(Tested, {1}, 60, 10), Left());
  EXPECT_EQ(use(Tested, {2}, 60, 10), Left()); // 3 executors, 3 reservations
  EXPECT_EQ(use(Tested, {3}, 60, 10), Left({1, 2}, {}));
  EXPECT_EQ(use(Tested, {4}, 60, 10), Left({3}, {0}));
}

TEST(Reservations, WhereTwoDoNotFitTogetherTheEarlierGivesBack) {
  Replacement Tested = ofTens(2);
  EXPECT_EQ(use(Tested, {0}, 60, 30), Left());
  EXPECT_EQ(use(Tested, {1}, 60, 30), Left({1}, {}));
  EXPECT_EQ(use(Tested, {2}, 60, 30), Left({2}, {}));
  EXPECT_EQ(use(Tested, {3}, 60, 30), Left({3}, {0}));
}

TEST(Reservations, WhenATaskHasEndedIsToldChangesNoChoice) {
  for (unsigned Seed = 0; Seed < 50; ++Seed) {
    std::mt19937 Random(Seed);
    Replacement Told = ofTens(3), Untold = ofTens(3);
    for (std::uint64_t Use = 1; Use <= 100; ++Use) {
      const std::vector<ExecutorId> Which = {static_cast<ExecutorId>(Random() % 6)};
      const std::uint64_t Besides = Random() % 40;
      EXPECT_EQ(use(Told, Which, 65, Besides).second, use(Untold, Which, 65, Besides).second);
      for (std::uint64_t Ended = Use - Random() % std::min<std::uint64_t>(Use, 5); Ended <= Use; ++Ended)
        Told.end(Ended);
    }
    EXPECT_EQ(Told.residents(), Untold.residents());
  }
}

class OutOfCoreReservations : public testing::Test {
protected:
  Options options(std::uint64_t Pages, unsigned Threads, Policy How = Policy::next_use) const {
    return {.budget_bytes = Pages * Page, .folder = Folder.Path, .policy = How, .threads = Threads};
  }

  TemporaryFolder Folder;
};

TEST_F(OutOfCoreReservations, OneThreadReadsWhatABudgetWithoutTheReservationReads) {
  for (const Policy How : {Policy::next_use, Policy::lru})
    for (const std::uint64_t Besides : {1, 3, 7}) {
      const AccessOrder Order = randomBatches(20, 12, 10, 7);
      Store Tested(options(8, 1, How));
      Blocks All;
      for (std::uint32_t Each = 0; Each < 20; ++Each)
        All.push_back(Tested.add<std::uint64_t[]>(Numbers));
      for (const auto &Each : All)
        Tested.submit([](std::span<std::uint64_t>) {}, reserve(Besides * Page), update(Each));
      for (const std::uint32_t Each : Order)
        Tested.submit([](std::span<const std::uint64_t>) {}, reserve(Besides * Page), read(All[Each]));
      const std::uint64_t Least =
          How == Policy::lru ? lruReads(20, Order, 8 - Besides) : leastReads(20, Order, 8 - Besides);
      EXPECT_EQ(Tested.forecast(8 * Page).reads, Least);
      EXPECT_EQ(Tested.forecast((20 + Besides) * Page).reads, 0u);
      EXPECT_GT(Tested.forecast((19 + Besides) * Page).reads, 0u);
      Tested.run();
      EXPECT_EQ(Tested.statistics().reads, Least);
      EXPECT_EQ(Tested.statistics().peak_bytes, 8 * Page);
    }
}

TEST_F(OutOfCoreReservations, ReadsAndWritesAreThoseOfTheForecastWhateverTheThreadsDo) {
  for (const Policy How : {Policy::next_use, Policy::lru})
    for (const unsigned Threads : {1, 2, 5})
      for (unsigned Run = 0; Run < 3; ++Run) {
        std::mt19937 Random(3), Time(Run);
        Store Tested(options(12, Threads, How));
        const Blocks All = filled(Tested, 20, Numbers);
        Tested.run();
        std::atomic<std::uint64_t> Running = 0, Most = 0, Wrong = 0;
        for (const std::uint32_t Each : randomBatches(20, 10, 15, 4)) {
          const std::uint64_t Besides = Random() % 7 * Page + Random() % 100, Turns = Time() % 50;
          const auto Work = [&, Each, Besides, Turns](auto Block) {
            const std::uint64_t Now = Running += Besides;
            for (std::uint64_t Seen = Most; Seen < Now && !Most.compare_exchange_weak(Seen, Now);) {
            }
            Wrong += Block[1] != Each;
            for (std::uint64_t Turn = 0; Turn < Turns; ++Turn)
              std::this_thread::yield();
            Running -= Besides;
          };
          if (Each % 3 == 0)
            Tested.submit([Work](std::span<std::uint64_t> Block) { Work(Block); }, reserve(Besides), update(All[Each]));
          else
            Tested.submit([Work](std::span<const std::uint64_t> Block) { Work(Block); }, reserve(Besides),
                          read(All[Each]));
        }
        const Statistics Before = Tested.statistics();
        const Forecast Said = Tested.forecast(12 * Page);
        Tested.run();
        const Statistics After = Tested.statistics();
        EXPECT_EQ(Wrong, 0u);
        EXPECT_LE(Most, 11 * Page); // and a block, which several may read at once
        EXPECT_LE(After.peak_bytes, 12 * Page);
        EXPECT_EQ(Said.reads, After.reads - Before.reads);
        EXPECT_EQ(Said.writes, After.writes - Before.writes);
        EXPECT_EQ(After.resident_bytes, After.resident * Page); // all has been given back
      }
}

TEST_F(OutOfCoreReservations, TasksThatFitTogetherRunTogether) {
  Store Tested(options(10, 2));
  const Blocks All = filled(Tested, 10, Numbers);
  std::latch Both(2);
  for (int Each = 0; Each < 2; ++Each)
    Tested.submit([&](std::span<const std::uint64_t>) { Both.arrive_and_wait(); }, reserve(4 * Page), read(All[Each]));
  Tested.run(); // would not end if one waited for the other
  EXPECT_EQ(Tested.statistics().peak_bytes, 10 * Page);
  EXPECT_THAT(Tested.resident().size(), 2u);
}

TEST_F(OutOfCoreReservations, WhatCanNeverFitIsRefused) {
  Store Tested(options(4, 1));
  const Blocks All = filled(Tested, 2, Numbers);
  const auto Nothing = [](auto...) {};
  const auto Code = [&](auto... Of) {
    try {
      Tested.submit(Nothing, Of...);
    } catch (const Error &Thrown) {
      EXPECT_EQ(std::string(Thrown.what()).find('\n'), std::string::npos);
      return std::optional(Thrown.code());
    }
    return std::optional<ErrorCode>();
  };
  EXPECT_EQ(Code(reserve(3 * Page + 1), read(All[0])), ErrorCode::too_large);
  EXPECT_EQ(Code(reserve(4 * Page + 1)), ErrorCode::too_large);
  EXPECT_EQ(Code(reserve(unlimited), read(All[0])), ErrorCode::too_large);
  EXPECT_EQ(Code(reserve(3 * Page), read(All[0])), std::nullopt);
  EXPECT_EQ(Code(reserve(0), read(All[0]), update(All[1])), std::nullopt);
  EXPECT_THROW((void)Tested.forecast(4 * Page - 1), Error);
  Tested.run();
}

TEST_F(OutOfCoreReservations, WhatIsReservedIsGivenBackAfterAnError) {
  Store Tested(options(6, 2));
  const Blocks All = filled(Tested, 6, Numbers);
  for (int Round = 0; Round < 5; ++Round) {
    for (const auto &Each : All)
      Tested.submit([](std::span<const std::uint64_t>) { throw std::domain_error("on purpose"); }, reserve(2 * Page),
                    read(Each));
    EXPECT_THROW(Tested.run(), std::domain_error);
    EXPECT_EQ(Tested.statistics().resident_bytes, Tested.statistics().resident * Page);
  }
  std::atomic<int> Ran = 0;
  for (const auto &Each : All)
    Tested.submit([&](std::span<const std::uint64_t>) { ++Ran; }, reserve(5 * Page), read(Each));
  Tested.run();
  EXPECT_EQ(Ran, 6);
}

TEST_F(OutOfCoreReservations, ASmallerBudgetWaitsForWhatIsReserved) {
  Store Tested({.folder = Folder.Path, .threads = 2});
  const Blocks All = filled(Tested, 8, Numbers);
  for (const auto &Each : All)
    Tested.submit([](std::span<const std::uint64_t>) {}, reserve(3 * Page), read(Each));
  Tested.fence([&] { Tested.set_budget(5 * Page); });
  for (const auto &Each : All)
    Tested.submit([](std::span<const std::uint64_t>) {}, reserve(4 * Page), read(Each));
  Tested.run();
  Tested.set_budget(5 * Page);
  EXPECT_LE(Tested.statistics().resident_bytes, 5 * Page);
}

} // namespace
