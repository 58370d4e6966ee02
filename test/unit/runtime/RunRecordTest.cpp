// Records of dead and of damaged processes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PretendHeap.h"
#include "Recorded.h"

#include "record/record.h"

#include "Gives.h"
#include <gtest/gtest.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

using namespace memshape;
using namespace memshape::test;

const memshape_operator Op = operatorNamed("recorded");
const memshape_site Site = siteAt(5);

static void callOnce(std::int64_t N) {
  Call C(Op, N);
  hooks().allocation(&Site);
  pretendFree(pretendAllocate(static_cast<std::size_t>(N)));
}

static std::string exampleBytes() {
  hooks();
  for (std::int64_t N : {1, 2, 2, 3})
    callOnce(N);
  std::string All = recordBytesNow();
  std::uint64_t Used;
  std::memcpy(&Used, All.data() + offsetof(memshape_record_header, used), sizeof Used);
  return All.substr(0, Used);
}

TEST(RunRecord, EveryTruncationIsReadOrRefused) {
  std::string All = exampleBytes();
  ASSERT_TRUE(readRunRecord(All));
  for (std::size_t Length = 0; Length < All.size(); Length += Length < MEMSHAPE_RECORD_ITEMS ? 997 : 1)
    if (Result<RunRecord> Record = readRunRecord(std::string_view(All).substr(0, Length)); !Record) {
      EXPECT_FALSE(Record.failure().Message.empty());
    }
}

TEST(RunRecord, DamagedBytesNeverGiveFiguresOfAnotherCall) {
  std::string All = exampleBytes();
  std::mt19937 Random(1);
  for (int Round = 0; Round != 2000; ++Round) {
    std::string Bad = All;
    Bad[MEMSHAPE_RECORD_ITEMS + Random() % (Bad.size() - MEMSHAPE_RECORD_ITEMS)] ^=
        static_cast<char>(1u << Random() % 8);
    Result<RunRecord> Record = readRunRecord(Bad);
    if (!Record)
      continue;
    for (const RunGroup &Group : Record->Groups)
      if (!Group.Damaged && Record->Operators[Group.Operator].Name == "recorded" && Group.First.Calls) {
        EXPECT_EQ(Group.First.Peak, Group.Shape[0]);
      }
  }
}

TEST(RunRecord, AnotherVersionIsRefusedByName) {
  std::string All = exampleBytes();
  All[8] = 1;
  Result<RunRecord> Record = readRunRecord(All);
  ASSERT_FALSE(Record);
  EXPECT_NE(Record.failure().Message.find("version 1"), std::string::npos);
}

/// What a child of this process has left, which is removed.
static Result<RunRecord> recordOf(pid_t Child) {
  const std::filesystem::path Path = std::string(std::getenv("MEMSHAPE_RUNTIME_RECORD")) + "." + std::to_string(Child);
  std::ifstream Stream(Path, std::ios::binary);
  std::filesystem::remove(Path);
  return readRunRecord(std::string(std::istreambuf_iterator<char>(Stream), {}));
}

/// The child keeps its own record, beside this process's; SIGKILL takes nothing that was finished.
TEST(RunRecord, AKilledChildLeavesItsFinishedCalls) {
  hooks();
  callOnce(10);
  void *Held = pretendAllocate(1234);
  pid_t Child = fork();
  if (Child == 0) {
    callOnce(11);
    callOnce(11);
    pretendFree(Held);
    kill(getpid(), SIGKILL);
  }
  waitpid(Child, nullptr, 0);
  pretendFree(Held);

  ASSERT_GIVES(RunRecord Record, recordOf(Child));
  EXPECT_EQ(Record.Pid, static_cast<std::uint64_t>(Child));
  EXPECT_FALSE(Record.Ended);
  EXPECT_EQ(Record.Allocations, 2u);
  EXPECT_EQ(Record.Total, 22u);
  EXPECT_EQ(Record.Live, Record.InheritedLive - 1234);
  EXPECT_EQ(groupOf(Record, "recorded").First.Calls + groupOf(Record, "recorded").Later.Calls, 2u);
  EXPECT_EQ(bytesAtPeak(Record, groupOf(Record, "recorded").First, 5), 11);

  RunRecord Ours = recordNow();
  for (const RunGroup &Group : Ours.Groups)
    EXPECT_NE(Group.Shape[0], 11) << "the child wrote into its parent's record";
}

