// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests and a benchmark of what calls take.
#include <memshape/benchmark.h>

#include <gmock/gmock.h>
#include <thread>
#include <vector>

TEST(Taken, IsCountedInAllThreads) {
  const memshape_call_figures Seen = memshape::heapOf([] {
    std::vector<char> Here(1000);
    std::thread([] { std::vector<char> There(500'000); }).join();
  });
  EXPECT_GE(Seen.peak, 501'000);
  EXPECT_LE(Seen.peak, 502'000); // and the thread
  EXPECT_EQ(Seen.output, 0);
}

TEST(Taken, IsAtMost) {
  const auto Call = [] { std::vector<char> Block(1000); };
  EXPECT_THAT(Call, memshape::TakesAtMost(1000));
  EXPECT_THAT(Call, testing::Not(memshape::TakesAtMost(999)));
}

TEST(Taken, IsSaidWhereItIsMore) {
  EXPECT_THAT([] { std::vector<char> Block(1000); }, memshape::TakesAtMost(999)); // fails
}

static void twoBlocks(benchmark::State &State) {
  for (auto Unused : State) {
    std::vector<char> One(3000), Other(40);
    benchmark::DoNotOptimize(Unused);
  }
}
BENCHMARK(twoBlocks);

int main(int Count, char **Arguments) {
  testing::InitGoogleMock(&Count, Arguments);
  const int Failed = RUN_ALL_TESTS();
  memshape::reportMemory();
  benchmark::Initialize(&Count, Arguments);
  benchmark::RunSpecifiedBenchmarks();
  return Failed;
}
