// Tasks on executors that do not fit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Child.h"
#include "Simulation.h"
#include "Stores.h"
#include "TemporaryFolder.h"

#include <atomic>
#include <fstream>
#include <gmock/gmock.h>
#include <thread>

using namespace memshape::out_of_core;
using testing::ElementsAre;

namespace {

constexpr std::uint64_t Page = 4096, Numbers = 2 * Page / sizeof(std::uint64_t); // a block of two pages

class OutOfCoreStore : public testing::Test {
protected:
  Options options(std::uint64_t Pages, unsigned Threads = 2, Policy How = Policy::next_use) const {
    return {.budget_bytes = Pages * Page, .folder = Folder.Path, .policy = How, .threads = Threads};
  }

  TemporaryFolder Folder;
};

TEST_F(OutOfCoreStore, ReadsAndWritesFollowFromTheQueueWhateverTheThreadsDo) {
  const AccessOrder Order = randomBatches(30, 12, 10, 7);
  for (const Policy How : {Policy::next_use, Policy::lru})
    for (const unsigned Threads : {1, 2, 5}) {
      Store Tested(options(2 * 9, Threads, How));
      const Blocks All = filled(Tested, 30);
      std::atomic<int> Wrong = 0;
      for (const std::uint32_t Each : Order)
        Tested.submit(
            [&, Each](std::span<const std::uint64_t> Block) {
              Wrong += Block.size() != Numbers || std::count(Block.begin(), Block.end(), Each) != Numbers;
            },
            read(All[Each]));
      Tested.run();
      EXPECT_EQ(Wrong, 0);
      const Statistics Did = Tested.statistics();
      EXPECT_EQ(Did.reads, How == Policy::lru ? lruReads(30, Order, 9) : leastReads(30, Order, 9));
      EXPECT_EQ(Did.read_bytes, Did.reads * 2 * Page);
      EXPECT_EQ(Did.executors, 30u);
      EXPECT_EQ(Did.executor_bytes, 30 * 2 * Page);
      EXPECT_EQ(Did.evictions, 30 + Did.reads - 9);
      EXPECT_LE(Did.written_bytes, Did.executor_bytes);
      EXPECT_EQ(Did.resident, 9u);
      EXPECT_EQ(Did.peak_bytes, 9 * 2 * Page);
    }
}

TEST_F(OutOfCoreStore, AForecastIsWhatTheRunReadsAndWrites) {
  for (const Policy How : {Policy::next_use, Policy::lru})
    for (const std::uint64_t Count : {3, 9, 17, 30}) {
      Store Tested(options(2 * Count, 3, How));
      const Blocks All = filled(Tested, 20);
      Tested.run();
      for (unsigned Seed = 0; Seed < 2; ++Seed) {
        for (const std::uint32_t Each : randomBatches(20, 5, 15, Seed))
          if (Each % 3 == 0)
            Tested.submit([](std::span<std::uint64_t>) {}, update(All[Each]));
          else
            Tested.submit([](std::span<const std::uint64_t>) {}, read(All[Each]));
        const Statistics Before = Tested.statistics();
        const Forecast Said = Tested.forecast(2 * Count * Page);
        Tested.run();
        const Statistics After = Tested.statistics();
        EXPECT_EQ(Said.reads, After.reads - Before.reads);
        EXPECT_EQ(Said.read_bytes, After.read_bytes - Before.read_bytes);
        EXPECT_EQ(Said.writes, After.writes - Before.writes);
        EXPECT_EQ(Said.written_bytes, After.written_bytes - Before.written_bytes);
        EXPECT_EQ(Said.reads == 0, Count == 30);
      }
    }
}

TEST_F(OutOfCoreStore, AForecastOfALargerBudgetReadsLess) {
  Store Tested(options(2 * 5));
  const Blocks All = filled(Tested, 20);
  for (const std::uint32_t Each : randomBatches(20, 5, 15, 1))
    Tested.submit([](std::span<const std::uint64_t>) {}, read(All[Each]));
  for (const std::uint64_t Count : {1, 5, 10, 19, 20})
    EXPECT_EQ(Tested.forecast(2 * Count * Page).reads, leastReads(20, randomBatches(20, 5, 15, 1), Count));
  EXPECT_EQ(Tested.forecast(unlimited).writes, 0u);
  EXPECT_EQ(refusal([&] { (void)Tested.forecast(Page); }), ErrorCode::too_large);
}

TEST_F(OutOfCoreStore, UpdatesSurviveEvictionInTheOrderOfTheirSubmission) {
  Store Tested(options(2 * 3, 3));
  const Blocks All = filled(Tested, 8);
  std::vector<std::uint64_t> Expected = {0, 1, 2, 3, 4, 5, 6, 7};
  for (const std::uint32_t Each : randomBatches(8, 60, 5, 3)) {
    const std::uint32_t From = (Each * 5 + 1) % 8;
    if (From == Each)
      continue;
    Expected[Each] = Expected[Each] * 3 + Expected[From];
    Tested.submit(
        [](std::span<std::uint64_t> To, std::span<const std::uint64_t> Other) {
          for (std::size_t At = 0; At < To.size(); ++At)
            To[At] = To[At] * 3 + Other[At];
        },
        update(All[Each]), read(All[From]));
  }
  Tested.run();
  for (std::uint32_t Each = 0; Each < 8; ++Each) {
    const auto Block = Tested.pin(read(All[Each]));
    EXPECT_EQ((*Block).front(), Expected[Each]);
    EXPECT_EQ((*Block).back(), Expected[Each]);
  }
  EXPECT_LE(Tested.statistics().peak_bytes, 2 * 3 * Page);
}

TEST_F(OutOfCoreStore, BlocksThatNobodyUpdatedAreZeroAndNeverWritten) {
  Store Tested(options(2, 1));
  const auto Used = filled(Tested, 1), Empty = Blocks{Tested.add<std::uint64_t[]>(Numbers)};
  std::uint64_t Sum = 1;
  Tested.submit([&](std::span<const std::uint64_t> Block) { Sum = Block.front() + Block.back(); }, read(Empty[0]));
  Tested.submit([](std::span<const std::uint64_t>) {}, read(Used[0]));
  Tested.run();
  EXPECT_EQ(Sum, 0u);
  EXPECT_EQ(Tested.statistics().writes, 1u);
  EXPECT_EQ(Tested.statistics().evictions, 2u);
}

TEST_F(OutOfCoreStore, AFenceSeparatesWhatIsBeforeFromWhatIsBehind) {
  Store Tested(options(2 * 4, 4));
  const Blocks All = filled(Tested, 12);
  std::atomic<int> Ended = 0, Wrong = 0;
  for (int Batch = 0; Batch < 20; ++Batch) {
    for (int Each = 0; Each < 12; ++Each)
      Tested.submit(
          [&, Batch](std::span<const std::uint64_t>) {
            Wrong += Ended / 12 != Batch;
            ++Ended;
          },
          read(All[Each]));
    Tested.fence([&, Batch] { Wrong += Ended != 12 * (Batch + 1); });
  }
  Tested.run();
  EXPECT_EQ(Wrong, 0);
  EXPECT_EQ(Ended, 240);
}

TEST_F(OutOfCoreStore, TasksMaySubmitTasks) {
  Store Tested(options(2 * 2));
  const Blocks All = filled(Tested, 4);
  std::atomic<int> Ran = 0;
  Tested.fence([&] {
    for (const auto &Each : All)
      Tested.submit([&](std::span<const std::uint64_t>) { ++Ran; }, read(Each));
  });
  Tested.run();
  EXPECT_EQ(Ran, 4);
}

struct Words {
  std::vector<std::uint64_t> All;
  std::uint64_t bytes() const { return All.size() * sizeof(std::uint64_t); }
  void save(Writer &To) const {
    To.value('w');
    To.vector(All);
  }
  static Words load(Reader &From) {
    if (From.value<char>() != 'w')
      throw std::runtime_error("not the words that were saved");
    return {From.vector<std::uint64_t>()};
  }
};

TEST_F(OutOfCoreStore, ObjectsAreSavedLoadedAndMeasured) {
  constexpr std::uint64_t Mebibyte = 1 << 20;
  Store Tested({.budget_bytes = 8 * Mebibyte, .folder = Folder.Path});
  std::vector<Executor<Words>> All;
  for (std::uint64_t Each = 0; Each < 5; ++Each)
    All.push_back(Tested.add<Words>(3 * Mebibyte, [Each] { return Words{std::vector(300'000 + Each, Each)}; }));
  for (int Round = 0; Round < 3; ++Round)
    for (const auto &Each : All)
      Tested.submit([](Words &Of) { Of.All.push_back(Of.All.back() + 1); }, update(Each));
  Tested.run();
  std::uint64_t Bytes = 0;
  for (std::uint64_t Each = 0; Each < 5; ++Each) {
    const auto Of = Tested.pin(read(All[Each]));
    EXPECT_EQ((*Of).All.size(), 300'003 + Each);
    EXPECT_EQ((*Of).All.front(), Each);
    EXPECT_EQ((*Of).All.back(), Each + 3);
    Bytes += (*Of).bytes();
  }
  EXPECT_EQ(Tested.statistics().executor_bytes, Bytes);
  EXPECT_GT(Tested.statistics().writes, 0u);
  EXPECT_LE(Tested.statistics().peak_bytes, 8 * Mebibyte);
}

TEST_F(OutOfCoreStore, WhatATaskThrowsPassesThroughAndTheStoreGoesOn) {
  Store Tested(options(2 * 3, 3));
  const Blocks All = filled(Tested, 9);
  Tested.run();
  std::atomic<int> After = 0;
  Tested.submit([](std::span<std::uint64_t> Block) { Block[0] = 77; }, update(All[4]));
  Tested.fence([] { throw std::domain_error("on purpose"); });
  for (const auto &Each : All)
    Tested.submit([&](std::span<const std::uint64_t>) { ++After; }, read(Each));
  EXPECT_THROW(Tested.run(), std::domain_error);
  EXPECT_EQ(After, 0);
  for (std::uint64_t Each = 0; Each < 9; ++Each)
    Tested.submit(
        [&, Each](std::span<const std::uint64_t> Block) {
          After += Block[0] == (Each == 4 ? 77 : Each) && Block.back() == Each;
        },
        read(All[Each]));
  Tested.run();
  EXPECT_EQ(After, 9);
}

TEST_F(OutOfCoreStore, AHandleKeepsItsExecutorInMemory) {
  Store Tested(options(2 * 2, 2, Policy::lru));
  const Blocks All = filled(Tested, 6);
  Tested.run();
  const auto Kept = Tested.pin(update(All[0]));
  (*Kept)[0] = 5;
  std::thread Others([&] {
    for (std::uint32_t Each = 1; Each < 6; ++Each)
      Tested.submit([](std::span<const std::uint64_t>) {}, read(All[Each]));
    Tested.run();
  });
  Others.join();
  EXPECT_EQ((*Kept)[0], 5u);
  EXPECT_THAT(Tested.resident(), ElementsAre(0, 5));
}

TEST_F(OutOfCoreStore, HandlesOfManyThreadsTakeTurns) {
  Store Tested(options(2 * 8));
  const Blocks All = filled(Tested, 16);
  Tested.run();
  std::vector<std::thread> Threads;
  for (unsigned Thread = 0; Thread < 8; ++Thread)
    Threads.emplace_back([&, Thread] {
      for (const std::uint32_t Each : randomBatches(16, 10, 16, Thread))
        ++(*Tested.pin(update(All[Each])))[1];
    });
  for (std::thread &Each : Threads)
    Each.join();
  for (std::uint64_t Each = 0; Each < 16; ++Each)
    EXPECT_EQ((*Tested.pin(read(All[Each])))[1], Each + 80);
}

TEST_F(OutOfCoreStore, HandlesAndTasksTakeTurns) {
  Store Tested(options(2 * 7, 3));
  const Blocks All = filled(Tested, 16);
  Tested.run();
  std::vector<std::thread> Threads;
  for (unsigned Thread = 0; Thread < 3; ++Thread)
    Threads.emplace_back([&, Thread] {
      for (const std::uint32_t Each : randomBatches(16, 10, 16, Thread))
        ++(*Tested.pin(update(All[Each])))[1];
    });
  for (const std::uint32_t Each : randomBatches(16, 20, 16, 9))
    Tested.submit(
        [](std::span<std::uint64_t> Block, std::span<const std::uint64_t> Other) { Block[1] += Other.size(); },
        update(All[Each]), read(All[(Each + 5) % 16]));
  Tested.run();
  for (std::thread &Each : Threads)
    Each.join();
  for (std::uint64_t Each = 0; Each < 16; ++Each)
    EXPECT_EQ((*Tested.pin(read(All[Each])))[1], Each + 30 + 20 * Numbers);
  EXPECT_LE(Tested.statistics().peak_bytes, 2 * 7 * Page);
}

TEST_F(OutOfCoreStore, ALargerBudgetBringsAllBack) {
  Store Tested(options(2 * 3));
  const Blocks All = filled(Tested, 10);
  std::uint64_t Before = 0;
  for (int Epoch = 0; Epoch < 5; ++Epoch) {
    for (const auto &Each : All)
      Tested.submit([](std::span<const std::uint64_t>) {}, read(Each));
    Tested.fence([&, Epoch] {
      if (Epoch == 1)
        Tested.set_budget(2 * 10 * Page);
      if (Epoch == 3) // tasks of the third epoch may have been admitted with the small one
        Before = Tested.statistics().reads;
    });
  }
  Tested.run();
  EXPECT_EQ(Tested.statistics().reads, Before);
  EXPECT_EQ(Tested.statistics().resident, 10u);
}

TEST_F(OutOfCoreStore, ASmallerBudgetIsKeptAtOnce) {
  Store Tested({.folder = Folder.Path});
  const Blocks All = filled(Tested, 10);
  Tested.run();
  EXPECT_TRUE(Folder.entries().empty());
  Tested.set_budget(2 * 4 * Page);
  EXPECT_EQ(Tested.statistics().resident_bytes, 2 * 4 * Page);
  EXPECT_THAT(Tested.resident(), ElementsAre(6, 7, 8, 9));
  EXPECT_EQ((*Tested.pin(read(All[0])))[0], 0u);
}

TEST_F(OutOfCoreStore, ABudgetThatFoundNoFolderMayBeSetAgain) {
  const std::filesystem::path In = Folder.Path / "folder";
  Store Tested({.folder = In});
  const Blocks All = filled(Tested, 10);
  Tested.run();
  std::ofstream(In) << "in its place";
  for (const std::uint64_t Budget : {2 * 4 * Page, automatic, 2 * 4 * Page})
    EXPECT_EQ(refusal([&] { Tested.set_budget(Budget); }), ErrorCode::io);
  EXPECT_EQ(Tested.statistics().budget_bytes, unlimited);
  std::filesystem::remove(In);
  Tested.set_budget(2 * 4 * Page);
  EXPECT_EQ(Tested.statistics().resident_bytes, 2 * 4 * Page);
  EXPECT_EQ((*Tested.pin(read(All[0])))[0], 0u);
}

/// One run() has returned, and another has not yet: that one runs what is submitted then.
TEST_F(OutOfCoreStore, ThreadsMayRunTheSameQueue) {
  Store Tested(options(2 * 3));
  const Blocks All = filled(Tested, 6);
  std::atomic<int> Ran = 0;
  const auto Submit = [&] {
    for (const auto &Each : All)
      Tested.submit([&](std::span<const std::uint64_t>) { ++Ran; }, read(Each));
  };
  for (int Round = 0; Round < 100; ++Round) {
    Submit();
    std::thread Other([&] { Tested.run(); });
    Tested.run();
    Submit();
    Other.join();
    Tested.run();
  }
  EXPECT_EQ(Ran, 100 * 2 * 6);
}

TEST_F(OutOfCoreStore, EveryRunThatATaskFailsInIsTold) {
  if (IsThreadSanitized)
    GTEST_SKIP() << "ThreadSanitizer does not see that the last one frees what was thrown";
  Store Tested(options(2 * 3));
  int Rounds = 0;
  for (int Both = 0; Both == 0; ++Rounds) {
    std::atomic<int> Begun = 0, Told = 0;
    Tested.fence([&] {
      while (Begun != 2)
        std::this_thread::yield();
      for (int Turn = 0; Turn < 1000; ++Turn) // until both are within run(), unless they are held up
        std::this_thread::yield();
      throw std::domain_error("on purpose");
    });
    const auto Run = [&] {
      ++Begun;
      try {
        Tested.run();
      } catch (const std::domain_error &) {
        ++Told;
      }
    };
    std::thread Other(Run);
    Run();
    Other.join();
    ASSERT_NE(Told, 0);
    Both = Told == 2;
    ASSERT_LT(Rounds, 1000);
    Tested.run(); // there is nothing more to tell
  }
}

TEST_F(OutOfCoreStore, RequestsThatCannotBeAreRefused) {
  Store Tested(options(2 * 2));
  const Blocks All = filled(Tested, 3);
  Tested.run();
  const auto Nothing = [](auto...) {};
  EXPECT_EQ(refusal([&] { Tested.submit(Nothing, read(All[0]), update(All[0])); }), ErrorCode::usage);
  EXPECT_EQ(refusal([&] { Tested.submit(Nothing, read(Executor<int[]>{99})); }), ErrorCode::usage);
  EXPECT_EQ(refusal([&] { Tested.submit(Nothing, read(All[0]), read(All[1]), read(All[2])); }), ErrorCode::too_large);
  EXPECT_EQ(refusal([&] { Tested.add<double[]>(~std::uint64_t(0)); }), ErrorCode::too_large);
  Tested.fence([&] { Tested.run(); });
  EXPECT_EQ(refusal([&] { Tested.run(); }), ErrorCode::usage);
  Tested.fence([&] { (void)Tested.pin(read(All[0])); });
  EXPECT_EQ(refusal([&] { Tested.run(); }), ErrorCode::usage);
  const auto One = Tested.pin(read(All[0])), Other = Tested.pin(read(All[1]));
  EXPECT_EQ(refusal([&] { (void)Tested.pin(update(All[0])); }), ErrorCode::usage);
  EXPECT_EQ(refusal([&] { (void)Tested.pin(read(All[2])); }), ErrorCode::too_large);
  EXPECT_EQ(refusal([&] { Tested.run(); }), ErrorCode::usage);
  EXPECT_EQ(refusal([&] { Tested.set_budget(2 * Page); }), ErrorCode::too_large);
  EXPECT_EQ(refusal([&] { Store({.folder = Folder.Path, .threads = 0}); }), ErrorCode::usage);
}

TEST_F(OutOfCoreStore, ATaskThatABudgetHasBecomeTooSmallForIsRefused) {
  Store Tested(options(2 * 2, 1));
  const Blocks All = filled(Tested, 3);
  Tested.fence([&] { Tested.set_budget(2 * Page); });
  for (int Each = 0; Each < 20; ++Each)
    Tested.submit([](auto...) {}, read(All[0]), read(All[1]));
  EXPECT_EQ(refusal([&] { Tested.run(); }), ErrorCode::too_large);
  for (std::uint64_t Each = 0; Each < 3; ++Each)
    EXPECT_EQ((*Tested.pin(read(All[Each])))[0], Each);
}

TEST_F(OutOfCoreStore, WhatHasNotRunIsDroppedAtTheEnd) {
  int Ran = 0;
  {
    Store Tested(options(2 * 2));
    filled(Tested, 5);
    Tested.fence([&] { ++Ran; });
  }
  EXPECT_EQ(Ran, 0);
  EXPECT_TRUE(Folder.entries().empty());
}

} // namespace
