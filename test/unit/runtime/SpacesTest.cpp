// What calls and processes hold outside the heap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PretendHeap.h"
#include "Recorded.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

using namespace memshape;
using namespace memshape::test;

constexpr std::uint32_t Device = MEMSHAPE_SPACE_DEVICE, Pinned = MEMSHAPE_SPACE_PINNED;

static RunFigures firstIn(const char *Operator, std::uint32_t Space) {
  RunGroup Group = groupOf(recordNow(), Operator);
  return Group.Spaces.count(Space) ? Group.Spaces.at(Space).First : RunFigures();
}

TEST(Spaces, FiguresAreThoseBetweenEntryAndReturn) {
  static const memshape_operator Op = operatorNamed("on the device");
  hooks();
  pretendTake(Device, 1, 5000);
  {
    Call C(Op);
    pretendTake(Device, 2, 100);
    pretendTake(Device, 3, 30); // 130: the peak
    pretendGive(2);
    pretendTake(Device, 4, 90); // 120
    pretendGive(4);
    pretendGive(99); // nothing we know
  }
  RunFigures F = firstIn("on the device", Device);
  EXPECT_EQ(F.Peak, 130);
  EXPECT_EQ(F.Total, 220u);
  EXPECT_EQ(F.Allocations, 3u);
  EXPECT_EQ(F.Output, 30);
  EXPECT_EQ(groupOf(recordNow(), "on the device").First.Peak, 0); // the heap has nothing of it
  pretendGive(1);
  pretendGive(3);
}

TEST(Spaces, EachSpaceHasItsOwnPeak) {
  static const memshape_operator Op = operatorNamed("in turn");
  {
    Call C(Op);
    pretendTake(Device, 1, 1000);
    pretendGive(1);
    pretendTake(Pinned, 2, 400);
    pretendGive(2);
  }
  EXPECT_EQ(firstIn("in turn", Device).Peak, 1000);
  EXPECT_EQ(firstIn("in turn", Pinned).Peak, 400);
  EXPECT_EQ(groupOf(recordNow(), "in turn").Spaces.size(), 3u); // and the stack
}

TEST(Spaces, SitesAddUpToThePeak) {
  static const memshape_operator Op = operatorNamed("sited");
  static const memshape_site A = {"device.cpp", "work", 10, 3, Device, 0};
  static const memshape_site B = {"device.cpp", "work", 20, 3, Device, 0};
  {
    Call C(Op);
    hooks().allocation(&A);
    pretendFree(pretendAllocate(64)); // of the library: the site stays for what comes outside the heap
    pretendTake(Device, 1, 100);
    hooks().allocation(&B);
    pretendTake(Device, 2, 700); // 800: the peak
    pretendGive(1);
    hooks().allocation(&A);
    pretendTake(Device, 3, 50);
    pretendTake(Device, 4, 7); // no site: the library that called
    for (unsigned long Name : {2, 3, 4})
      pretendGive(Name);
  }
  RunRecord Record = recordNow();
  RunFigures F = groupOf(Record, "sited").Spaces.at(Device).First;
  EXPECT_EQ(F.Peak, 800);
  EXPECT_EQ(bytesAtPeak(Record, F, 10), 100);
  EXPECT_EQ(bytesAtPeak(Record, F, 20), 700);
  EXPECT_EQ(F.Sites.size(), 2u);
}

TEST(Spaces, TheRecordSaysWhoHoldsWhatNow) {
  static const memshape_site A = {"holding.cpp", "work", 11, 3, Device, 0};
  static const memshape_site B = {"holding.cpp", "work", 12, 3, Device, 0};
  hooks().allocation(&A);
  pretendTake(Device, 1, 100);
  hooks().allocation(&B);
  pretendTake(Device, 2, 700);
  RunRecord Record = recordNow();
  RunFigures Held;
  Held.Sites = Record.Spaces[Device].LiveSites;
  EXPECT_EQ(bytesAtPeak(Record, Held, 11), 100);
  EXPECT_EQ(bytesAtPeak(Record, Held, 12), 700);
  EXPECT_EQ(Held.Sites.size(), 2u);
  pretendGive(1);
  EXPECT_EQ(recordNow().Spaces[Device].LiveSites.size(), 1u);
  pretendGive(2);
}

TEST(Spaces, AnOuterCallSeesWhatItsInnerCallsHold) {
  static const memshape_operator Outer = operatorNamed("outer space"), Inner = operatorNamed("inner space");
  {
    Call C(Outer);
    pretendTake(Device, 1, 10);
    for (int I = 0; I != 2; ++I) {
      Call D(Inner);
      pretendTake(Device, 2, 500);
      pretendGive(2);
    }
    pretendGive(1);
    pretendTake(Device, 3, 200);
    pretendGive(3);
  }
  RunFigures Around = firstIn("outer space", Device);
  EXPECT_EQ(Around.Peak, 510);
  std::int64_t Sum = 0;
  for (const RunSiteBytes &Site : Around.Sites)
    Sum += Site.Bytes;
  EXPECT_EQ(Sum, 510);
  EXPECT_EQ(Around.Total, 1210u);
  EXPECT_EQ(firstIn("inner space", Device).Peak, 500);
  EXPECT_EQ(groupOf(recordNow(), "inner space").Spaces.at(Device).Later.Peak, 500);
}

TEST(Spaces, OfLaterCallsTheLargestStands) {
  static const memshape_operator Op = operatorNamed("varied");
  for (std::size_t Bytes : {900, 300, 600, 500, 0}) {
    Call C(Op);
    if (Bytes)
      pretendTake(Device, 1, Bytes);
    pretendGive(1);
  }
  RunSpaceFigures F = groupOf(recordNow(), "varied").Spaces.at(Device);
  EXPECT_EQ(F.First.Peak, 900);
  EXPECT_EQ(F.Later.Peak, 600);
}

TEST(Spaces, ThreadsShareOnePeak) {
  static const memshape_operator Op = operatorNamed("shared device");
  std::uint64_t Before = recordNow().Spaces[Device].Allocations;
  {
    Call C(Op);
    std::vector<std::thread> Threads;
    for (unsigned long T = 1; T != 5; ++T)
      Threads.emplace_back([T] {
        pretendTake(Device, 1000 * T, 1 << 20);
        for (unsigned long I = 1; I != 200; ++I) {
          pretendTake(Device, 1000 * T + I, 64);
          pretendGive(1000 * T + I);
        }
      });
    for (std::thread &Thread : Threads)
      Thread.join();
    for (unsigned long T = 1; T != 5; ++T)
      pretendGive(1000 * T);
  }
  RunRecord Record = recordNow();
  EXPECT_EQ(Record.Spaces[Device].Allocations - Before, 4u * 200);
  EXPECT_EQ(Record.Spaces[Device].Live, 0);
  EXPECT_GE(firstIn("shared device", Device).Peak, 4 << 20);
  EXPECT_LE(firstIn("shared device", Device).Peak, (4 << 20) + 4 * 64);
}

TEST(Spaces, ManyBlocksAreKnownAgain) {
  for (unsigned long Name = 1; Name != 5000; ++Name)
    pretendTake(Pinned, Name << 21, 3);
  EXPECT_EQ(recordNow().Spaces[Pinned].Live, 3 * 4999);
  for (unsigned long Name = 1; Name != 5000; ++Name)
    pretendGive(Name << 21);
  EXPECT_EQ(recordNow().Spaces[Pinned].Live, 0);
}
