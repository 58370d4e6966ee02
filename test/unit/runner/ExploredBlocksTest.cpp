// Blocks that forget how they came about.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/states/ExploredBlocks.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

using namespace memshape;

namespace {

class ExploredBlocksTest : public testing::Test {
protected:
  static constexpr std::uint64_t ArenaBytes = std::uint64_t(1) << 36;
  void SetUp() override {
    void *Pages = mmap(nullptr, ArenaBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ASSERT_NE(Pages, MAP_FAILED);
    Arena = static_cast<char *>(Pages);
    Blocks.open(Arena, ArenaBytes, 10, false);
  }
  void TearDown() override { munmap(Arena, ArenaBytes); }

  char *make(std::uint64_t Bytes, std::int32_t Site, bool Untouched = false) {
    return static_cast<char *>(Blocks.allocate(Bytes, 0, Site, Untouched));
  }
  void drop(void *Block) {
    ASSERT_TRUE(Blocks.find(Block));
    Blocks.release(*Blocks.find(Block));
  }
  StateHash::Value state() const {
    StateHash Hash;
    Blocks.addTo(Hash);
    return Hash.value();
  }

  char *Arena = nullptr;
  ExploredBlocks Blocks;
};

} // namespace

TEST_F(ExploredBlocksTest, WhatCameAndWentLeavesNoTrace) {
  for (bool Untouched : {false, true})
    for (std::uint64_t Bytes : {std::uint64_t(24), std::uint64_t(5000), std::uint64_t(3) << 20}) {
      char *Kept = make(100, 1);
      Kept[3] = 'x';
      const StateHash::Value Before = state();
      char *Gone = make(Bytes, 2, Untouched), *Beside = make(Bytes, 1, Untouched);
      EXPECT_NE(state(), Before);
      if (!Untouched)
        Gone[Bytes - 1] = Beside[0] = 'y';
      drop(Gone);
      drop(Beside);
      EXPECT_EQ(state(), Before);
      EXPECT_EQ(make(Bytes, 2, Untouched), Gone) << "the lowest place that is free";
      if (!Untouched)
        EXPECT_EQ(Gone[Bytes - 1], 0) << "fresh memory is zero";
      Blocks.clear();
    }
}

TEST_F(ExploredBlocksTest, TheOrderOfComingDoesNotMatterBetweenSites) {
  char *A = make(64, 1), *B = make(640, 2);
  const StateHash::Value Before = state();
  Blocks.clear();
  EXPECT_EQ(make(640, 2), B);
  EXPECT_EQ(make(64, 1), A);
  EXPECT_EQ(state(), Before);
}

TEST_F(ExploredBlocksTest, ElsewhereNoDistanceAndNoOrderOfSitesIsTheSame) {
  for (const bool Untouched : {false, true}) {
    const auto Distances = [&](bool Elsewhere) {
      Blocks.open(Arena, ArenaBytes, 10, Elsewhere);
      char *First = make(64, 1, Untouched);
      return std::pair(make(64, 1, Untouched) - First, make(64, 2, Untouched) - First);
    };
    const auto [OfOneSite, OfTwoSites] = Distances(false);
    const auto [OfOneElsewhere, OfTwoElsewhere] = Distances(true);
    EXPECT_NE(OfOneSite, OfOneElsewhere);
    EXPECT_GT(OfTwoSites, 0);
    EXPECT_LT(OfTwoElsewhere, 0);
  }
}

TEST_F(ExploredBlocksTest, ABlockIsAroundItsEndAndNothingBehind) {
  char *First = make(64, 1), *Second = make(64, 1);
  EXPECT_EQ(Blocks.around(First), Blocks.find(First));
  EXPECT_EQ(Blocks.around(First + 64), Blocks.find(First));
  EXPECT_EQ(Blocks.around(First + 65), nullptr);
  EXPECT_EQ(Blocks.around(First - 1), nullptr);
  EXPECT_EQ(Blocks.around(Second + 1), Blocks.find(Second));
}

TEST_F(ExploredBlocksTest, BlocksDoNotOverlap) {
  std::vector<std::pair<char *, std::uint64_t>> Made;
  for (unsigned I = 0; I < 300; ++I) {
    const std::uint64_t Bytes = (I * 7919) % (I % 5 ? 300 : 200'000);
    char *Block = make(Bytes, I % 3);
    ASSERT_TRUE(Block);
    Made.emplace_back(Block, Bytes);
    if (I % 4 == 3) {
      drop(Made[I / 2].first);
      Made[I / 2].first = make(Bytes / 2, I % 2);
      Made[I / 2].second = Bytes / 2;
    }
  }
  std::sort(Made.begin(), Made.end());
  for (std::size_t I = 1; I < Made.size(); ++I)
    EXPECT_LT(Made[I - 1].first + Made[I - 1].second, Made[I].first);
}

TEST_F(ExploredBlocksTest, GoesBackToWhatWas) {
  char *Small = make(10, 1), *Large = make(1 << 20, 2);
  Small[9] = 'a';
  Large[70'000] = 'b';
  ExploredBlocks::Moment Then;
  Blocks.keep(Then);
  const StateHash::Value Before = state();
  EXPECT_LT(Then.Contents.size(), 64u << 10) << "pages that nobody touched are not kept";
  Small[9] = 'c';
  Large[0] = Large[70'000] = 'd';
  make(77, 3)[0] = 'e';
  drop(Small);
  EXPECT_NE(state(), Before);
  Blocks.goBack(Then);
  EXPECT_EQ(state(), Before);
  EXPECT_EQ(Small[9], 'a');
  EXPECT_EQ(Large[70'000], 'b');
  EXPECT_EQ(Large[0], 0);
  EXPECT_EQ(make(77, 3)[0], 0);
}

TEST_F(ExploredBlocksTest, ContentsTellStatesApart) {
  char *Block = make(40, 1);
  const StateHash::Value Before = state();
  Block[17] = 1;
  EXPECT_NE(state(), Before);
  Block[17] = 0;
  EXPECT_EQ(state(), Before);
}
