// A program that plans evictions itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Stores.h"
#include "TemporaryFolder.h"

#include <atomic>
#include <gmock/gmock.h>
#include <thread>

using namespace memshape::out_of_core;
using testing::ElementsAre;

namespace {

constexpr std::uint64_t Page = 4096, Numbers = Page / sizeof(std::uint64_t);
using Block = Executor<std::uint64_t[]>;

class OutOfCorePlanned : public testing::Test {
protected:
  Options options(std::uint64_t Pages, unsigned Threads) const {
    return {.budget_bytes = Pages * Page, .folder = Folder.Path, .threads = Threads};
  }

  static Block filled(Store &In, std::uint64_t With) {
    const Block Made = In.add<std::uint64_t[]>(Numbers);
    In.submit([With](std::span<std::uint64_t> Of) { std::fill(Of.begin(), Of.end(), With); }, update(Made));
    return Made;
  }

  TemporaryFolder Folder;
};

TEST_F(OutOfCorePlanned, WhatIsConsumedIsNeverWritten) {
  for (const unsigned Threads : {1, 3}) {
    Store Tested(options(2, Threads));
    std::atomic<std::uint64_t> Sum = 0;
    for (std::uint64_t Each = 0; Each < 20; ++Each)
      Tested.submit([&](std::span<const std::uint64_t> Of) { Sum += Of.back(); }, consume(filled(Tested, Each)));
    EXPECT_EQ(Tested.forecast(2 * Page).writes, 0u);
    Tested.run();
    EXPECT_EQ(Sum.load(), 190u);
    EXPECT_EQ(Tested.statistics().writes, 0u);
    EXPECT_EQ(Tested.statistics().evictions, 0u);
    EXPECT_LE(Tested.statistics().peak_bytes, 2 * Page);
  }
}

TEST_F(OutOfCorePlanned, WhatIsConsumedLeavesBeforeWhatIsUsedAgain) {
  Store Tested(options(3, 1));
  const Block Used = filled(Tested, 1), Ended = filled(Tested, 2), Later = filled(Tested, 3);
  Tested.submit([](std::span<const std::uint64_t>) {}, consume(Ended));
  filled(Tested, 4);
  Tested.submit([](auto...) {}, read(Used), read(Later));
  Tested.run();
  EXPECT_EQ(Tested.statistics().writes, 0u);
  EXPECT_EQ(Tested.statistics().reads, 0u);
}

TEST_F(OutOfCorePlanned, WhatWasWrittenAndIsConsumedComesBackOnce) {
  Store Tested(options(1, 1));
  std::vector<Block> All;
  for (std::uint64_t Each = 0; Each < 5; ++Each)
    All.push_back(filled(Tested, Each));
  std::vector<std::uint64_t> Seen;
  for (const Block &Each : All)
    Tested.submit([&](std::span<const std::uint64_t> Of) { Seen.push_back(Of.front()); }, consume(Each));
  Tested.run();
  EXPECT_THAT(Seen, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(Tested.statistics().writes, 5u);
  EXPECT_EQ(Tested.statistics().reads, 5u);
}

TEST_F(OutOfCorePlanned, EvictionsHappenWhereTheyAreInTheQueue) {
  for (const unsigned Threads : {1, 3}) {
    Store Tested(options(10, Threads));
    std::vector<Block> All;
    for (std::uint64_t Each = 0; Each < 6; ++Each)
      All.push_back(filled(Tested, Each));
    Tested.evict(All[4]);
    Tested.evict(All[1]);
    Tested.evict(All[1]); // is not there any more
    std::uint64_t Sum = 0;
    Tested.submit([&](std::span<const std::uint64_t> Of) { Sum += Of.back(); }, read(All[4]));
    const Forecast Said = Tested.forecast(10 * Page);
    EXPECT_EQ(Said.written_bytes, 2 * Page);
    EXPECT_EQ(Said.read_bytes, Page);
    EXPECT_EQ(Tested.forecast(unlimited).written_bytes, 0u);
    Tested.run();
    EXPECT_EQ(Sum, 4u);
    EXPECT_EQ(Tested.statistics().written_bytes, 2 * Page);
    EXPECT_EQ(Tested.statistics().read_bytes, Page);
    EXPECT_EQ(Tested.statistics().resident, 5u);
  }
}

TEST_F(OutOfCorePlanned, AnEvictionAtTheEndOfTheQueueIsThroughWhenRunReturns) {
  Store Tested(options(4, 1));
  const Block Made = filled(Tested, 7);
  Tested.evict(Made);
  Tested.run();
  EXPECT_EQ(Tested.statistics().writes, 1u);
  EXPECT_EQ(Tested.statistics().resident_bytes, 0u);
  EXPECT_EQ((*Tested.pin(read(Made)))[0], 7u);
}

TEST_F(OutOfCorePlanned, NothingIsEvictedWithoutABudgetOrUnderAHandle) {
  Store Free({.folder = Folder.Path});
  const Block There = filled(Free, 1);
  Free.evict(There);
  Free.run();
  EXPECT_EQ(Free.statistics().resident, 1u);
  Store Tested(options(4, 1));
  const Block Made = filled(Tested, 2);
  Tested.run();
  const auto Kept = Tested.pin(read(Made));
  std::thread([&] {
    Tested.evict(Made);
    Tested.run();
  }).join();
  EXPECT_EQ((*Kept)[0], 2u);
  EXPECT_EQ(Tested.statistics().evictions, 0u);
}

TEST_F(OutOfCorePlanned, ATaskUsesAsManyBlocksAsAreListed) {
  Store Tested(options(8, 2));
  std::vector<Block> All, None;
  for (std::uint64_t Each = 0; Each < 4; ++Each)
    All.push_back(filled(Tested, Each));
  const Block Into = Tested.add<std::uint64_t[]>(Numbers);
  Tested.submit(
      [](const std::vector<std::span<const std::uint64_t>> &Of, const std::vector<std::span<std::uint64_t>> &Nothing,
         std::span<std::uint64_t> To) {
        EXPECT_TRUE(Nothing.empty());
        for (const auto &Each : Of)
          To[0] = To[0] * 10 + Each.back();
      },
      consume(All), update(None), update(Into));
  Tested.run();
  EXPECT_EQ((*Tested.pin(read(Into)))[0], 123u);
}

TEST_F(OutOfCorePlanned, WhatIsConsumedCannotBeUsedAgainUnlessTheTaskWasDropped) {
  Store Tested(options(4, 1));
  const Block Made = filled(Tested, 5);
  Tested.submit([](std::span<const std::uint64_t>) {}, consume(Made));
  const auto Use = [&] { Tested.submit([](std::span<const std::uint64_t>) {}, read(Made)); };
  EXPECT_EQ(refusal(Use), ErrorCode::usage);
  EXPECT_EQ(refusal([&] { (void)Tested.pin(read(Made)); }), ErrorCode::usage);
  EXPECT_EQ(refusal([&] { (void)Tested.pin(consume(Block{1})); }), ErrorCode::usage);
  EXPECT_EQ(refusal([&] { Tested.evict(Block{99}); }), ErrorCode::usage);
  Tested.run();
  EXPECT_EQ(refusal(Use), ErrorCode::usage);
  const Block Other = filled(Tested, 6);
  Tested.fence([] { throw std::domain_error("on purpose"); });
  Tested.submit([](std::span<const std::uint64_t>) {}, consume(Other));
  EXPECT_THROW(Tested.run(), std::domain_error);
  EXPECT_EQ((*Tested.pin(read(Other)))[0], 6u);
}

} // namespace
