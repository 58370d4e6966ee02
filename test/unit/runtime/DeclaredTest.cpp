// Phases and pools, in one thread and in many.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PretendHeap.h"
#include "Recorded.h"

#include "record/record.h"

#include <memshape/annotate.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace memshape;
using namespace memshape::test;

static const void *addressOf(std::uintptr_t Number) { return reinterpret_cast<const void *>(Number); }

static RunPool poolNamed(const RunRecord &Record, const std::string &Name) {
  for (const RunPool &Pool : Record.Pools)
    if (Pool.Name == Name)
      return Pool;
  ADD_FAILURE() << "no pool " << Name;
  return {};
}

static std::size_t openPhases(const RunRecord &Record) {
  std::size_t Count = 0;
  for (const RunOpenCall &Open : Record.Open)
    Count += Record.Operators[Record.Groups[Open.Group].Operator].IsPhase;
  return Count;
}

TEST(Phases, SeeOperatorCallsOfAllThreads) {
  static const memshape_operator Op = operatorNamed("within");
  hooks();
  memshape_phase_begin("all threads");
  std::thread Other([] {
    Call C(Op);
    pretendFree(pretendAllocate(5000));
  });
  Other.join();
  void *Kept = pretendAllocate(30);
  memshape_phase_end("all threads");
  RunFigures F = groupOf(recordNow(), "all threads").First;
  EXPECT_EQ(F.Calls, 1u);
  EXPECT_EQ(F.Peak, 5000);
  EXPECT_EQ(F.Total, 5030u);
  EXPECT_EQ(F.Output, 30);
  pretendFree(Kept);
  EXPECT_EQ(groupOf(recordNow(), "within").First.Peak, 5000);
}

TEST(Phases, OverlapAndEndInAnyOrder) {
  memshape_phase_begin("one");
  void *A = pretendAllocate(100);
  memshape_phase_begin("two");
  void *B = pretendAllocate(10);
  memshape_phase_end("one");
  void *C = pretendAllocate(1000);
  memshape_phase_end("two");
  memshape_phase_end("two"); // not open
  memshape_phase_end("never");
  RunRecord Record = recordNow();
  EXPECT_EQ(groupOf(Record, "one").First.Peak, 110);
  EXPECT_EQ(groupOf(Record, "two").First.Peak, 1010);
  memshape_call_figures Last{};
  ASSERT_EQ(memshape_annotate_last_phase(&Last), 1);
  EXPECT_EQ(Last.peak, 1010);
  EXPECT_EQ(Last.total, 1010u);
  EXPECT_EQ(Last.allocations, 2u);
  EXPECT_EQ(openPhases(Record), 0u);
  for (void *Block : {A, B, C})
    pretendFree(Block);
}

TEST(Phases, GuardsEndWithExceptions) {
  try {
    MEMSHAPE_PHASE("guarded");
    pretendFree(pretendAllocate(77));
    EXPECT_EQ(openPhases(recordNow()), 1u);
    throw 1;
  } catch (int) {
  }
  EXPECT_EQ(openPhases(recordNow()), 0u);
  EXPECT_EQ(groupOf(recordNow(), "guarded").First.Peak, 77);
}

TEST(Phases, ManyThreadsEnterOneName) {
  std::vector<std::thread> Threads;
  for (int T = 0; T != 8; ++T)
    Threads.emplace_back([] {
      for (int I = 0; I != 200; ++I) {
        memshape_phase_begin("crowded");
        pretendFree(pretendAllocate(100));
        memshape_phase_end("crowded");
      }
    });
  for (std::thread &Thread : Threads)
    Thread.join();
  RunGroup Group = groupOf(recordNow(), "crowded");
  EXPECT_EQ(Group.First.Calls + Group.Later.Calls, 1600u);
  EXPECT_LE(std::max(Group.First.Peak, Group.Later.Peak), 800);
  EXPECT_GE(Group.Later.Peak, 100);
  EXPECT_EQ(openPhases(recordNow()), 0u);
}

