// Bytes that data may be written to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/heap/TaintedMemory.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace memshape;

TEST(TaintedMemory, RangesEndWhereTheyEnd) {
  TaintedMemory Memory;
  EXPECT_TRUE(Memory.empty());
  Memory.taint(100, 20);
  EXPECT_FALSE(Memory.meets(92, 8));
  EXPECT_TRUE(Memory.meets(93, 8));
  EXPECT_TRUE(Memory.meets(119, 1));
  EXPECT_FALSE(Memory.meets(120, 8));
  Memory.taint(300, 0);
  EXPECT_FALSE(Memory.meets(300, 1));
}

TEST(TaintedMemory, ARangeWithoutAnEndTaintsWhatLiesBehind) {
  TaintedMemory Memory;
  Memory.taint(1000, UINT64_MAX);
  EXPECT_FALSE(Memory.meets(0, 1000));
  EXPECT_TRUE(Memory.meets(UINTPTR_MAX - 8, 4));
  Memory.taintEverything();
  EXPECT_TRUE(Memory.meets(0, 8));
  Memory.reset();
  EXPECT_TRUE(Memory.empty());
}

TEST(TaintedMemory, TooManyRangesTaintEverything) {
  TaintedMemory Memory;
  for (std::uintptr_t At = 0; At != 100'000; ++At)
    Memory.taint(16 * At + 64, 4);
  EXPECT_TRUE(Memory.meets(0, 4));
}

TEST(TaintedMemory, DoesAsABitPerByteWould) {
  std::mt19937 Draw(7);
  constexpr unsigned Bytes = 64;
  for (unsigned Trial = 0; Trial != 500; ++Trial) {
    TaintedMemory Memory;
    std::set<std::uintptr_t> Known;
    for (unsigned Step = 0; Step != 12; ++Step) {
      const std::uintptr_t From = Draw() % Bytes, To = Draw() % Bytes;
      const std::uint64_t Length = Draw() % 16;
      std::set<std::uintptr_t> Copied;
      switch (Draw() % 3) {
      case 0:
        Memory.taint(From, Length);
        for (std::uint64_t I = 0; I != Length; ++I)
          Known.insert(From + I);
        break;
      case 1:
        Memory.clear(From, Length);
        for (std::uint64_t I = 0; I != Length; ++I)
          Known.erase(From + I);
        break;
      case 2:
        Memory.copy(From, To, Length);
        for (std::uint64_t I = 0; I != Length; ++I)
          if (Known.contains(From + I))
            Copied.insert(To + I);
        for (std::uint64_t I = 0; I != Length; ++I)
          Known.erase(To + I);
        Known.insert(Copied.begin(), Copied.end());
        break;
      }
      for (std::uintptr_t At = 0; At != Bytes + 16; ++At)
        ASSERT_EQ(Memory.meets(At, 1), Known.contains(At)) << "byte " << At << " of trial " << Trial;
    }
  }
}
