// Memory of blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockMemory.h"

#include <cstring>
#include <gtest/gtest.h>
#include <vector>

using namespace memshape::out_of_core;

constexpr std::uint64_t HugePage = 2 << 20, Page = 4096;

TEST(BlockMemory, LargeBlocksBeginWithAHugePage) {
  BlockMemory Tested;
  for (const std::uint64_t Bytes : {HugePage, HugePage + Page, 2 * HugePage + 77 * Page, 5 * HugePage - Page})
    for (int Times = 0; Times < 3; ++Times) {
      const auto [At, IsZero] = Tested.take(Bytes);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(At) % HugePage, 0u) << Bytes;
      EXPECT_TRUE(IsZero);
      std::memset(At, 1, Bytes); // the whole of it is there
      Tested.give(At, Bytes);
      EXPECT_EQ(Tested.keptBytes(), Bytes);
      Tested.trim(0);
      EXPECT_EQ(Tested.keptBytes(), 0u);
    }
}

TEST(BlockMemory, BlocksKeepWhatIsInThem) {
  BlockMemory Tested;
  std::vector<unsigned char *> Taken;
  for (unsigned Each = 0; Each < 20; ++Each) {
    Taken.push_back(static_cast<unsigned char *>(Tested.take(HugePage + Each % 2 * Page).At));
    std::memset(Taken.back(), static_cast<int>(Each), HugePage + Each % 2 * Page);
  }
  for (unsigned Each = 0; Each < 20; Each += 3) // what lies around others goes
    Tested.give(Taken[Each], HugePage + Each % 2 * Page);
  Tested.trim(0);
  for (unsigned Each = 0; Each < 20; ++Each)
    if (Each % 3)
      for (std::uint64_t At = 0; At < HugePage + Each % 2 * Page; At += Page)
        ASSERT_EQ(Taken[Each][At], Each);
  for (unsigned Each = 0; Each < 20; ++Each)
    if (Each % 3)
      Tested.give(Taken[Each], HugePage + Each % 2 * Page);
}

TEST(BlockMemory, WhatIsGivenBackIsTakenAgain) {
  BlockMemory Tested;
  const auto First = Tested.take(3 * Page);
  Tested.give(First.At, 3 * Page);
  EXPECT_TRUE(Tested.take(2 * Page).IsZero); // another size
  const auto Second = Tested.take(3 * Page);
  EXPECT_EQ(Second.At, First.At);
  EXPECT_FALSE(Second.IsZero);
}
