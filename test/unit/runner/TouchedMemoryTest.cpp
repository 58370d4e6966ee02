// What of the requested memory is written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/heap/TouchedMemory.h"

#include <gtest/gtest.h>

using namespace memshape;

namespace {

constexpr std::uint64_t MiB = 1 << 20;
constexpr std::uintptr_t A = 1 << 30, B = 2u << 30;

class TouchedMemoryTest : public testing::Test {
protected:
  TouchedMemory Memory;
  void SetUp() override { Memory.begin(); }
  void take(std::uintptr_t At, std::uint64_t Bytes, bool Announced = true) {
    Memory.allocate(At, Bytes, Announced, /*Counted=*/true);
  }
  void drop(std::uintptr_t At, std::uint64_t Bytes) { Memory.release(At, Bytes, true); }
};

TEST_F(TouchedMemoryTest, BlocksCountAsFarAsTheyAreWritten) {
  take(A, 8 * MiB);
  EXPECT_EQ(Memory.blocks(), 0);
  Memory.touch(A, {MiB, 0, 1});
  Memory.touch(A + MiB, {MiB, 0, 1});
  EXPECT_EQ(Memory.blocks(), 2 * MiB);
  Memory.touch(A, {MiB, 0, 1}); // again
  EXPECT_EQ(Memory.blocks(), 2 * MiB);
  Memory.touch(A + 7 * MiB, {2 * MiB, 0, 1}); // no further than its end
  EXPECT_EQ(Memory.blocks(), 4 * MiB) << "what is written, rather than the range around it";
  Memory.touch(A, {TouchedMemory::Whole, 0, 1});
  EXPECT_EQ(Memory.blocks(), 8 * MiB);
}

TEST_F(TouchedMemoryTest, BlocksThatAreNotAnnouncedOrSmallCountWhole) {
  take(A, 8 * MiB, /*Announced=*/false);
  take(B, TouchedMemory::LargeBytes - 1);
  EXPECT_EQ(Memory.blocks(), 8 * MiB + TouchedMemory::LargeBytes - 1);
  Memory.touch(A, {MiB, 0, 1});
  EXPECT_EQ(Memory.blocks(), 8 * MiB + TouchedMemory::LargeBytes - 1);
}

TEST_F(TouchedMemoryTest, ThePeakIsOneMoment) {
  take(A, 8 * MiB);
  Memory.touch(A, {5 * MiB, 0, 1});
  drop(A, 8 * MiB);
  take(B, 8 * MiB);
  Memory.touch(B, {4 * MiB, 0, 1});
  EXPECT_EQ(Memory.blocks(), 5 * MiB);
  Memory.addTransient(2 * MiB);
  EXPECT_EQ(Memory.blocks(), 6 * MiB);
}

TEST_F(TouchedMemoryTest, RowsCountAloneWhereAPageLiesBetweenThem) {
  take(A, 64 * MiB);
  Memory.touch(A, {1000, 1000 + TouchedMemory::PageBytes, 1000});
  EXPECT_EQ(Memory.blocks(), 1000 * (1000 + 4096) - 4096) << "no more than from the first to the last byte";
  take(B, 64 * MiB);
  Memory.touch(B, {1000, 40000, 1000});
  EXPECT_EQ(Memory.blocks(), 1000 * (1000 + 4096) - 4096 + 1000 * (1000 + 4096));
}

TEST_F(TouchedMemoryTest, RangesWithoutLengthAreNone) {
  take(A, 8 * MiB);
  Memory.touch(A, {0, 0, 1});
  Memory.touch(A, {std::uint64_t(-8), 0, 1});
  Memory.touch(A, {8, 8, 0});
  Memory.touch(A - 1, {8, 0, 1});
  Memory.touch(A + 8 * MiB, {8, 0, 1});
  EXPECT_EQ(Memory.blocks(), 0);
  Memory.touch(A, {8, UINT64_MAX / 2, UINT64_MAX / 2}); // far too long
  EXPECT_EQ(Memory.blocks(), 8 * MiB);
}

TEST_F(TouchedMemoryTest, BelowAnEndIsTheBlockInFrontOfIt) {
  take(A, 8 * MiB);
  Memory.touch(A, {TouchedMemory::Below, 0, 1}); // nothing so far
  EXPECT_EQ(Memory.blocks(), 0);
  Memory.touch(A + MiB, {TouchedMemory::Below, 0, 1});
  EXPECT_EQ(Memory.blocks(), MiB - 1 + TouchedMemory::PageBytes);
  Memory.touch(A + 8 * MiB, {TouchedMemory::Below, 0, 1});
  EXPECT_EQ(Memory.blocks(), 8 * MiB);
}

TEST_F(TouchedMemoryTest, AReallocationKeepsWhatIsWritten) {
  take(A, 8 * MiB);
  Memory.touch(A, {3 * MiB, 0, 1});
  Memory.reallocate(A, 8 * MiB, B, 16 * MiB, /*Announced=*/true, true);
  EXPECT_EQ(Memory.blocks(), 3 * MiB);
  Memory.reallocate(B, 16 * MiB, A, 2 * MiB, true, true);
  Memory.touch(A, {2 * MiB, 0, 1});
  EXPECT_EQ(Memory.blocks(), 3 * MiB);
  Memory.reallocate(A, 2 * MiB, B, 4 * MiB, /*Announced=*/false, true);
  EXPECT_EQ(Memory.blocks(), 4 * MiB);
}

TEST_F(TouchedMemoryTest, TensorsCountWhereTheSkeletonTellsOfAll) {
  take(A, 8 * MiB);
  Memory.touch(A, {8 * MiB, 0, 1});
  Memory.touchTensor(0, 0, {MiB, 0, 1});
  EXPECT_EQ(Memory.blocksAndTensors(), std::nullopt);
  Memory.reportsTensors();
  EXPECT_EQ(Memory.blocksAndTensors(), 9 * MiB);
  drop(A, 8 * MiB);
  Memory.touchTensor(1, 0, {2 * MiB, 0, 1});
  EXPECT_EQ(Memory.blocksAndTensors(), 9 * MiB);
  EXPECT_EQ(Memory.blocks(), 8 * MiB);
  Memory.touchTensor(1, 0, {TouchedMemory::Whole, 0, 1});
  EXPECT_EQ(Memory.blocksAndTensors(), std::nullopt) << "nobody says how long a tensor is";
  Memory.giveUp();
  EXPECT_EQ(Memory.blocks(), std::nullopt);
}

TEST_F(TouchedMemoryTest, MoreBlocksThanThereIsRoomForCountWhole) {
  for (std::uintptr_t I = 0; I < 1025; ++I)
    take(A + I * MiB, MiB);
  EXPECT_EQ(Memory.blocks(), MiB);
  drop(A + 1024 * MiB, MiB);
  take(B + 4096 * MiB, MiB / 4, /*Announced=*/false);
  EXPECT_EQ(Memory.blocks(), MiB);
}

} // namespace