TEST(Pools, OfOneNameAreOne) {
  for (std::uintptr_t Pool : {1, 2}) {
    memshape_pool_create(addressOf(Pool), "shared");
    memshape_pool_holds(addressOf(Pool), 4096);
    memshape_pool_alloc(addressOf(Pool), addressOf(0x1000), 100); // the same address in two pools
  }
  RunPool Now = poolNamed(recordNow(), "shared");
  EXPECT_EQ(Now.Live, 200);
  EXPECT_EQ(Now.Held, 8192u);
  memshape_pool_free(addressOf(1), addressOf(0x1000));
  memshape_pool_free(addressOf(1), addressOf(0x1000)); // twice
  EXPECT_EQ(poolNamed(recordNow(), "shared").Live, 100);
  memshape_pool_destroy(addressOf(2));
  memshape_pool_destroy(addressOf(1));
  Now = poolNamed(recordNow(), "shared");
  EXPECT_EQ(Now.Live, 0);
  EXPECT_EQ(Now.Peak, 200);
  EXPECT_EQ(Now.Held, 0u);
  EXPECT_EQ(Now.HeldPeak, 8192u);
  EXPECT_EQ(Now.Allocations, 2u);
  EXPECT_EQ(Now.Frees, 2u);
}

TEST(Pools, OfManyThreadsAddUp) {
  std::vector<std::thread> Threads;
  for (std::uintptr_t T = 1; T != 9; ++T)
    Threads.emplace_back([T] {
      const void *Pool = addressOf(T << 40);
      for (int Round = 0; Round != 20; ++Round) {
        memshape_pool_create(Pool, "many");
        for (std::uintptr_t I = 1; I != 101; ++I)
          memshape_pool_alloc(Pool, addressOf(I << 8), 10);
        for (std::uintptr_t I = 1; I != 51; ++I)
          memshape_pool_free(Pool, addressOf(I << 8));
        Round % 2 ? memshape_pool_clear(Pool) : memshape_pool_destroy(Pool);
      }
    });
  for (std::thread &Thread : Threads)
    Thread.join();
  RunRecord Record = recordNow();
  RunPool Now = poolNamed(Record, "many");
  EXPECT_EQ(Now.Allocations, 8u * 20 * 100);
  EXPECT_EQ(Now.Frees, Now.Allocations);
  EXPECT_EQ(Now.Live, 0);
  EXPECT_LE(Now.Peak, 8000);
  EXPECT_EQ(Record.Spaces[MEMSHAPE_SPACE_POOL].Live, 0);
  for (std::uintptr_t T = 1; T != 9; ++T)
    memshape_pool_destroy(addressOf(T << 40));
}

TEST(Pools, AChildHasThemWithWhatTheyHold) {
  memshape_pool_create(addressOf(5), "inherited");
  memshape_pool_alloc(addressOf(5), addressOf(0x1000), 300);
  memshape_phase_begin("around");
  pid_t Child = fork();
  if (Child == 0) {
    pretendFree(pretendAllocate(11));
    memshape_pool_alloc(addressOf(5), addressOf(0x2000), 50);
    memshape_pool_free(addressOf(5), addressOf(0x1000));
    memshape_phase_end("around");
    _exit(0);
  }
  waitpid(Child, nullptr, 0);
  memshape_phase_end("around");
  memshape_pool_destroy(addressOf(5));
  std::filesystem::path Path = std::string(std::getenv("MEMSHAPE_RUNTIME_RECORD")) + "." + std::to_string(Child);
  std::ifstream Stream(Path, std::ios::binary);
  Result<RunRecord> Record = readRunRecord(std::string(std::istreambuf_iterator<char>(Stream), {}));
  std::filesystem::remove(Path);
  ASSERT_TRUE(Record) << Record.failure().Message;
  RunPool Theirs = poolNamed(*Record, "inherited");
  EXPECT_EQ(Theirs.Peak, 350);
  EXPECT_EQ(Theirs.Live, 50);
  EXPECT_EQ(Theirs.Allocations, 1u);
  EXPECT_EQ(groupOf(*Record, "around").First.Peak, 11);
  EXPECT_EQ(poolNamed(recordNow(), "inherited").Peak, 300);
}
