// Blocks and what is behind them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses, alignment, zeros, reuse and bad frees.

#include "runner/heap/Heap.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace memshape;

namespace {

class HeapTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_TRUE(Memory.open(0));
    Memory.Figures.configure(std::vector<std::uint8_t>(4, 0));
  }
  void TearDown() override { EXPECT_EQ(Problem, Heap::Fault::None); }

  void *make(std::uint64_t Bytes, std::uint64_t Alignment = 0, bool Untouched = false) {
    return Memory.allocate({Bytes, Alignment, 0, Untouched}, Problem);
  }
  void drop(void *Block) { Memory.release(Block, true, Problem); }
  Heap::Fault takeProblem() { return std::exchange(Problem, Heap::Fault::None); }

  Heap Memory;
  Heap::Fault Problem = Heap::Fault::None;
};

TEST_F(HeapTest, GivesZeroedAlignedDisjointBlocksOfEverySize) {
  std::mt19937 Random(7);
  std::vector<std::pair<unsigned char *, std::uint64_t>> Live;
  for (int Step = 0; Step < 4000; ++Step) {
    if (Live.size() > 50 || (!Live.empty() && Random() % 2)) {
      auto &Block = Live[Random() % Live.size()];
      for (std::uint64_t I = 0; I < Block.second; I += 97)
        ASSERT_EQ(Block.first[I], Block.second & 0xff) << "another block wrote here";
      drop(Block.first);
      Block = Live.back();
      Live.pop_back();
    } else {
      const std::uint64_t Bytes = Random() % (1u << (Random() % 20)), Alignment = 1u << (Random() % 13);
      auto *Block = static_cast<unsigned char *>(make(Bytes, Alignment));
      ASSERT_NE(Block, nullptr);
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(Block) % std::max<std::uint64_t>(Alignment, 16), 0u);
      for (std::uint64_t I = 0; I < Bytes; ++I)
        ASSERT_EQ(Block[I], 0) << "byte " << I << " of " << Bytes;
      std::memset(Block, int(Bytes & 0xff), Bytes);
      Live.push_back({Block, Bytes});
    }
  }
}

TEST_F(HeapTest, GivesTheSameZeroedAddressesAfterAReset) {
  std::vector<char *> Before;
  for (int Round = 0; Round < 3; ++Round) {
    std::vector<char *> Now;
    for (std::uint64_t Bytes : {1u, 40u, 5000u, 70000u, 3u << 20}) {
      Now.push_back(static_cast<char *>(make(Bytes)));
      for (std::uint64_t I = 0; I < Bytes; I += 7)
        ASSERT_EQ(Now.back()[I], 0);
      std::memset(Now.back(), 0x55, Bytes);
    }
    if (Round)
      EXPECT_EQ(Now, Before);
    Before = Now;
    Memory.reset();
  }
}

TEST_F(HeapTest, TellsUntouchedBlocksApartAndOthersFromThem) {
  std::set<void *> Seen;
  for (std::uint64_t Bytes :
       {std::uint64_t(0), std::uint64_t(1), std::uint64_t(5000), std::uint64_t(1) << 31, std::uint64_t(1) << 50}) {
    void *Block = make(Bytes, 64, true);
    ASSERT_NE(Block, nullptr);
    EXPECT_TRUE(Memory.owns(Block));
    EXPECT_EQ(Memory.bytesOf(Block, Problem), Bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(Block) % 64, 0u);
    EXPECT_TRUE(Seen.insert(Block).second);
  }
  const int Local = 0;
  EXPECT_FALSE(Memory.owns(&Local));
  EXPECT_FALSE(Memory.owns(nullptr));
}

TEST_F(HeapTest, HoldsMillionsOfUntouchedBlocksOfAnySize) {
  std::set<void *> Seen;
  for (int I = 0; I < 300; ++I)
    Seen.insert(make(std::uint64_t(1) << 40, 0, true));
  EXPECT_EQ(Seen.size(), 300u) << "more than the region of large blocks has room for";
  for (int I = 0; I < 1000000; ++I)
    ASSERT_NE(make(64, 0, true), nullptr);
}

TEST_F(HeapTest, KeepsTheContentsThroughAReallocChain) {
  auto *Block = static_cast<char *>(make(0));
  for (std::uint64_t Bytes = 1; Bytes < 400000; Bytes = Bytes * 3 / 2 + 1) {
    Block = static_cast<char *>(Memory.reallocate(Block, {Bytes, 0, 1, false}, Problem));
    ASSERT_NE(Block, nullptr);
    Block[Bytes - 1] = 'x';
    for (std::uint64_t Last = 1; Last <= Bytes; Last = Last * 3 / 2 + 1)
      ASSERT_EQ(Block[Last - 1], 'x');
  }
  EXPECT_EQ(Memory.reallocate(Block, {0, 0, 1, false}, Problem), nullptr);
  EXPECT_EQ(Memory.Figures.figures(0).Live, 0);
  EXPECT_EQ(Memory.Figures.figures(0).Allocations, 1u);
}

