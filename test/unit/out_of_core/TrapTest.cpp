// Allocations of the program, and a store.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With memshape's runtime linked. Where malloc has to fail, a child process
// lowers its own limit.

#include "Core.h"
#include "FullLayer.h"
#include "TemporaryFolder.h"

#include <atomic>
#include <fstream>
#include <gtest/gtest.h>
#include <latch>
#include <sys/mman.h>
#include <sys/resource.h>
#include <thread>

using namespace memshape::out_of_core;

namespace {

constexpr std::uint64_t MiB = 1 << 20;

/// Bytes that count against RLIMIT_DATA.
std::uint64_t dataBytes() {
  std::ifstream Of("/proc/self/statm");
  std::uint64_t Pages = 0;
  for (int Column = 0; Column < 6; ++Column)
    Of >> Pages;
  return Pages * 4096;
}

/// The process may have that much more than it has.
void limit(std::uint64_t More) {
  const rlim_t Most = dataBytes() + More;
  const rlimit To = {Most, Most};
  ASSERT_EQ(::setrlimit(RLIMIT_DATA, &To), 0);
}

/// 32 blocks of 4 MiB in memory, each full of its number.
class OutOfCoreTrap : public testing::Test {
protected:
  static constexpr std::uint64_t Count = 32, Each = 4 * MiB;

  void make(std::uint64_t Budget, bool Trap = true) {
    Options Of{.budget_bytes = Budget, .folder = Folder.Path, .trap = Trap};
    Tested.emplace(std::make_unique<detail::Core>(Of, std::make_unique<FullLayer>(Full)));
    for (std::uint64_t Which = 0; Which < Count; ++Which)
      Tested->submit([Which](std::span<char> Block) { std::fill(Block.begin(), Block.end(), char(Which)); },
                     update(Blocks.emplace_back(Tested->add<char[]>(Each))));
    Tested->run();
  }

  /// Of 8 threads that allocate at once and hold what they get, how many get none. Their stacks are there before the
  /// process may have no more than 40 MiB beside the blocks.
  static int failedOf8(std::uint64_t Bytes) {
    std::latch Started(9), Limited(9), Taken(8);
    std::atomic<int> Failed = 0;
    std::vector<std::thread> Threads;
    for (int Thread = 0; Thread < 8; ++Thread)
      Threads.emplace_back([&] {
        Started.arrive_and_wait();
        Limited.arrive_and_wait();
        void *volatile Block = std::malloc(Bytes);
        Failed += !Block;
        Taken.arrive_and_wait();
        std::free(Block);
      });
    Started.arrive_and_wait();
    limit(40 * MiB);
    Limited.arrive_and_wait();
    for (std::thread &Thread : Threads)
      Thread.join();
    return Failed;
  }

  /// In a process of its own, whose limit leaves 40 MiB beside the blocks.
  void inChild(const std::function<void()> &Work) {
    EXPECT_EXIT(
        {
          make(1024 * MiB);
          limit(40 * MiB);
          Work();
          expectWhole();
          Tested.reset();
          std::_Exit(testing::Test::HasFailure() ? 1 : 0);
        },
        testing::ExitedWithCode(0), "");
  }

  void expectWhole() {
    std::atomic<std::uint64_t> Wrong = 0;
    for (std::uint64_t Which = 0; Which < Count; ++Which)
      Tested->submit(
          [&, Which](std::span<const char> Block) {
            Wrong += Block.size() - std::uint64_t(std::count(Block.begin(), Block.end(), char(Which)));
          },
          read(Blocks[Which]));
    Tested->run();
    EXPECT_EQ(Wrong, 0u);
  }

