// Peaks where threads meet at them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs twice: as it is, where a peak is known to within 4 KiB a thread once threads contend, and with
// MEMSHAPE_RUNTIME_EXACT_PEAK, where every error is 0 and every bound below therefore an equation.
//
// Whether threads contend depends on the machine, so tests say so to the runtime themselves.

#include "InThreads.h"
#include "PretendHeap.h"
#include "Recorded.h"

extern "C" {
#include "count/contention.h"
}

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <cstdlib>
#include <random>
#include <thread>

using namespace memshape;
using namespace memshape::test;

namespace {

constexpr int Threads = 4;
/// Every thread of the test, this one included.
constexpr std::int64_t MostError = 4096 * (Threads + 1);

bool isExact() {
  const char *Wish = std::getenv("MEMSHAPE_RUNTIME_EXACT_PEAK");
  return Wish && *Wish;
}

/// Turns of two threads that had to wait for each other. No other thread may be counting.
void contend() {
  for (int Turn = 0; Turn != 2048; ++Turn)
    memshape_contention_turn(nullptr, 0, 1);
  EXPECT_EQ(memshape_contention_found() != 0, !isExact());
}

/// The sum of all threads twice: `Most` has every block somewhat longer than it is there, `Least` somewhat shorter.
/// The greatest values of the two are on both sides of the true peak.
class Reference {
public:
  void *allocate(std::size_t Bytes) {
    raise(Most, MostPeak, Bytes);
    void *Block = pretendAllocate(Bytes);
    raise(Least, LeastPeak, Bytes);
    return Block;
  }
  void free(void *Block, std::size_t Bytes) {
    Least -= static_cast<std::int64_t>(Bytes);
    pretendFree(Block);
    Most -= static_cast<std::int64_t>(Bytes);
  }
  std::int64_t mostPeak() const { return MostPeak; }
  std::int64_t leastPeak() const { return LeastPeak; }

private:
  static void raise(std::atomic<std::int64_t> &Sum, std::atomic<std::int64_t> &Peak, std::size_t Bytes) {
    std::int64_t Now = Sum += static_cast<std::int64_t>(Bytes), Before = Peak;
    while (Before < Now && !Peak.compare_exchange_weak(Before, Now))
      ;
  }

