// Freed memory that the allocator does not give back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/heap/KeptBlocks.h"
#include "runner/heap/TouchedMemory.h"

#include <gtest/gtest.h>

using namespace memshape;

constexpr std::uint64_t MiB = 1 << 20, KiB = 1 << 10;
constexpr std::uintptr_t A = 1 << 30, B = 2u << 30, C = 3u << 30;

TEST(KeptBlocks, TheFirstLargeBlocksAreGivenBack) {
  KeptBlocks Arena;
  EXPECT_EQ(Arena.allocate(A, 4 * MiB), 0u);
  EXPECT_EQ(Arena.allocate(B, 3 * MiB), 0u);
  Arena.release(A, 4 * MiB, 4 * MiB);
  Arena.release(B, 3 * MiB, 3 * MiB);
  EXPECT_EQ(Arena.kept(), 0);
}

TEST(KeptBlocks, ABlockThatIsSmallerThanOneFreedBeforeIsKept) {
  KeptBlocks Arena;
  Arena.allocate(A, 4 * MiB);
  Arena.release(A, 4 * MiB, 4 * MiB);
  Arena.allocate(A, 3 * MiB);
  EXPECT_EQ(Arena.kept(), 0);
  Arena.release(A, 3 * MiB, 3 * MiB);
  EXPECT_EQ(Arena.kept(), std::int64_t(3 * MiB));
  EXPECT_EQ(Arena.allocate(B, 5 * MiB), 0u) << "has pages of its own";
  EXPECT_EQ(Arena.kept(), std::int64_t(3 * MiB));
  EXPECT_EQ(Arena.allocate(C, MiB), MiB + 16) << "lies where the freed one was";
  EXPECT_EQ(Arena.kept(), std::int64_t(2 * MiB - 16));
}

TEST(KeptBlocks, ABlockThatFitsExactlyLiesWhereTheFreedOneWas) {
  KeptBlocks Arena;
  Arena.allocate(A, 4 * MiB);
  Arena.release(A, 4 * MiB, 4 * MiB);
  Arena.allocate(A, MiB);
  Arena.allocate(B, MiB); // behind it
  Arena.release(A, MiB, MiB);
  EXPECT_EQ(Arena.kept(), std::int64_t(MiB));
  EXPECT_EQ(Arena.allocate(C, MiB), MiB);
  EXPECT_EQ(Arena.kept(), 0);
}

TEST(KeptBlocks, TheEndOfTheArenaIsGivenBackAboveTwiceTheThreshold) {
  KeptBlocks Arena;
  Arena.allocate(A, MiB);
  Arena.release(A, MiB, MiB);
  for (std::uintptr_t I = 0; I < 3; ++I)
    Arena.allocate(B + I, MiB - 16 * KiB);
  Arena.release(B, MiB - 16 * KiB, MiB - 16 * KiB);
  Arena.release(B + 1, MiB - 16 * KiB, MiB - 16 * KiB);
  EXPECT_EQ(Arena.kept(), std::int64_t(2 * MiB - 32 * KiB)) << "a block lies behind them";
  Arena.release(B + 2, MiB - 16 * KiB, MiB - 16 * KiB);
  EXPECT_EQ(Arena.kept(), std::int64_t(KeptBlocks::TopPad));
}

TEST(KeptBlocks, BlocksAboveTheGreatestThresholdAreAlwaysGivenBack) {
  KeptBlocks Arena;
  for (int Iteration = 0; Iteration < 3; ++Iteration) {
    Arena.allocate(A, 40 * MiB);
    Arena.release(A, 40 * MiB, 40 * MiB);
    EXPECT_EQ(Arena.kept(), 0);
  }
}

TEST(KeptBlocks, OnlyWhatWasInMemoryStaysThere) {
  KeptBlocks Arena;
  Arena.allocate(A, 4 * MiB);
  Arena.release(A, 4 * MiB, 0);
  Arena.allocate(A, 3 * MiB);
  Arena.release(A, 3 * MiB, MiB);
  EXPECT_EQ(Arena.kept(), std::int64_t(MiB));
}

TEST(KeptBlocks, ManyBlocksAreNotFollowed) {
  KeptBlocks Arena;
  Arena.allocate(A, MiB);
  Arena.release(A, MiB, MiB);
  for (std::uintptr_t I = 1; I < 1000; ++I)
    Arena.allocate(B + I, MiB / 2);
  for (std::uintptr_t I = 1; I < 1000; I += 2)
    Arena.release(B + I, MiB / 2, MiB / 2);
  EXPECT_GE(Arena.kept(), 0);
  EXPECT_LE(Arena.kept(), std::int64_t(500 * MiB / 2));
}

TEST(KeptBlocks, CountBesideWhatIsWritten) {
  TouchedMemory Memory;
  Memory.begin();
  auto Use = [&](std::uintptr_t At, std::uint64_t Bytes) {
    Memory.allocate(At, Bytes, /*Announced=*/true, /*Counted=*/true);
    Memory.touch(At, {TouchedMemory::Whole, 0, 1});
  };
  Use(A, 4 * MiB);
  Memory.release(A, 4 * MiB, true);
  Use(A, 3 * MiB);
  Memory.release(A, 3 * MiB, true);
  EXPECT_EQ(Memory.kept(), 0);
  Use(B, 2 * MiB); // where the last one was: 3 MiB are in memory
  EXPECT_EQ(Memory.blocks(), std::int64_t(4 * MiB));
  EXPECT_EQ(Memory.kept(), 0);
  Use(C, 5 * MiB);
  EXPECT_EQ(Memory.blocks(), std::int64_t(7 * MiB));
  EXPECT_EQ(Memory.kept(), std::int64_t(MiB)) << "what lies behind the block at B, and its header";
}
