// Sums over threads are exact.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first tests count without any instrumented module, as for a program that has none; the last ones attach.

#include "InThreads.h"
#include "PretendHeap.h"
#include "Recorded.h"

#include <gtest/gtest.h>

#include <barrier>
#include <cstdlib>
#include <random>
#include <thread>

using namespace memshape;
using namespace memshape::test;

namespace {

constexpr int Threads = 4;

/// Every thread allocates and frees at random; what stays and what passes is added up beside it.
struct Sums {
  std::uint64_t Total = 0, Allocations = 0, Frees = 0;
  std::int64_t Left = 0;
};

Sums churn(int Thread, int Operations) {
  std::mt19937 Random(static_cast<unsigned>(Thread) + 1);
  std::vector<std::pair<void *, std::size_t>> Held;
  Sums S;
  for (int I = 0; I != Operations; ++I) {
    if (Held.empty() || Random() % 2) {
      std::size_t Bytes = Random() % 5000;
      Held.emplace_back(pretendAllocate(Bytes), Bytes);
      S.Total += Bytes;
      S.Left += static_cast<std::int64_t>(Bytes);
      ++S.Allocations;
    } else {
      std::size_t Which = Random() % Held.size();
      pretendFree(Held[Which].first);
      S.Left -= static_cast<std::int64_t>(Held[Which].second);
      Held[Which] = Held.back();
      Held.pop_back();
      ++S.Frees;
    }
  }
  return S;
}

void checkChurn() {
  RunRecord Before = recordNow();
  Sums Each[Threads], Sum;
  inThreads(Threads, [&](int I) { Each[I] = churn(I, 20000); });
  for (const Sums &S : Each) {
    Sum.Total += S.Total;
    Sum.Allocations += S.Allocations;
    Sum.Frees += S.Frees;
    Sum.Left += S.Left;
  }
  RunRecord After = recordNow();
  EXPECT_EQ(After.Total - Before.Total, Sum.Total);
  EXPECT_EQ(After.Allocations - Before.Allocations, Sum.Allocations);
  EXPECT_EQ(After.Frees - Before.Frees, Sum.Frees);
  EXPECT_EQ(After.Live - Before.Live, Sum.Left);
  EXPECT_GE(After.Peak, After.Live);
}

/// All threads hold 1000 bytes at one moment and no more at any other: the peak is known by hand.
void checkPeak() {
  std::int64_t Base = recordNow().Live;
  const RunRecord Before = recordNow();
  std::int64_t Filler = Before.Peak + Before.PeakError - Base;
  void *Fill = pretendAllocate(static_cast<std::size_t>(Filler)); // up to the peak so far
  std::barrier Together(Threads);
  inThreads(Threads, [&](int I) {
    for (int Round = 0; Round != 200; ++Round) {
      void *Block = pretendAllocate(1000);
      Together.arrive_and_wait();
      pretendFree(Block);
      Together.arrive_and_wait();
    }
  });
  // They may have met often enough for a bound; with MEMSHAPE_RUNTIME_EXACT_PEAK the two are one.
  const RunRecord Now = recordNow();
  EXPECT_LE(Now.Peak, Base + Filler + 1000 * Threads);
  EXPECT_GE(Now.Peak + Now.PeakError, Base + Filler + 1000 * Threads);
  if (const char *Wish = std::getenv("MEMSHAPE_RUNTIME_EXACT_PEAK"); Wish && *Wish)
    EXPECT_EQ(Now.PeakError, 0);
  pretendFree(Fill);
  EXPECT_EQ(recordNow().Live, Base);
}

TEST(ThreadsBeforeAttach, SumsAreExact) { checkChurn(); }
TEST(ThreadsBeforeAttach, ThePeakIsTheMaximumOfTheSum) { checkPeak(); }

TEST(ThreadsBeforeAttach, MoreThreadsThanLinesOfTheRecord) {
  RunRecord Before = recordNow();
  std::barrier Together(1100);
  std::vector<std::thread> All;
  for (int I = 0; I != 1100; ++I)
    All.emplace_back([&] {
      void *Block = pretendAllocate(10);
      Together.arrive_and_wait(); // all threads are there at once
      pretendFree(Block);
    });
  for (std::thread &Each : All)
    Each.join();
  RunRecord After = recordNow();
  EXPECT_EQ(After.Allocations - Before.Allocations, 1100u);
  EXPECT_EQ(After.Total - Before.Total, 11000u);
  EXPECT_EQ(After.Live, Before.Live);
}

TEST(ThreadsWithCalls, SumsAreExact) {
  hooks();
  checkChurn();
}

TEST(ThreadsWithCalls, ThePeakIsTheMaximumOfTheSum) {
  hooks();
  checkPeak();
}

TEST(ThreadsWithCalls, ConcurrentCallsSeeAllThreads) {
  static const memshape_operator Op = operatorNamed("concurrent");
  std::barrier Together(Threads);
  inThreads(Threads, [&](int I) {
    Together.arrive_and_wait();
    Call C(Op, I);
    Together.arrive_and_wait(); // all are entered, nothing is held
    void *Block = pretendAllocate(1000);
    Together.arrive_and_wait(); // all hold theirs
    pretendFree(Block);
    Together.arrive_and_wait(); // nothing is held
  });
  RunRecord Record = recordNow();
  for (int I = 0; I != Threads; ++I) {
    RunFigures F = groupOf(Record, "concurrent", I).First;
    EXPECT_EQ(F.Peak, 1000 * Threads);
    EXPECT_EQ(F.Allocations, static_cast<std::uint64_t>(Threads));
    EXPECT_EQ(F.Output, 0);
  }
}

TEST(ThreadsWithCalls, CallsUnderChurnKeepTheirSumsConsistent) {
  static const memshape_operator Op = operatorNamed("churning");
  static const memshape_site Site = siteAt(7);
  inThreads(Threads, [&](int I) {
    for (int Round = 0; Round != 50; ++Round) {
      Call C(Op, 100 + I);
      hooks().allocation(&Site);
      void *Block = pretendAllocate(100);
      churn(I, 50);
      pretendFree(Block);
    }
  });
  RunRecord Record = recordNow();
  for (int I = 0; I != Threads; ++I)
    for (const RunFigures &F :
         {groupOf(Record, "churning", 100 + I).First, groupOf(Record, "churning", 100 + I).Later}) {
      std::int64_t Sum = 0;
      for (const RunSiteBytes &Entry : F.Sites)
        Sum += Entry.Bytes;
      EXPECT_EQ(Sum, F.Peak);
      EXPECT_GE(F.Peak, 100);
    }
}

} // namespace
