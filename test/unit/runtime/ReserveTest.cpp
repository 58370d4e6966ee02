// Memory for those who free memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

extern "C" {
#include "trap/mappings.h"
#include "trap/reserve.h"
}

namespace {

class Reserve : public testing::Test {
protected:
  static constexpr std::size_t Bytes = 1 << 20;

  void SetUp() override { ASSERT_EQ(memshape_reserve_make(Bytes), 1); }
  void TearDown() override { EXPECT_EQ(memshape_reserve_drop(), 1); }
};

TEST_F(Reserve, BlocksAreAlignedAndApart) {
  std::vector<unsigned char *> Blocks;
  for (std::size_t Alignment = 1; Alignment <= 65536; Alignment *= 2) {
    void *Made = memshape_reserve_get(1000, Alignment);
    ASSERT_NE(Made, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(Made) % std::max<std::size_t>(Alignment, 16), 0u);
    EXPECT_TRUE(memshape_in_reserve(Made));
    EXPECT_EQ(memshape_reserve_bytes(Made), 1000u);
    std::memset(Made, int(Blocks.size()), 1000);
    Blocks.push_back(static_cast<unsigned char *>(Made));
  }
  EXPECT_EQ(memshape_reserve_drop(), 0); // in use
  for (std::size_t Each = 0; Each < Blocks.size(); ++Each) {
    EXPECT_EQ(Blocks[Each][0], Each);
    EXPECT_EQ(Blocks[Each][999], Each);
    memshape_reserve_put(Blocks[Each]);
  }
}

TEST_F(Reserve, WhatIsFreedIsWholeAgain) {
  for (const int Stride : {1, 2, 3}) {
    std::vector<void *> Blocks;
    while (void *Made = memshape_reserve_get(5000, 16))
      Blocks.push_back(Made);
    EXPECT_GE(Blocks.size(), Bytes / 5200);
    for (int First = 0; First < Stride; ++First)
      for (std::size_t Each = std::size_t(First); Each < Blocks.size(); Each += std::size_t(Stride))
        memshape_reserve_put(Blocks[Each]);
    void *Most = memshape_reserve_get(Bytes - 4096, 16);
    ASSERT_NE(Most, nullptr) << Stride;
    memshape_reserve_put(Most);
  }
}

TEST_F(Reserve, MoreThanThereIsIsNull) {
  EXPECT_EQ(memshape_reserve_get(Bytes, 16), nullptr);
  EXPECT_EQ(memshape_reserve_get(SIZE_MAX, 16), nullptr);
  EXPECT_EQ(memshape_reserve_get(1, std::size_t(1) << 40), nullptr);
}

TEST_F(Reserve, ThreadsShareIt) {
  std::atomic<int> Wrong = 0;
  std::vector<std::thread> Threads;
  for (int Thread = 0; Thread < 4; ++Thread)
    Threads.emplace_back([&, Thread] {
      for (std::size_t Round = 0; Round < 2000; ++Round) {
        auto *Made = static_cast<unsigned char *>(memshape_reserve_get(1 + Round * 37 % 3000, 16));
        if (!Made)
          continue;
        Made[0] = static_cast<unsigned char>(Thread);
        std::this_thread::yield();
        Wrong += Made[0] != Thread;
        memshape_reserve_put(Made);
      }
    });
  for (std::thread &Thread : Threads)
    Thread.join();
  EXPECT_EQ(Wrong, 0);
}

TEST(Mappings, PartsOfRangesAreCounted) {
  EXPECT_EQ(memshape_mappings_add(1000, 2000), 1);
  EXPECT_EQ(memshape_mappings_add(3000, 4000), 1);
  EXPECT_EQ(memshape_mappings_remove(1200, 1300), 100u);
  EXPECT_EQ(memshape_mappings_remove(1100, 1400), 200u);
  EXPECT_EQ(memshape_mappings_remove(1900, 3100), 200u);
  EXPECT_EQ(memshape_mappings_remove(0, 900), 0u);
  EXPECT_EQ(memshape_mappings_remove(0, 10000), 100u + 500 + 900);
  EXPECT_EQ(memshape_mappings_remove(0, 10000), 0u);
  EXPECT_EQ(memshape_mappings_add(1000, 2000), 1);
  memshape_mappings_forget();
  EXPECT_EQ(memshape_mappings_remove(0, 10000), 0u);
}

} // namespace