  std::atomic<std::int64_t> Most = 0, Least = 0, MostPeak = 0, LeastPeak = 0;
};

/// Threads come and go through blocks of random sizes, some of them kept for a while.
void churn(Reference &Truth, int Thread, int Operations, std::size_t Largest) {
  std::mt19937 Random(static_cast<unsigned>(Thread) + 1);
  std::vector<std::pair<void *, std::size_t>> Held;
  auto Drop = [&](std::size_t Which) {
    Truth.free(Held[Which].first, Held[Which].second);
    Held[Which] = Held.back();
    Held.pop_back();
  };
  for (int I = 0; I != Operations; ++I) {
    if (Held.size() == 8 || (!Held.empty() && Random() % 2)) {
      Drop(Random() % Held.size());
    } else {
      std::size_t Bytes = 1 + Random() % Largest;
      Held.emplace_back(Truth.allocate(Bytes), Bytes);
    }
  }
  while (!Held.empty())
    Drop(0);
}

/// Threads that have done their work, and are there until the end.
class Bystanders {
public:
  Bystanders(Reference &Truth, int Operations) {
    for (int I = 0; I != Threads; ++I)
      All.emplace_back([this, &Truth, I, Operations] {
        churn(Truth, I, Operations, 319);
        Together.arrive_and_wait();
        Together.arrive_and_wait();
      });
    Together.arrive_and_wait();
  }
  void end() {
    Together.arrive_and_wait();
    All.clear();
  }

private:
  std::barrier<> Together{Threads + 1};
  std::vector<std::jthread> All;
};

/// Fills the heap up to its peak, so that what follows makes new ones; freed with the object.
class Filler {
public:
  Filler() {
    const RunRecord Now = recordNow();
    Block = pretendAllocate(static_cast<std::size_t>(Now.Peak + Now.PeakError - Now.Live));
    Base = recordNow().Live;
  }
  ~Filler() { pretendFree(Block); }
  Filler(const Filler &) = delete;
  Filler &operator=(const Filler &) = delete;
  std::int64_t Base;

private:
  void *Block;
};

void checkPeak(std::int64_t Peak, std::int64_t Error, const Reference &Truth) {
  EXPECT_LE(Peak, Truth.mostPeak());
  EXPECT_GE(Peak + Error, Truth.leastPeak());
  EXPECT_GE(Error, 0);
  EXPECT_LE(Error, isExact() ? 0 : MostError);
}

void checkProcess(std::size_t Largest) {
  Filler Full;
  Reference Truth;
  contend();
  inThreads(Threads, [&](int I) { churn(Truth, I, 20000, Largest); });
  const RunRecord Now = recordNow();
  checkPeak(Now.Peak - Full.Base, Now.PeakError, Truth);
  EXPECT_EQ(Now.Live, Full.Base);
}

TEST(Contention, SmallBlocksAtThePeak) { checkProcess(319); }
TEST(Contention, BlocksBeyondAThreadsCredit) { checkProcess(20000); }
TEST(Contention, BlocksThatGoFarBelowThePeak) { checkProcess(3000000); }

/// All threads hold 1000 bytes at one moment and no more at any other: the peak is known by hand.
TEST(Contention, APeakThatIsKnownByHand) {
  Filler Full;
  std::barrier Together(Threads);
  contend();
  inThreads(Threads, [&](int) {
    for (int Round = 0; Round != 30; ++Round) {
      for (int I = 0; I != 20; ++I)
        pretendFree(pretendAllocate(500));
      void *Block = pretendAllocate(1000);
      Together.arrive_and_wait();
      pretendFree(Block);
      Together.arrive_and_wait();
    }
  });
  const RunRecord Now = recordNow();
  EXPECT_LE(Now.Peak, Full.Base + 1000 * Threads);
  EXPECT_GE(Now.Peak + Now.PeakError, Full.Base + 1000 * Threads);
  EXPECT_LE(Now.PeakError, isExact() ? 0 : MostError);
}

/// Threads that grow together meet at a new peak with every block.
TEST(Contention, GrowthIsFollowed) {
  constexpr int Blocks = 5000;
  Filler Full;
  Reference Truth;
  contend();
  std::vector<void *> Kept[Threads];
  inThreads(Threads, [&](int I) {
    for (int Block = 0; Block != Blocks; ++Block)
      Kept[I].push_back(Truth.allocate(100));
  });
  const RunRecord Now = recordNow();
  checkPeak(Now.Peak - Full.Base, Now.PeakError, Truth);
  EXPECT_EQ(Now.Live - Full.Base, std::int64_t(100) * Blocks * Threads);
  for (auto &Each : Kept)
    for (void *Block : Each)
      Truth.free(Block, 100);
}

/// Reallocations change the sum both ways.
TEST(Contention, Reallocations) {
  Filler Full;
  contend();
  inThreads(Threads, [](int I) {
    std::mt19937 Random(static_cast<unsigned>(I));
    void *Block = pretendAllocate(10);
    for (int Round = 0; Round != 5000; ++Round)
      Block = pretendReallocate(Block, 1 + Random() % 9000);
    pretendFree(Block);
  });
  const RunRecord Now = recordNow();
  EXPECT_EQ(Now.Live, Full.Base);
  EXPECT_LE(Now.Peak, Full.Base + 9000 * Threads);
  EXPECT_LE(Now.PeakError, isExact() ? 0 : MostError);
}

/// What one thread does afterwards has no error of its own, although the others are still there.
TEST(Contention, OneThreadAtWorkIsExactAgain) {
  Filler Full;
  Reference Truth;
  contend();
  Bystanders Others(Truth, 5000);
  std::vector<void *> Kept;
  for (int Block = 0; Block != 1000; ++Block)
    Kept.push_back(pretendAllocate(1000));
  const RunRecord Now = recordNow();
  EXPECT_EQ(Now.Peak, Full.Base + 1000 * 1000);
  EXPECT_EQ(Now.PeakError, 0);
  Others.end();
  for (void *Block : Kept)
    pretendFree(Block);
}

void checkCall(std::int64_t N, std::size_t Largest) {
  static const memshape_operator Op = operatorNamed("contended");
  static const memshape_site Site = siteAt(9);
  Reference Truth;
  {
    Call C(Op, N);
    contend();
    inThreads(Threads, [&](int I) {
      for (int Round = 0; Round != 20; ++Round) {
        hooks().allocation(&Site);
        void *Block = Truth.allocate(2000);
        churn(Truth, I, 500, Largest);
        Truth.free(Block, 2000);
      }
    });
  }
  const RunRecord Record = recordNow();
  const RunFigures F = groupOf(Record, "contended", N).First;
  checkPeak(F.Peak, F.PeakError, Truth);
  EXPECT_EQ(F.Output, 0);
  std::int64_t Sum = 0;
  for (const RunSiteBytes &Entry : F.Sites)
    Sum += Entry.Bytes;
  EXPECT_EQ(Sum, F.Peak);
}

TEST(ContentionInCalls, SmallBlocksAtThePeak) { checkCall(1, 319); }
TEST(ContentionInCalls, BlocksBeyondAThreadsCredit) { checkCall(2, 20000); }
TEST(ContentionInCalls, BlocksThatGoFarBelowThePeak) { checkCall(3, 3000000); }

/// Contention before a call is not the call's.
TEST(ContentionInCalls, ACallOfOneThreadIsExact) {
  static const memshape_operator Op = operatorNamed("alone");
  Reference Truth;
  contend();
  Bystanders Others(Truth, 2000);
  for (int N = 0; N != 3; ++N) {
    Call C(Op, N);
    void *First = pretendAllocate(700);
    pretendFree(pretendAllocate(static_cast<std::size_t>(300 + N)));
    pretendFree(First);
  }
  Others.end();
  const RunRecord Record = recordNow();
  for (int N = 0; N != 3; ++N) {
    const RunFigures F = groupOf(Record, "alone", N).First;
    EXPECT_EQ(F.Peak, 1000 + N);
    EXPECT_EQ(F.PeakError, 0);
  }
}

/// The outer call has seen what the inner one saw, and is as sure of it.
TEST(ContentionInCalls, AnOuterCallKeepsTheErrorOfAnInnerOne) {
  static const memshape_operator Inner = operatorNamed("inner"), Outer = operatorNamed("outer");
  Reference Truth;
  {
    Call O(Outer, 1);
    {
      Call I(Inner, 1);
      contend();
      inThreads(Threads, [&](int Thread) { churn(Truth, Thread, 5000, 2000); });
    }
  }
  const RunRecord Record = recordNow();
  const RunFigures I = groupOf(Record, "inner", 1).First, O = groupOf(Record, "outer", 1).First;
  checkPeak(I.Peak, I.PeakError, Truth);
  EXPECT_EQ(O.Peak, I.Peak);
  EXPECT_EQ(O.PeakError, I.PeakError);
}

} // namespace
