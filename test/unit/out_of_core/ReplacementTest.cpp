// Which executors leave the memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Replacement.h"
#include "Simulation.h"

#include <gmock/gmock.h>

using namespace memshape::out_of_core;
using testing::ElementsAre;

static bool nothing(ExecutorId) { return false; }

/// Reads after all executors, of one byte each, have been made.
static std::uint64_t readsOf(Policy How, std::uint32_t Executors, const AccessOrder &Accesses, std::uint64_t Capacity,
                             std::size_t Recent = 10) {
  Replacement Tested(How, Recent);
  for (std::uint32_t Each = 0; Each < Executors; ++Each)
    Tested.add(1);
  const AccessOrder All = withLoading(Executors, Accesses);
  for (const ExecutorId Each : All)
    Tested.expect(Each);
  std::uint64_t Misses = 0;
  for (const ExecutorId Each : All) {
    Misses += Tested.use({&Each, 1}, true, Capacity, nothing).In.size();
    EXPECT_LE(Tested.residentBytes(), Capacity);
  }
  return Misses - Executors;
}

TEST(Replacement, LruReadsWhatItsSimulationReads) {
  for (unsigned Seed = 0; Seed < 20; ++Seed)
    for (const std::uint64_t Capacity : {1, 2, 7, 20, 39, 40})
      EXPECT_EQ(readsOf(Policy::lru, 40, randomBatches(40, 12, 10, Seed), Capacity),
                lruReads(40, randomBatches(40, 12, 10, Seed), Capacity));
}

TEST(Replacement, NextUseReadsTheLeastWhereTheBudgetIsSmall) {
  for (unsigned Seed = 0; Seed < 20; ++Seed)
    for (const std::uint64_t Capacity : {1, 2, 7, 20, 31, 40})
      EXPECT_EQ(readsOf(Policy::next_use, 40, randomBatches(40, 12, 10, Seed), Capacity),
                leastReads(40, randomBatches(40, 12, 10, Seed), Capacity));
}

TEST(Replacement, NextUseReadsATwentiethAboveTheLeastAtMost) {
  for (const std::uint64_t Capacity : {32, 50, 100, 150, 300})
    for (const AccessOrder &Order : {randomBatches(500, 20, 40, 1), randomBatches(500, 20, 40, 2), cycle(500, 1500)})
      EXPECT_LE(double(readsOf(Policy::next_use, 500, Order, Capacity)),
                1.05 * double(leastReads(500, Order, Capacity)));
}

TEST(Replacement, NextUseReadsNoMoreThanTheLeastWithoutWhatItSpares) {
  std::mt19937 Random(5);
  for (int Round = 0; Round < 100; ++Round) {
    const std::uint32_t Executors = 40 + Random() % 260;
    const std::uint64_t Capacity = 8 + Random() % (Executors - 8),
                        Spared = std::min(Capacity, Executors - Capacity) / 32;
    const std::size_t Tasks = 1 + Random() % 40, Batches = 1 + Random() % 20;
    const AccessOrder Order = Random() % 2
                                  ? randomBatches(Executors, Batches, std::min<std::size_t>(Tasks, Executors), Random())
                                  : cycle(Executors, Batches * Tasks);
    EXPECT_LE(readsOf(Policy::next_use, Executors, Order, Capacity, 1 + Random() % 12),
              leastReads(Executors, Order, Capacity - Spared))
        << Executors << " executors, " << Capacity << " in memory, " << Order.size() << " accesses, round " << Round;
  }
}

/// Otherwise the disk would wait for them, and they for the disk.
TEST(Replacement, TheLatestOfACycleStay) {
  constexpr std::uint32_t Executors = 500;
  for (const std::uint64_t Capacity : {70, 150, 300}) {
    Replacement Tested(Policy::next_use, 10);
    for (std::uint32_t Each = 0; Each < Executors; ++Each)
      Tested.add(1);
    const AccessOrder All = cycle(Executors, 2000);
    for (const ExecutorId Each : All)
      Tested.expect(Each);
    for (std::size_t At = 0; At < All.size(); ++At)
      for (const ExecutorId Out : Tested.use({&All[At], 1}, true, Capacity, nothing).Out)
        for (std::size_t Before = 0; Before <= std::min(Capacity, Executors - Capacity) / 32; ++Before)
          EXPECT_NE(Out, All[At - Before]) << Capacity << " in memory, access " << At;
  }
}

TEST(Replacement, ExecutorsWithoutATaskLeaveFirstAndAsLru) {
  Replacement Tested(Policy::next_use, 0);
  for (int Each = 0; Each < 5; ++Each)
    Tested.add(10);
  for (const ExecutorId Each : {2, 0, 1, 3})
    Tested.use({&Each, 1}, false, 100, nothing);
  Tested.expect(0);
  const ExecutorId Next = 4;
  EXPECT_THAT(Tested.use({&Next, 1}, false, 20, nothing).Out, ElementsAre(2, 1, 3));
  EXPECT_THAT(Tested.residents(), ElementsAre(0, 4));
}

TEST(Replacement, AwaitedAreThoseThatHaveToComeBack) {
  Replacement Tested(Policy::next_use, 0);
  for (int Each = 0; Each < 5; ++Each)
    Tested.add(1);
  for (const ExecutorId Each : {0, 1, 2, 3, 1, 2, 0, 1})
    Tested.expect(Each);
  EXPECT_THAT(Tested.awaited(), ElementsAre(0, 1, 2, 3));
  for (const ExecutorId Each : {0, 1, 2, 3})
    Tested.use({&Each, 1}, true, 1, nothing);
  EXPECT_THAT(Tested.residents(), ElementsAre(3));
  EXPECT_THAT(Tested.awaited(), ElementsAre(1, 2, 0)); // nothing will use 3 and 4
  EXPECT_FALSE(Tested.isAwaited(3));
}

TEST(Replacement, PinnedExecutorsStay) {
  Replacement Tested(Policy::lru, 0);
  for (int Each = 0; Each < 3; ++Each)
    Tested.add(10);
  for (const ExecutorId Each : {0, 1})
    Tested.use({&Each, 1}, false, 20, nothing);
  const ExecutorId Next = 2;
  EXPECT_THAT(Tested.use({&Next, 1}, false, 20, [](ExecutorId Each) { return Each == 0; }).Out, ElementsAre(1));
}

TEST(Replacement, ExecutorsOfOneTaskStayTogether) {
  Replacement Tested(Policy::next_use, 6);
  for (int Each = 0; Each < 4; ++Each)
    Tested.add(10);
  const std::vector<ExecutorId> First = {0, 1}, Second = {1, 2};
  Tested.use(First, false, 20, nothing);
  const Replacement::Change Made = Tested.use(Second, false, 20, nothing);
  EXPECT_THAT(Made.In, ElementsAre(2));
  EXPECT_THAT(Made.Out, ElementsAre(0));
}