TEST(RunRecord, AForkInsideACallGivesBothProcessesTheirs) {
  static const memshape_operator Forking = operatorNamed("forking");
  hooks();
  pid_t Child;
  {
    Call C(Forking, 4);
    void *Block = pretendAllocate(100);
    Child = fork();
    void *More = pretendAllocate(Child == 0 ? 30 : 20);
    pretendFree(More);
    pretendFree(Block);
  }
  if (Child == 0)
    _exit(0);
  waitpid(Child, nullptr, 0);
  EXPECT_EQ(groupOf(recordNow(), "forking").First.Peak, 120);
  ASSERT_GIVES(const RunRecord Record, recordOf(Child));
  EXPECT_EQ(groupOf(Record, "forking").First.Peak, 130);
  EXPECT_EQ(groupOf(Record, "forking").First.Allocations, 2u);
}

static std::int64_t liveAt(const RunRecord &Record, std::uint32_t Line) {
  std::int64_t Sum = 0;
  for (const RunSiteBytes &Entry : Record.LiveSites)
    if (Record.Sites[Entry.Site].Line == Line)
      Sum += Entry.Bytes;
  return Sum;
}

TEST(RunRecord, LiveBytesOfASiteAndCallsInFlightAreSeenWhileTheProcessRuns) {
  static const memshape_operator Outer = operatorNamed("outer"), Inner = operatorNamed("inner");
  static const memshape_site Here = siteAt(4711);
  hooks();
  std::size_t Before = recordNow().Open.size();
  void *Block;
  {
    Call O(Outer, 5);
    hooks().allocation(&Here);
    Block = pretendAllocate(321);
    {
      Call I(Inner, 6);
      RunRecord Now = recordNow();
      EXPECT_TRUE(Now.CountsCalls);
      EXPECT_EQ(liveAt(Now, 4711), 321);
      ASSERT_EQ(Now.Open.size(), Before + 2);
      const RunOpenCall &Last = Now.Open.back(), &First = Now.Open[Now.Open.size() - 2];
      EXPECT_EQ(Now.Operators[Now.Groups[First.Group].Operator].Name, "outer");
      EXPECT_EQ(Now.Operators[Now.Groups[Last.Group].Operator].Name, "inner");
      EXPECT_EQ(Now.Groups[Last.Group].Shape.at(0), 6);
      EXPECT_EQ(Last.Base - First.Base, 321);
      EXPECT_EQ(Last.Depth, First.Depth + 1);
    }
    EXPECT_EQ(recordNow().Open.size(), Before + 1);
  }
  pretendFree(Block);
  EXPECT_EQ(recordNow().Open.size(), Before);
  EXPECT_EQ(liveAt(recordNow(), 4711), 0);
}

TEST(RunRecord, AChildStartsFromWhatItsParentsSitesHeldAtTheFork) {
  static const memshape_site Here = siteAt(4712);
  hooks().allocation(&Here);
  void *Block = pretendAllocate(100);
  int Ready[2];
  ASSERT_EQ(pipe(Ready), 0);
  pid_t Child = fork();
  if (Child == 0) { // waits until the parent has gone on counting
    char Byte;
    if (read(Ready[0], &Byte, 1) != 1)
      _exit(1);
    pretendFree(pretendAllocate(1));
    _exit(0);
  }
  pretendFree(Block);
  ASSERT_EQ(write(Ready[1], "x", 1), 1);
  waitpid(Child, nullptr, 0);
  close(Ready[0]);
  close(Ready[1]);
  ASSERT_GIVES(const RunRecord Record, recordOf(Child));
  EXPECT_EQ(liveAt(Record, 4712), 100);
  EXPECT_EQ(liveAt(recordNow(), 4712), 0);
}

/// What a process leaves that dies while its threads count on their own at the peak.
TEST(RunPeak, StatesHowMuchHigherItMayHaveBeen) {
  struct {
    std::int64_t Peak, PeakMost, Limit, Slack, Least, Error;
  } const Cases[] = {
      {1000, 0, 900, 500, 1000, 0},      // counted in turns, or far below the peak
      {1000, 1200, 1000, 0, 1000, 200},  // looked at, and not reached again
      {1000, 1200, 1300, 0, 1300, 0},    // the limit is no more than what was live
      {1000, 0, 9000, 4096, 4904, 4096}, // the limit was raised
      {8000, 0, 9000, 4096, 8000, 1000}, // and a look has told more than the slack does
      {9000, 8000, 7000, 4096, 9000, 0}, // a higher peak, in turns
  };
  for (const auto &Case : Cases) {
    const RunPeak Read(Case.Peak, Case.PeakMost, Case.Limit, Case.Slack);
    EXPECT_EQ(Read.Peak, Case.Least) << Case.Limit;
    EXPECT_EQ(Read.Error, Case.Error) << Case.Limit;
  }
}
