// What blocks count as if a line were changed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/accounting/TriedChange.h"

#include <gtest/gtest.h>

using namespace memshape;

namespace {

/// Live bytes and their peak, as an account has them.
struct Account {
  TriedChange Tried;
  std::int64_t Live = 0, Peak = 0;
  std::unordered_map<std::uintptr_t, TriedChange::Block> Blocks;

  explicit Account(const Change &Of, const std::vector<std::int64_t> &Shape = {}) { Tried.begin(Of, Shape); }
  void add(std::uintptr_t At, std::int32_t Site, std::uint64_t Bytes) {
    for (const auto &[Other, Gone] : Tried.freedBefore(Site))
      Live -= std::int64_t(Gone);
    Blocks[At] = {At, Site, Bytes};
    Live += std::int64_t(Tried.allocated(Blocks[At], /*Announced=*/true));
    Peak = std::max(Peak, Live);
  }
  void drop(std::uintptr_t At) {
    Live -= std::int64_t(Tried.released(Blocks[At]));
    Blocks.erase(At);
  }
  /// As a vector that grows to Count elements of a byte.
  void grow(std::uint64_t Count) {
    std::uintptr_t Old = 0;
    for (std::uint64_t Room = 1; Room < 2 * Count; Room *= 2) {
      const std::uintptr_t New = 1000 + Room;
      add(New, 0, Room);
      if (Old)
        drop(Old);
      Tried.touched(New, std::min(Room, Count));
      Old = New;
    }
    add(1, 1, 7); // beside it
    drop(1);
    drop(Old);
  }
};

} // namespace

TEST(TriedChange, ScalesBlocksOfItsSites) {
  Account Half({.What = Change::Kind::Scale, .Sites = {0}, .Times = 1, .Parts = 2});
  Half.add(10, 0, 9);
  Half.add(20, 1, 100);
  EXPECT_EQ(Half.Peak, 105) << "rounded up";
  Half.drop(10);
  Half.drop(20);
  EXPECT_EQ(Half.Live, 0);
  Account Part({.What = Change::Kind::Scale, .Sites = {0}, .Times = 3, .Extent = 1}, {5, 10});
  Part.add(10, 0, 80);
  EXPECT_EQ(Part.Peak, 24) << "three of ten";
}

TEST(TriedChange, ScalesByNoMoreThanAll) {
  Account Part({.What = Change::Kind::Scale, .Sites = {0}, .Times = 16, .Extent = 0}, {5});
  Part.add(10, 0, 80);
  EXPECT_EQ(Part.Peak, 80);
}

TEST(TriedChange, FreesBlocksBeforeOthersCome) {
  Account Closed({.What = Change::Kind::Close, .Sites = {0}, .Before = {1}});
  Closed.add(10, 0, 100);
  Closed.add(20, 1, 60);
  EXPECT_EQ(Closed.Peak, 100);
  Closed.drop(10);
  EXPECT_EQ(Closed.Live, 60) << "it was freed before";
  Closed.add(10, 0, 5);
  Closed.drop(10);
  Closed.drop(20);
  EXPECT_EQ(Closed.Live, 0);
}

TEST(TriedChange, GivesGrowingBlocksTheirLastSizeAtOnce) {
  Account Reserved({.What = Change::Kind::Reserve, .Sites = {0}, .Into = {0}});
  Reserved.grow(100);
  EXPECT_EQ(Reserved.Peak, 64 + 128) << "a call to learn from";
  EXPECT_EQ(Reserved.Live, 0);
  EXPECT_TRUE(Reserved.Tried.learns());
  Reserved.Tried.apply();
  Reserved.Tried.beginCall();
  Reserved.Peak = 0;
  Reserved.grow(100);
  EXPECT_EQ(Reserved.Peak, 107) << "what is written, and the block beside";
  EXPECT_EQ(Reserved.Live, 0);
  EXPECT_FALSE(Reserved.Tried.learns());
}

TEST(TriedChange, TellsWhetherTheSameBlocksLive) {
  Account Gone({.What = Change::Kind::Scale, .Sites = {0}, .Times = 0});
  const std::uint64_t Before = Gone.Tried.balance();
  Gone.add(10, 0, 100);
  EXPECT_EQ(Gone.Live, 0);
  EXPECT_NE(Gone.Tried.balance(), Before);
  Gone.drop(10);
  EXPECT_EQ(Gone.Tried.balance(), Before);
}
