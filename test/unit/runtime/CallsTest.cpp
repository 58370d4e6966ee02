// What a call of an operator is found to hold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PretendHeap.h"
#include "Recorded.h"

#include "record/record.h"

#include <memshape/annotate.h>

#include <gtest/gtest.h>

#include <csetjmp>
#include <stdexcept>
#include <thread>

using namespace memshape;
using namespace memshape::test;

static void *allocateAt(const memshape_site &Site, std::size_t Bytes) {
  hooks().allocation(&Site);
  return pretendAllocate(Bytes);
}

TEST(Calls, PeakTotalCountsAndOutputAreThoseBetweenEntryAndReturn) {
  static const memshape_operator Op = operatorNamed("simple");
  hooks();
  void *Before = pretendAllocate(5000), *Kept;
  {
    Call C(Op);
    void *A = pretendAllocate(100); // live 100
    Kept = pretendAllocate(30);     // 130
    pretendFree(A);                 // 30
    A = pretendAllocate(90);        // 120
    pretendFree(A);
  }
  pretendFree(Before);
  pretendFree(Kept);
  RunFigures F = groupOf(recordNow(), "simple").First;
  EXPECT_EQ(F.Calls, 1u);
  EXPECT_EQ(F.Peak, 130);
  EXPECT_EQ(F.Total, 220u);
  EXPECT_EQ(F.Allocations, 3u);
  EXPECT_EQ(F.Reallocations, 0u);
  EXPECT_EQ(F.Output, 30);
}

TEST(Calls, TheLastCallOfAThreadCanBeAskedFor) {
  static const memshape_operator Op = operatorNamed("asked");
  memshape_call_figures Seen{};
  std::thread([&] { EXPECT_EQ(memshape_annotate_last_call(&Seen), 0); }).join();
  void *Kept;
  {
    Call C(Op);
    void *A = pretendAllocate(100);
    Kept = pretendAllocate(30);
    pretendFree(A);
  }
  ASSERT_EQ(memshape_annotate_last_call(&Seen), 1);
  EXPECT_EQ(Seen.peak, 130);
  EXPECT_EQ(Seen.peak_most, 130);
  EXPECT_EQ(Seen.output, 30);
  EXPECT_EQ(Seen.total, 130u);
  EXPECT_EQ(Seen.allocations, 2u);
  pretendFree(Kept);
}

TEST(Calls, ReallocChangesLiveByTheDifferenceAndIsNoAllocation) {
  static const memshape_operator Op = operatorNamed("resizing");
  {
    Call C(Op);
    void *A = pretendReallocate(nullptr, 100); // an allocation
    A = pretendReallocate(A, 300);
    A = pretendReallocate(A, 50);
    EXPECT_EQ(pretendReallocate(A, 0), nullptr); // a free
  }
  RunFigures F = groupOf(recordNow(), "resizing").First;
  EXPECT_EQ(F.Peak, 300);
  EXPECT_EQ(F.Total, 450u);
  EXPECT_EQ(F.Allocations, 1u);
  EXPECT_EQ(F.Reallocations, 2u);
  EXPECT_EQ(F.Output, 0);
}

TEST(Calls, FreeingTheCallersMemoryNeverMakesThePeakNegative) {
  static const memshape_operator Op = operatorNamed("consuming");
  hooks();
  void *Given = pretendAllocate(1000), *Made;
  {
    Call C(Op);
    pretendFree(Given);
    Made = pretendAllocate(400);
  }
  pretendFree(Made);
  RunFigures F = groupOf(recordNow(), "consuming").First;
  EXPECT_EQ(F.Peak, 0);
  EXPECT_EQ(F.Output, -600);
}

