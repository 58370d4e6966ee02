// Many executors, large ones and empty ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Child.h"
#include "TemporaryFolder.h"

#include <memshape/out_of_core.h>

#include <atomic>
#include <new>
#include <sys/resource.h>

using namespace memshape::out_of_core;

constexpr std::uint64_t Page = 4096, Huge = std::uint64_t(1) << 62;

TEST(OutOfCoreSizes, AHundredThousandExecutorsNeedFewDescriptors) {
  const TemporaryFolder In;
  Child([&] {
    const rlimit Few = {64, 64};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &Few), 0);
    Store Tested({.budget_bytes = 100 * Page, .folder = In.Path, .threads = 2});
    std::vector<Executor<std::uint32_t[]>> All;
    std::atomic<std::uint64_t> Sum = 0, Elements = 0;
    constexpr std::uint32_t Count = IsSanitized ? 5'000 : 100'000, Every = 500;
    for (std::uint32_t Each = 0; Each < Count; ++Each) {
      All.push_back(Tested.add<std::uint32_t[]>(1));
      if (Each % Every == 0)
        Tested.submit([Each](std::span<std::uint32_t> Block) { Block[0] = Each; }, update(All.back()));
    }
    for (const auto &Each : All)
      Tested.submit(
          [&](std::span<const std::uint32_t> Block) {
            Sum += Block[0];
            Elements += Block.size();
          },
          read(Each));
    Tested.run();
    EXPECT_EQ(Elements, Count);
    EXPECT_EQ(Sum, std::uint64_t(Every) * (Count / Every) * (Count / Every - 1) / 2);
    EXPECT_LE(Tested.statistics().peak_bytes, 100 * Page);
    EXPECT_LE(Tested.statistics().writes, Count / Every);
  }).end();
}

TEST(OutOfCoreSizes, BlocksAndObjectsMayBeEmpty) {
  struct Empty {
    std::uint64_t bytes() const { return 0; }
    void save(Writer &) const {}
    static Empty load(Reader &) { return {}; }
  };
  const TemporaryFolder In;
  Store Tested({.budget_bytes = Page, .folder = In.Path});
  std::atomic<int> Ran = 0;
  std::vector<Executor<double[]>> Blocks;
  std::vector<Executor<Empty>> Objects;
  for (int Each = 0; Each < 20; ++Each) {
    Blocks.push_back(Tested.add<double[]>(0));
    Objects.push_back(Tested.add<Empty>(Page, [] { return Empty(); }));
  }
  for (int Times = 0; Times < 3; ++Times)
    for (std::size_t Each = 0; Each < Blocks.size(); ++Each) {
      Tested.submit([&](std::span<double> Block) { Ran += Block.empty(); }, update(Blocks[Each]));
      Tested.submit([&](Empty &) { ++Ran; }, update(Objects[Each]));
    }
  Tested.run();
  EXPECT_EQ(Ran, 3 * 40);
  EXPECT_GT(Tested.statistics().reads, 0u);
}

TEST(OutOfCoreSizes, ABlockMayHaveMoreElementsThanFitInto32BitsAndTakesWhatIsTouched) {
  rusage Before, After;
  ASSERT_EQ(::getrusage(RUSAGE_SELF, &Before), 0);
  const TemporaryFolder In;
  Store Tested({.folder = In.Path});
  const std::uint64_t Count = (std::uint64_t(1) << 32) + 5;
  const auto Block = Tested.add<char[]>(Count);
  Tested.submit([](std::span<char> Of) { Of.front() = Of.back() = Of[Of.size() / 2] = 3; }, update(Block));
  try {
    Tested.run();
  } catch (const std::bad_alloc &) {
    GTEST_SKIP() << "the system promises no 4 GiB";
  }
  const auto Seen = Tested.pin(read(Block));
  EXPECT_EQ((*Seen).size(), Count);
  EXPECT_EQ((*Seen)[Count - 1] + (*Seen)[0] + (*Seen)[Count / 2], 9);
  EXPECT_EQ((*Seen)[Count - 2 * Page], 0);
  ASSERT_EQ(::getrusage(RUSAGE_SELF, &After), 0);
  EXPECT_LT(After.ru_maxrss - Before.ru_maxrss, 1 << 20); // KiB
}

TEST(OutOfCoreSizes, SumsThatAreTooLargeAreNotSmall) {
  const TemporaryFolder In;
  Store Tested({.budget_bytes = Page, .folder = In.Path});
  std::vector<Executor<char[]>> All;
  for (int Each = 0; Each < 4; ++Each)
    All.push_back(Tested.add<char[]>(Huge));
  EXPECT_THROW(Tested.submit([](auto...) {}, read(All[0]), read(All[1]), read(All[2]), read(All[3])), Error);
}

TEST(OutOfCoreSizes, MemoryThatTheSystemDoesNotHaveIsNoEnd) {
  const TemporaryFolder In;
  Store Tested({.folder = In.Path});
  const auto Large = Tested.add<char[]>(Huge);
  const auto Small = Tested.add<char[]>(1);
  Tested.submit([](auto) {}, read(Large));
  EXPECT_THROW(Tested.run(), std::bad_alloc);
  EXPECT_THROW((void)Tested.pin(read(Large)), std::bad_alloc);
  EXPECT_EQ((*Tested.pin(read(Small)))[0], 0);
}
