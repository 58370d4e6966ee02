// What a call leaves to the next one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/evaluation/LastingState.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace memshape;

namespace {

class LastingStateTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_TRUE(Memory.open(0));
    Memory.Figures.configure(std::vector<std::uint8_t>(4, 0));
  }
  void TearDown() override { EXPECT_EQ(Problem, Heap::Fault::None); }

  std::uint64_t *make(std::uint64_t Bytes, bool Untouched = false) {
    return static_cast<std::uint64_t *>(Memory.allocate({Bytes, 0, 0, Untouched}, Problem));
  }
  void drop(void *Block) { Memory.release(Block, true, Problem); }
  std::optional<std::uint64_t> hash() {
    LastingState State(Memory);
    State.add(reinterpret_cast<const char *>(Variables), sizeof(Variables));
    return State.hash();
  }

  Heap Memory;
  Heap::Fault Problem = Heap::Fault::None;
  std::uint64_t *Variables[4] = {};
};

TEST_F(LastingStateTest, ABlockLikeTheOneBeforeIsTheSame) {
  Variables[0] = make(64);
  Variables[0][3] = 7;
  const std::optional<std::uint64_t> Before = hash();
  ASSERT_TRUE(Before);
  std::uint64_t *Old = Variables[0];
  Variables[0] = make(64);
  Variables[0][3] = 7;
  drop(Old);
  EXPECT_NE(Variables[0], Old);
  EXPECT_EQ(hash(), Before);
}

TEST_F(LastingStateTest, BlocksThatChangePlacesAreTheSame) {
  Variables[0] = make(64);
  Variables[1] = make(64);
  const std::optional<std::uint64_t> Before = hash();
  std::swap(Variables[0], Variables[1]);
  EXPECT_EQ(hash(), Before);
}

TEST_F(LastingStateTest, WhatABlockLeadsToCounts) {
  Variables[0] = make(16);
  std::uint64_t *Far = make(64);
  Variables[0][1] = reinterpret_cast<std::uint64_t>(Far);
  const std::optional<std::uint64_t> Before = hash();
  Far[7] = 1;
  EXPECT_NE(hash(), Before);
  Far[7] = 0;
  EXPECT_EQ(hash(), Before);
}

TEST_F(LastingStateTest, PointersOfPackedStructuresAreFollowed) {
  Variables[0] = make(32);
  std::uint64_t *Far = make(64);
  std::memcpy(reinterpret_cast<char *>(Variables[0]) + 3, &Far, sizeof(Far));
  const std::optional<std::uint64_t> Before = hash();
  Far[2] = 1;
  EXPECT_NE(hash(), Before);
}

TEST_F(LastingStateTest, TheEndOfABlockIsNoOtherBlock) {
  for (const bool Untouched : {false, true}) {
    Variables[0] = make(4096, Untouched);
    Variables[1] = Variables[0] + 512;
    const std::optional<std::uint64_t> Before = hash();
    std::uint64_t *Old = Variables[0];
    Variables[2] = nullptr;
    std::uint64_t *Between = make(4096, Untouched);
    Variables[0] = make(4096, Untouched);
    Variables[1] = Variables[0] + 512;
    EXPECT_EQ(hash(), Before);
    Variables[1] = Variables[0] + 511;
    EXPECT_NE(hash(), Before);
    drop(Old);
    drop(Between);
    drop(Variables[0]);
  }
}

TEST_F(LastingStateTest, SizesOfBlocksWithoutMemoryCount) {
  Variables[0] = make(4096, true);
  const std::optional<std::uint64_t> Before = hash();
  drop(Variables[0]);
  Variables[0] = make(4097, true);
  EXPECT_NE(hash(), Before);
}

TEST_F(LastingStateTest, TextIsNoAddress) {
  char *const Text = reinterpret_cast<char *>(Variables);
  std::optional<std::uint64_t> Before;
  for (const char *Word : {"filter", "radius", "sorted"}) {
    std::strcpy(Text, Word);
    const std::optional<std::uint64_t> Now = hash();
    ASSERT_TRUE(Now);
    EXPECT_NE(Now, Before);
    Before = Now;
  }
}

TEST_F(LastingStateTest, TooMuchToLookThroughIsNotKnown) {
  Variables[0] = make(std::uint64_t(1) << 30);
  EXPECT_EQ(hash(), std::nullopt);
}

} // namespace