TEST(Calls, SitesAtThePeakAddUpToThePeak) {
  static const memshape_operator Op = operatorNamed("sited");
  static const memshape_site First = siteAt(101), Second = siteAt(102), Late = siteAt(103);
  {
    Call C(Op);
    void *A = allocateAt(First, 1000), *B = allocateAt(Second, 200);
    void *Inside = pretendAllocate(7); // no hook: an uninstrumented library
    pretendFree(A);
    void *D = allocateAt(Late, 900); // 1107: below the peak of 1207
    pretendFree(B);
    pretendFree(D);
    pretendFree(Inside);
  }
  RunRecord Record = recordNow();
  RunFigures F = groupOf(Record, "sited").First;
  EXPECT_EQ(F.Peak, 1207);
  EXPECT_EQ(bytesAtPeak(Record, F, 101), 1000);
  EXPECT_EQ(bytesAtPeak(Record, F, 102), 200);
  EXPECT_EQ(bytesAtPeak(Record, F, 103), 0);
  std::int64_t Sum = 0;
  for (const RunSiteBytes &Entry : F.Sites)
    Sum += Entry.Bytes;
  EXPECT_EQ(Sum, F.Peak);
}

TEST(Calls, APendingSiteIsUsedOnce) {
  static const memshape_operator Op = operatorNamed("pending");
  static const memshape_site Site = siteAt(110);
  {
    Call C(Op);
    void *A = allocateAt(Site, 10), *B = pretendAllocate(20);
    pretendFree(A);
    pretendFree(B);
  }
  RunRecord Record = recordNow();
  EXPECT_EQ(bytesAtPeak(Record, groupOf(Record, "pending").First, 110), 10);
}

TEST(Calls, ManySitesAreAllKept) {
  static const memshape_operator Op = operatorNamed("many-sites");
  static std::vector<memshape_site> Sites;
  for (std::uint32_t I = 0; I != 500; ++I)
    Sites.push_back(siteAt(1000 + I));
  std::vector<void *> Blocks;
  {
    Call C(Op);
    for (std::uint32_t I = 0; I != 500; ++I)
      Blocks.push_back(allocateAt(Sites[I], I + 1));
    for (void *Block : Blocks)
      pretendFree(Block);
  }
  RunRecord Record = recordNow();
  RunFigures F = groupOf(Record, "many-sites").First;
  EXPECT_EQ(F.Peak, 500 * 501 / 2);
  EXPECT_EQ(F.Sites.size(), 500u);
  EXPECT_EQ(bytesAtPeak(Record, F, 1499), 500);
}

TEST(Calls, AnOuterCallHoldsWhatItsInnerCallsHold) {
  static const memshape_operator Outer = operatorNamed("outer"), Inner = operatorNamed("inner");
  static const memshape_site Site = siteAt(120), InnerSite = siteAt(121);
  {
    Call C(Outer);
    void *A = allocateAt(Site, 100);
    {
      Call D(Inner);
      void *B = allocateAt(InnerSite, 1000);
      pretendFree(B);
    }
    pretendFree(A);
    A = allocateAt(Site, 600);
    pretendFree(A);
  }
  RunRecord Record = recordNow();
  RunFigures O = groupOf(Record, "outer").First, I = groupOf(Record, "inner").First;
  EXPECT_EQ(O.Peak, 1100);
  EXPECT_EQ(O.Total, 1700u);
  EXPECT_EQ(bytesAtPeak(Record, O, 120), 100);
  EXPECT_EQ(bytesAtPeak(Record, O, 121), 1000);
  EXPECT_EQ(I.Peak, 1000);
  EXPECT_EQ(bytesAtPeak(Record, I, 120), 0);
}

static void recurse(const memshape_operator &Op, std::int64_t N) {
  Call C(Op, N);
  void *Block = pretendAllocate(static_cast<std::size_t>(N));
  if (N > 1)
    recurse(Op, N - 1);
  pretendFree(Block);
}

TEST(Calls, EveryLevelOfARecursionHasItsOwnRecord) {
  static const memshape_operator Op = operatorNamed("recursive");
  recurse(Op, 50);
  RunRecord Record = recordNow();
  for (std::int64_t N = 1; N <= 50; ++N)
    EXPECT_EQ(groupOf(Record, "recursive", N).First.Peak, N * (N + 1) / 2) << N;
  std::uint32_t Deepest = 0;
  for (const RunCall &Each : Record.Calls)
    Deepest = std::max(Deepest, Each.Depth);
  EXPECT_EQ(Deepest, 49u);
}