TEST_F(HeapTest, MovesBetweenBackedAndUntouched) {
  auto *Block = static_cast<char *>(make(100));
  std::memset(Block, 1, 100);
  void *Phantom = Memory.reallocate(Block, {std::uint64_t(1) << 45, 0, 0, true}, Problem);
  auto *Back = static_cast<char *>(Memory.reallocate(Phantom, {50, 0, 0, false}, Problem));
  EXPECT_EQ(Back[0], 0) << "what was untouched has no contents";
  EXPECT_EQ(Memory.Figures.figures(0).Live, 50);
}

TEST_F(HeapTest, NoticesBadFrees) {
  for (bool Untouched : {false, true}) {
    char *Block = static_cast<char *>(make(100, 0, Untouched));
    drop(Block + 16);
    EXPECT_EQ(takeProblem(), Heap::Fault::NotABlock);
    drop(Block);
    EXPECT_EQ(takeProblem(), Heap::Fault::None);
    drop(Block);
    EXPECT_EQ(takeProblem(), Heap::Fault::NotABlock);
  }
}

TEST_F(HeapTest, UsesNoPlaceAgainInOtherOrders) {
  for (const bool Untouched : {false, true})
    for (std::uint32_t Order = 1; Order <= Places::Orders; ++Order) {
      Memory.reset();
      Memory.place(Places(Order, {}));
      std::set<void *> Seen;
      for (std::uint64_t Bytes : {40ull, 40ull, 40ull, 70000ull, 70000ull, 2ull << 20, 2ull << 20}) {
        void *Block = make(Bytes, 0, Untouched);
        EXPECT_TRUE(Seen.insert(Block).second);
        EXPECT_EQ(Memory.bytesOf(Block, Problem), Bytes);
        drop(Block);
      }
    }
}

TEST_F(HeapTest, PlacesEachOfThreeBetweenTheOthers) {
  std::set<int> Between;
  for (std::uint32_t Order = 1; Order <= 13; ++Order) {
    Memory.reset();
    Memory.place(Places(Order, {}));
    const void *Blocks[] = {make(40), make(40, 0, true), make(70000)};
    for (int I = 0; I != 3; ++I)
      if ((Blocks[I] < Blocks[(I + 1) % 3]) != (Blocks[I] < Blocks[(I + 2) % 3]))
        Between.insert(I);
  }
  EXPECT_EQ(Between.size(), 3u);
}

TEST_F(HeapTest, PlacesFewBlocksInEachOfTheirOrders) {
  std::set<std::vector<int>> Orders;
  for (std::uint32_t Order = 1; Order <= Places::Orders; ++Order) {
    Memory.reset();
    Memory.place(Places(Order, {2, 4, 5, 3}));
    const void *Blocks[] = {make(40), make(40, 0, true), make(3 << 20), make(40), make(70000)};
    std::vector<int> Sorted = {1, 2, 3, 4};
    std::sort(Sorted.begin(), Sorted.end(), [&](int One, int Other) { return Blocks[One] < Blocks[Other]; });
    Orders.insert(Sorted);
  }
  EXPECT_EQ(Orders.size(), 24u);
}

TEST_F(HeapTest, KnowsWhatLiesInOneBlock) {
  char *One = static_cast<char *>(make(40)), *Other = static_cast<char *>(make(40));
  EXPECT_TRUE(Memory.isInOneBlock(One, One + 40));
  EXPECT_TRUE(Memory.isInOneBlock(Other + 8, Other + 1));
  EXPECT_FALSE(Memory.isInOneBlock(One, Other));
  EXPECT_FALSE(Memory.isInOneBlock(One, One + 41));
  drop(One);
  EXPECT_FALSE(Memory.isInOneBlock(One, One + 1));
}

TEST_F(HeapTest, SaysWhatItCannotHold) {
  EXPECT_EQ(make(std::uint64_t(1) << 50), nullptr);
  EXPECT_EQ(takeProblem(), Heap::Fault::NoRoom);
  EXPECT_EQ(Memory.allocate({1, 0, 99, true}, Problem), nullptr);
  EXPECT_EQ(takeProblem(), Heap::Fault::UnknownSite);
}

} // namespace
