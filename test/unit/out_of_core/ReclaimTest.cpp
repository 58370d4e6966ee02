// A store that is asked for memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime is pretended, so that sanitizers may watch: this file asks.

#include "Child.h"
#include "Core.h"
#include "FullLayer.h"
#include "TemporaryFolder.h"

#include <memshape/reclaim.h>

#include <atomic>
#include <gtest/gtest.h>
#include <random>
#include <sys/wait.h>
#include <thread>

using namespace memshape::out_of_core;

static std::atomic<memshape_reclaimer *> Asked = nullptr;
static std::atomic<std::uint64_t> Live = 0, Limit = 0;

extern "C" int memshape_reclaimer_set(memshape_reclaimer *Reclaimer, std::uint64_t Bytes, std::size_t) {
  Asked = Reclaimer;
  Limit = Bytes;
  return 1;
}
extern "C" std::uint64_t memshape_live_bytes() { return Live; }

namespace {

constexpr std::uint64_t Page = 4096, Numbers = Page / sizeof(std::uint64_t);

/// As an allocation does that fails until there is an answer.
int ask(std::uint64_t Bytes) {
  const int Answer = Asked.load()(MEMSHAPE_NEED_FAILED, Bytes);
  Asked.load()(MEMSHAPE_NEED_ENDED, Bytes);
  return Answer;
}

struct Row {
  std::vector<std::uint64_t> All;
  std::uint64_t bytes() const { return All.size() * sizeof(std::uint64_t); }
  void save(Writer &To) const { To.vector(All); }
  static Row load(Reader &From) { return {From.vector<std::uint64_t>()}; }
};

/// Blocks and objects of a page, that count the tasks which they have seen.
class OutOfCoreReclaim : public testing::Test {
protected:
  static constexpr std::uint32_t Count = 12;

  explicit OutOfCoreReclaim(std::uint64_t Pages = 16) {
    Options Of{.budget_bytes = Pages * Page, .folder = Folder.Path, .threads = 3};
    Tested.emplace(std::make_unique<detail::Core>(Of, std::make_unique<FullLayer>(Full)));
    for (std::uint32_t Each = 0; Each < Count; ++Each) {
      Blocks.push_back(Tested->add<std::uint64_t[]>(Numbers));
      Rows.push_back(Tested->add<Row>(Page, [] { return Row{std::vector<std::uint64_t>(Numbers)}; }));
    }
  }
  ~OutOfCoreReclaim() override { Live = 0; }

  void submit(std::uint32_t Each) {
    ++Expected[Each];
    const auto Add = [](auto &&All) {
      for (std::uint64_t &Number : All)
        ++Number;
    };
    if (Each < Count)
      Tested->submit([=](std::span<std::uint64_t> Block) { Add(Block); }, update(Blocks[Each]));
    else
      Tested->submit([=](Row &Of) { Add(Of.All); }, update(Rows[Each - Count]));
  }
  void submitAll() {
    for (std::uint32_t Each = 0; Each < 2 * Count; ++Each)
      submit(Each);
  }

  void expectWhole() {
    const auto Is = [](const auto &All, std::uint64_t Number) {
      return std::uint64_t(std::count(All.begin(), All.end(), Number));
    };
    for (std::uint32_t Each = 0; Each < Count; ++Each) {
      EXPECT_EQ(Is(*Tested->pin(read(Blocks[Each])), Expected[Each]), Numbers);
      EXPECT_EQ(Is((*Tested->pin(read(Rows[Each]))).All, Expected[Count + Each]), Numbers);
    }
  }