TEST(Calls, AnExceptionLeavesTheCallsItPasses) {
  static const memshape_operator Outer = operatorNamed("catching"), Inner = operatorNamed("throwing");
  {
    Call C(Outer);
    try {
      Call D(Inner);
      pretendFree(pretendAllocate(64));
      throw std::runtime_error("on purpose");
    } catch (const std::runtime_error &) {
    }
    pretendFree(pretendAllocate(32));
  }
  RunRecord Record = recordNow();
  EXPECT_EQ(groupOf(Record, "throwing").First.Peak, 64);
  EXPECT_EQ(groupOf(Record, "throwing").First.Total, 64u);
  EXPECT_GE(groupOf(Record, "catching").First.Total, 96u);
  EXPECT_EQ(groupOf(Record, "throwing").Jumped, 0u);
}

static std::jmp_buf Back;

[[gnu::noinline]] static void jumpOut(const memshape_operator &Op, bool Jump) {
  std::int64_t N = 1;
  memshape_call Data = {&Op, &N, nullptr, {}};
  hooks().enter(&Data);
  pretendFree(pretendAllocate(128));
  if (Jump)
    std::longjmp(Back, 1);
  hooks().leave(&Data);
}

TEST(Calls, ACallPastALongjmpIsNoneOfTheNextCallsOuters) {
  static const memshape_operator Op = operatorNamed("jumping");
  hooks();
  if (setjmp(Back) == 0)
    jumpOut(Op, true);
  jumpOut(Op, false);
  RunRecord Record = recordNow();
  RunGroup Group = groupOf(Record, "jumping");
  EXPECT_EQ(Group.Jumped, 1u);
  EXPECT_EQ(Group.First.Calls, 1u);
  EXPECT_EQ(Group.First.Peak, 128);
  for (const RunCall &Each : Record.Calls)
    if (Record.Operators[Record.Groups[Each.Group].Operator].Name == "jumping") {
      EXPECT_EQ(Each.Depth, 0u);
    }
}

TEST(Calls, ALongjmpIntoAnOuterCallLeavesThatOneWhole) {
  static const memshape_operator Op = operatorNamed("jumped-over"), Outer = operatorNamed("jumped-into");
  {
    Call C(Outer);
    void *volatile Block = pretendAllocate(1000);
    if (setjmp(Back) == 0)
      jumpOut(Op, true);
    pretendFree(pretendAllocate(500));
    pretendFree(Block);
  }
  RunRecord Record = recordNow();
  EXPECT_EQ(groupOf(Record, "jumped-into").First.Peak, 1500);
  EXPECT_EQ(groupOf(Record, "jumped-over").Jumped, 1u);
  EXPECT_EQ(groupOf(Record, "jumped-over").First.Calls, 0u);
}

/// Two operators inlined into one function: their structures lie side by side, in either order.
TEST(Calls, CallsInlinedIntoOneFunctionStayNested) {
  static const memshape_operator Outer = operatorNamed("inlined-outer"), Inner = operatorNamed("inlined-inner");
  for (int OuterIsHigher = 0; OuterIsHigher != 2; ++OuterIsHigher) {
    std::int64_t N = OuterIsHigher;
    memshape_call Data[2] = {{}, {}};
    memshape_call &O = Data[OuterIsHigher], &I = Data[1 - OuterIsHigher];
    O = {&Outer, &N, nullptr, {}};
    I = {&Inner, &N, nullptr, {}};
    hooks().enter(&O);
    void *Block = pretendAllocate(10);
    hooks().enter(&I);
    pretendFree(pretendAllocate(5));
    hooks().leave(&I);
    pretendFree(Block);
    hooks().leave(&O);
    RunRecord Record = recordNow();
    EXPECT_EQ(groupOf(Record, "inlined-outer", N).First.Peak, 15);
    EXPECT_EQ(groupOf(Record, "inlined-outer", N).Jumped, 0u);
    EXPECT_EQ(groupOf(Record, "inlined-inner", N).First.Peak, 5);
  }
}