  TemporaryFolder Folder;
  std::atomic<bool> Full = false;
  std::optional<Store> Tested;
  std::vector<Executor<char[]>> Blocks;
};

TEST_F(OutOfCoreTrap, TheStoreSaysWhetherItWatches) {
  make(1024 * MiB);
  EXPECT_TRUE(Tested->statistics().watches_allocations);
  Tested.emplace(Options{.budget_bytes = 1024 * MiB, .folder = Folder.Path, .trap = false});
  EXPECT_FALSE(Tested->statistics().watches_allocations);
  Tested.emplace(Options{.folder = Folder.Path});
  EXPECT_FALSE(Tested->statistics().watches_allocations);
  Tested->set_budget(1024 * MiB);
  EXPECT_TRUE(Tested->statistics().watches_allocations);
}

TEST_F(OutOfCoreTrap, AnAllocationAboveTheBudgetEvicts) {
  make(200 * MiB);
  const Statistics Before = Tested->statistics();
  EXPECT_EQ(Before.resident, Count);
  void *volatile Taken = std::malloc(100 * MiB);
  const Statistics After = Tested->statistics();
  EXPECT_GE(After.trapped_allocations, 1u);
  EXPECT_GE(After.evictions, 7u);
  EXPECT_LE(After.resident_bytes, 100 * MiB);
  expectWhole();
  EXPECT_LE(Tested->statistics().resident_bytes, 100 * MiB);
  std::free(Taken);
  expectWhole();
}

TEST_F(OutOfCoreTrap, WhatATaskHasReservedIsNotCountedTwice) {
  make(220 * MiB);
  Tested->submit(
      [&](std::span<const char>) {
        void *volatile Taken = std::malloc(60 * MiB);
        for (const Executor<char[]> &Which : Blocks)
          Tested->submit([](std::span<const char>) {}, read(Which)); // the first are decided on at once
        std::free(Taken);
      },
      reserve(60 * MiB), read(Blocks[0]));
  Tested->run();
  EXPECT_EQ(Tested->statistics().evictions, 0u); // 128 MiB of blocks, and the 60
  EXPECT_EQ(Tested->statistics().trapped_allocations, 0u);
  EXPECT_GE(Tested->statistics().peak_bytes, 188 * MiB);
  expectWhole();
}

TEST_F(OutOfCoreTrap, WhereNothingIsLeftAnAllocationExceedsTheBudget) {
  make(200 * MiB);
  void *volatile Taken = std::malloc(300 * MiB);
  EXPECT_NE(Taken, nullptr);
  EXPECT_EQ(Tested->statistics().resident, 0u);
  std::free(Taken);
  expectWhole();
}

TEST_F(OutOfCoreTrap, AFailedMallocEvictsAndSucceeds) {
  inChild([&] {
    void *volatile Taken = std::malloc(100 * MiB);
    EXPECT_NE(Taken, nullptr);
    EXPECT_EQ(Tested->statistics().trapped_allocations, 1u);
    EXPECT_GE(Tested->statistics().evictions, 15u);
    std::free(Taken);
  });
}

TEST_F(OutOfCoreTrap, NewAndVectorsToo) {
  inChild([&] {
    std::vector<double> Numbers;
    for (int At = 0; At < 8'000'000; ++At) // twice as much again and again
      Numbers.push_back(At);
    const std::unique_ptr<char[]> Block(new char[30 * MiB]);
    EXPECT_EQ(Numbers.back(), 7'999'999);
    EXPECT_GE(Tested->statistics().trapped_allocations, 2u);
  });
}

TEST_F(OutOfCoreTrap, MappingsToo) {
  inChild([&] {
    const auto Map = [](std::uint64_t Bytes) {
      return ::mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    };
    void *At = Map(60 * MiB);
    ASSERT_NE(At, MAP_FAILED);
    At = ::mremap(At, 60 * MiB, 110 * MiB, MREMAP_MAYMOVE);
    ASSERT_NE(At, MAP_FAILED);
    EXPECT_EQ(Tested->statistics().trapped_allocations, 2u);
    EXPECT_EQ(::munmap(At, 110 * MiB), 0);
    At = Map(110 * MiB); // there is room now
    EXPECT_NE(At, MAP_FAILED);
    EXPECT_EQ(Tested->statistics().trapped_allocations, 2u);
    EXPECT_EQ(::munmap(At, 110 * MiB), 0);
  });
}

TEST_F(OutOfCoreTrap, TheWholeFamily) {
  inChild([&] {
    void *Blocks[5] = {std::calloc(10, MiB), std::realloc(std::malloc(MiB), 20 * MiB),
                       std::aligned_alloc(4096, 20 * MiB), nullptr, ::reallocarray(nullptr, 20, MiB)};
    EXPECT_EQ(::posix_memalign(&Blocks[3], 4096, 20 * MiB), 0);
    for (void *Each : Blocks) {
      EXPECT_NE(Each, nullptr);
      std::free(Each);
    }
    EXPECT_GE(Tested->statistics().trapped_allocations, 2u);
  });
}

TEST_F(OutOfCoreTrap, WhatFitsNowhereFailsAsItWouldHave) {
  inChild([&] {
    errno = 0;
    void *volatile Taken = std::malloc(1024 * MiB);
    EXPECT_EQ(Taken, nullptr);
    EXPECT_EQ(errno, ENOMEM);
    EXPECT_EQ(Tested->statistics().resident, 0u);
    EXPECT_THROW(Taken = ::operator new(1024 * MiB), std::bad_alloc);
    Taken = std::malloc(SIZE_MAX);
    EXPECT_EQ(Taken, nullptr);
  });
}

TEST_F(OutOfCoreTrap, OnAFullDiskItFailsAndNothingIsLost) {
  inChild([&] {
    Full = true;
    void *volatile Taken = std::malloc(100 * MiB);
    EXPECT_EQ(Taken, nullptr);
    EXPECT_EQ(Tested->statistics().resident, Count);
    EXPECT_EQ(Tested->statistics().evictions, 0u);
    expectWhole();
    Full = false;
    Taken = std::malloc(100 * MiB);
    EXPECT_NE(Taken, nullptr);
    std::free(Taken);
  });
}

TEST_F(OutOfCoreTrap, WithoutTheTrapItFails) {
  EXPECT_EXIT(
      {
        make(1024 * MiB, false);
        limit(40 * MiB);
        void *volatile Taken = std::malloc(100 * MiB);
        std::_Exit(Taken ? 1 : 0);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(OutOfCoreTrap, EightThreadsThatFailAtOnceAllSucceed) {
  EXPECT_EXIT(
      {
        make(1024 * MiB);
        EXPECT_EQ(failedOf8(17 * MiB), 0);
        EXPECT_GE(Tested->statistics().trapped_allocations, 1u);
        expectWhole();
        Tested.reset();
        std::_Exit(testing::Test::HasFailure() ? 1 : 0);
      },
      testing::ExitedWithCode(0), "");
}

} // namespace