  TemporaryFolder Folder;
  std::atomic<bool> Full = false;
  std::optional<Store> Tested;
  std::vector<Executor<std::uint64_t[]>> Blocks;
  std::vector<Executor<Row>> Rows;
  std::uint64_t Expected[2 * Count] = {};
};

TEST_F(OutOfCoreReclaim, EightThreadsAskWhileTasksRun) {
  std::minstd_rand Random(7);
  for (int Each = 0; Each < 400; ++Each)
    submit(Random() % (2 * Count));
  std::vector<std::thread> Threads;
  for (int Thread = 0; Thread < 8; ++Thread)
    Threads.emplace_back([&] {
      for (int Times = 0; Times < 100; ++Times)
        ask(2 * Page);
    });
  Tested->run();
  for (std::thread &Thread : Threads)
    Thread.join();
  EXPECT_EQ(Tested->statistics().trapped_allocations, 800u);
  expectWhole();
}

TEST_F(OutOfCoreReclaim, TasksThatAskKeepTheirOwn) {
  std::atomic<int> Wrong = 0;
  submitAll();
  Tested->run();
  for (int Round = 0; Round < 3; ++Round)
    for (std::uint32_t Each = 0; Each < Count; ++Each)
      Tested->submit(
          [&, Each](std::span<const std::uint64_t> Block) {
            ask(64 * Page);
            Wrong += Block[0] != Expected[Each];
          },
          read(Blocks[Each]));
  Tested->run();
  EXPECT_EQ(Wrong, 0);
  expectWhole();
}

TEST_F(OutOfCoreReclaim, EvictsUntilThatMuchIsFree) {
  submitAll();
  Tested->run();
  ASSERT_EQ(Tested->statistics().resident, 16u);
  EXPECT_EQ(ask(3 * Page), MEMSHAPE_TRY_AGAIN);
  EXPECT_EQ(Tested->statistics().resident, 13u);
  EXPECT_EQ(ask(100 * Page), MEMSHAPE_TRY_AGAIN);
  EXPECT_EQ(Tested->statistics().resident, 0u);
  EXPECT_EQ(ask(Page), MEMSHAPE_NOTHING_LEFT);
  EXPECT_EQ(Tested->statistics().trapped_allocations, 3u);
  expectWhole();
}

TEST_F(OutOfCoreReclaim, WhatTheProgramHoldsIsNotForExecutors) {
  Live = 1000 * Page; // more than the budget: one task at a time has what it uses
  submitAll();
  Tested->run();
  EXPECT_LE(Tested->statistics().peak_bytes, 2 * Page);
  expectWhole();
}

TEST_F(OutOfCoreReclaim, AnAutomaticBudgetLeavesTheProgramWhatItHoldsAnyway) {
  EXPECT_EQ(Limit, 16 * Page);
  Tested->set_budget(automatic);
  EXPECT_EQ(Limit, unlimited);
  EXPECT_TRUE(Tested->statistics().watches_allocations);
  Live = Tested->statistics().budget_bytes; // were that taken from the budget, nothing would be left
  submitAll();
  Tested->run();
  EXPECT_EQ(Tested->statistics().resident, 2 * Count);
  EXPECT_EQ(ask(3 * Page), MEMSHAPE_TRY_AGAIN);
  EXPECT_EQ(Tested->statistics().evictions, 3u);
  expectWhole();
  Tested->set_budget(16 * Page);
  EXPECT_EQ(Limit, 16 * Page);
}

TEST_F(OutOfCoreReclaim, HandlesStay) {
  submitAll();
  Tested->run();
  const auto Held = Tested->pin(read(Blocks[3]));
  EXPECT_EQ(ask(100 * Page), MEMSHAPE_TRY_AGAIN);
  EXPECT_EQ(Tested->statistics().resident, 1u);
  EXPECT_EQ((*Held)[0], 1u);
}

TEST_F(OutOfCoreReclaim, OnAFullDiskAllStays) {
  submitAll();
  Tested->run();
  Full = true;
  EXPECT_EQ(ask(100 * Page), MEMSHAPE_NOTHING_LEFT);
  EXPECT_EQ(Tested->statistics().resident, 16u);
  Full = false;
  submitAll();
  Tested->run();
  expectWhole();
}

TEST_F(OutOfCoreReclaim, WhoFreesMemoryTakesTheReserve) {
  const detail::InsideScope Now;
  EXPECT_EQ(ask(Page), MEMSHAPE_TAKE_RESERVE);
  EXPECT_EQ(Tested->statistics().trapped_allocations, 0u);
}

TEST_F(OutOfCoreReclaim, AChildHasNothingToFree) {
  submitAll();
  Tested->run();
  const pid_t Child = ::fork();
  if (Child == 0)
    ::_exit(ask(Page) == MEMSHAPE_NOTHING_LEFT ? 0 : 1);
  int Status = -1;
  ASSERT_EQ(::waitpid(Child, &Status, 0), Child);
  EXPECT_EQ(Status, 0);
}

TEST_F(OutOfCoreReclaim, AChildMayHaveAStoreThatIsAsked) {
  if (IsThreadSanitized)
    GTEST_SKIP() << "ThreadSanitizer ends a forked process that starts a thread";
  submitAll();
  Tested->run();
  const pid_t Child = ::fork();
  if (Child == 0) {
    Store Own({.budget_bytes = 16 * Page, .folder = Folder.Path});
    Own.submit([](std::span<char> Block) { Block[0] = 1; }, update(Own.add<char[]>(Page)));
    Own.run();
    const bool Frees = ask(Page) == MEMSHAPE_TRY_AGAIN && Own.statistics().resident == 0;
    ::_exit(Frees && ask(Page) == MEMSHAPE_NOTHING_LEFT ? 0 : 1);
  }
  int Status = -1;
  ASSERT_EQ(::waitpid(Child, &Status, 0), Child);
  EXPECT_EQ(Status, 0);
}

TEST_F(OutOfCoreReclaim, TheLastStoreTakesTheTrapWithIt) {
  EXPECT_NE(Asked, nullptr);
  Tested.reset();
  EXPECT_EQ(Asked, nullptr);
}

} // namespace