TEST(Calls, WhatOtherThreadsAllocateMeanwhileCounts) {
  static const memshape_operator Op = operatorNamed("starting-threads");
  {
    Call C(Op);
    void *Mine = pretendAllocate(100), *Theirs = nullptr;
    std::thread([&] { Theirs = pretendAllocate(1000); }).join();
    std::thread([&] { pretendFree(Theirs); }).join();
    pretendFree(Mine);
  }
  RunFigures F = groupOf(recordNow(), "starting-threads").First;
  EXPECT_EQ(F.Peak, 1100);
  EXPECT_EQ(F.Allocations, 2u);
  EXPECT_EQ(F.Output, 0);
}

TEST(Calls, AThreadThatEndsInsideACallLeavesIt) {
  static const memshape_operator Op = operatorNamed("ending-with-thread");
  std::thread([&] {
    static thread_local std::int64_t N = 1;
    static thread_local memshape_call Data = {&Op, &N, nullptr, {}};
    hooks().enter(&Data);
  }).join();
  EXPECT_EQ(groupOf(recordNow(), "ending-with-thread").Jumped, 1u);
}

TEST(Calls, TheFirstCallStandsApartFromLaterOnes) {
  static const memshape_operator Op = operatorNamed("warming-up");
  for (std::size_t Extra : {500, 0, 0, 40}) {
    Call C(Op, 3);
    pretendFree(pretendAllocate(100 + Extra));
  }
  RunGroup Group = groupOf(recordNow(), "warming-up");
  EXPECT_EQ(Group.First.Calls, 1u);
  EXPECT_EQ(Group.First.Peak, 600);
  EXPECT_EQ(Group.Later.Calls, 3u);
  EXPECT_EQ(Group.Later.Peak, 140);
  EXPECT_EQ(Group.Later.PeakLeast, 100);
  EXPECT_EQ(Group.Later.Total, 140u);
}

TEST(Calls, AllocationsInASignalHandlerAmidAccountingAreCountedLater) {
  static const memshape_operator Op = operatorNamed("interrupted");
  {
    Call C(Op);
    pretendBusy(1);
    void *Block = pretendAllocate(50);
    pretendBusy(0);
    pretendFree(pretendAllocate(7));
    pretendFree(Block);
  }
  RunFigures F = groupOf(recordNow(), "interrupted").First;
  EXPECT_EQ(F.Peak, 57);
  EXPECT_EQ(F.Allocations, 2u);
  EXPECT_EQ(F.Output, 0);
}

TEST(Calls, OddBlocksAreKnownToo) {
  static const memshape_operator Op = operatorNamed("odd-blocks");
  {
    Call C(Op);
    std::vector<void *> Blocks;
    for (std::size_t I = 0; I != 3000; ++I) // more than the table's first size
      Blocks.push_back(I % 2 ? pretendAllocateAt(5, 4) : pretendAllocateAt(6, 8));
    for (void *Block : Blocks)
      pretendFree(Block);
  }
  RunFigures F = groupOf(recordNow(), "odd-blocks").First;
  EXPECT_EQ(F.Peak, 1500 * 5 + 1500 * 6);
  EXPECT_EQ(F.Output, 0);
}

TEST(Calls, ThousandsOfShapesAndCallsOutgrowTheFirstFileSize) {
  static const memshape_operator Op = operatorNamed("many-shapes");
  for (int Round = 0; Round != 2; ++Round)
    for (std::int64_t N = 1; N <= 3000; ++N) {
      Call C(Op, N);
      pretendFree(pretendAllocate(static_cast<std::size_t>(N)));
    }
  RunRecord Record = recordNow();
  EXPECT_EQ(groupOf(Record, "many-shapes", 2999).First.Peak, 2999);
  EXPECT_EQ(groupOf(Record, "many-shapes", 2999).Later.Peak, 2999);
  EXPECT_EQ(Record.LostCalls, 0u);
}
