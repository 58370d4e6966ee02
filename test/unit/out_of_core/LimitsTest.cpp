// A budget that follows what the kernel allows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Core.h"
#include "Stores.h"
#include "TemporaryFolder.h"
#include "limits/BudgetRule.h"
#include "limits/Pressure.h"

#include <fstream>
#include <iterator>
#include <random>
#include <sys/resource.h>
#include <thread>

using namespace memshape::out_of_core;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t MiB = 1 << 20, None = ~std::uint64_t(0), Page = 4096;
constexpr ProcessLimits NoLimits{RLIM_INFINITY, RLIM_INFINITY};

/// A folder with what the kernel writes.
class OutOfCoreLimits : public testing::Test {
protected:
  void write(const std::string &Name, const std::string &Content) const { Root.write(Name, Content); }
  std::string content(const std::string &Name) const {
    std::ifstream File(Root.Path / Name);
    return {std::istreambuf_iterator<char>(File), {}};
  }
  void writeSecondVersion(std::uint64_t Limit, std::uint64_t Usage) const {
    write("proc/self/cgroup", "0::/job\n");
    write("proc/self/mountinfo", "30 20 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    write("sys/fs/cgroup/job/memory.max", std::to_string(Limit) + "\n");
    write("sys/fs/cgroup/job/memory.current", std::to_string(Usage) + "\n");
  }
  void writeFirstVersion() const {
    write("proc/self/cgroup", "4:memory:/job/step\n3:cpu:/x\n");
    write("proc/self/mountinfo", "31 20 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  }
  Room left(const ProcessLimits &Of = NoLimits) const { return roomLeft(Root.Path, Of); }

  TemporaryFolder Root;
};

TEST_F(OutOfCoreLimits, NothingSaidIsNoLimit) {
  EXPECT_EQ(left().Resident, std::nullopt);
  EXPECT_EQ(left({100, 100}).Mapped, std::nullopt);
}

TEST_F(OutOfCoreLimits, RoomInAGroupOfEachVersion) {
  writeSecondVersion(1000, 300);
  EXPECT_EQ(left().Resident, 700);
  write("sys/fs/cgroup/job/memory.high", "600\n");
  EXPECT_EQ(left().Resident, 300);
  write("sys/fs/cgroup/job/memory.high", "max\n");
  write("sys/fs/cgroup/job/memory.max", "max\n");
  EXPECT_EQ(left().Resident, std::nullopt);
  write("sys/fs/cgroup/job/memory.max", "0\n");
  EXPECT_EQ(left().Resident, 0);

  writeFirstVersion();
  write("sys/fs/cgroup/memory/job/step/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/job/step/memory.usage_in_bytes", "300\n");
  EXPECT_EQ(left().Resident, std::nullopt);
  write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "800\n");
  write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "500\n");
  EXPECT_EQ(left().Resident, 300);
  write("sys/fs/cgroup/memory/job/step/memory.limit_in_bytes", "500\n");
  EXPECT_EQ(left().Resident, 200);
}

TEST_F(OutOfCoreLimits, RoomOfTheMachineAndOfTheProcess) {
  write("proc/meminfo", "MemTotal: 100 kB\nMemAvailable: 0 kB\n");
  EXPECT_EQ(left().Resident, 0);
  write("proc/self/status", "Name: VmData: 7 kB\nVmSize:\t      30 kB\nVmData:\t      10 kB\n");
  EXPECT_EQ(left().Mapped, std::nullopt);
  EXPECT_EQ(left({20 << 10, RLIM_INFINITY}).Mapped, 10 << 10);
  EXPECT_EQ(left({20 << 10, 35 << 10}).Mapped, 5 << 10);
  EXPECT_EQ(left({5 << 10, 35 << 10}).Mapped, 0);
  const Room OfThisProcess = roomLeft("", {1 << 30, RLIM_INFINITY});
  EXPECT_GT(OfThisProcess.Resident, 0);
  EXPECT_LT(OfThisProcess.Mapped, 1 << 30);
}

/// What is not a number limits nothing, and stops nothing.
TEST_F(OutOfCoreLimits, FilesThatSayAnything) {
  std::mt19937 Random(1);
  const char *const Words[] = {"max",
                               "",
                               "-1",
                               "18446744073709551616",
                               "99999999999999999999999999",
                               "total=",
                               "some",
                               " ",
                               "\n",
                               "memory",
                               ":",
                               "0::/",
                               " - ",
                               "cgroup2",
                               "/",
                               "kB",
                               "1e9",
                               "0x10",
                               "\0\xff"};
  const char *const Names[] = {"proc/meminfo",
                               "proc/self/status",
                               "proc/self/cgroup",
                               "proc/self/mountinfo",
                               "proc/pressure/memory",
                               "sys/fs/cgroup/job/memory.max",
                               "sys/fs/cgroup/job/memory.current",
                               "sys/fs/cgroup/job/memory.stat",
                               "sys/fs/cgroup/job/memory.pressure",
                               "sys/fs/cgroup/job/memory.events"};
  for (const char *Word : {"max", "", "-1", "18446744073709551616", "garbage", "\n\n", "0x"}) {
    writeSecondVersion(1000, 300);
    write("sys/fs/cgroup/job/memory.max", Word);
    EXPECT_TRUE(!left().Resident || (Word[0] == '0' && *left().Resident == 0)) << Word;
    writeSecondVersion(1000, 300);
    write("sys/fs/cgroup/job/memory.current", Word);
    EXPECT_TRUE(!left().Resident || (Word[0] == '0' && *left().Resident == 1000)) << Word;
  }
  for (int Round = 0; Round < 300; ++Round) {
    writeSecondVersion(1000, 300);
    for (int Times = 0; Times < 3; ++Times) {
      std::string Text;
      for (unsigned Count = Random() % 12; Count > 0; --Count)
        Text += Random() % 3 ? std::string(Words[Random() % std::size(Words)]) + (Random() % 2 ? " " : "")
                             : std::string(1, static_cast<char>(Random()));
      write(Names[Random() % std::size(Names)], Text);
    }
    const Room Found = left({4096, 4096});
    Pressure Signs(Root.Path);
    Signs.look({});
    Signs.look(Pressure::Time(2s));
    BudgetRule Rule;
    const std::uint64_t Budget = Rule.next(Found, {}, {}, Round % 2, Pressure::Time(3s));
    EXPECT_LE(Budget, Rule.most());
  }
}

std::uint64_t firstBudget(const Room &Of) { return BudgetRule().next(Of, {}, {}, false, {}); }

TEST(OutOfCoreBudgetRule, HeadRoomIsASixteenthWithinBounds) {
  EXPECT_EQ(firstBudget({}), None);
  EXPECT_EQ(firstBudget({1024 * MiB, {}}), 960 * MiB);
  EXPECT_EQ(firstBudget({{}, 1024 * MiB}), 960 * MiB);
  EXPECT_EQ(firstBudget({2048 * MiB, 1024 * MiB}), 960 * MiB);
  EXPECT_EQ(firstBudget({64 * MiB, {}}), 48 * MiB);
  EXPECT_EQ(firstBudget({20 * MiB, {}}), 10 * MiB);
  EXPECT_EQ(firstBudget({0, {}}), 0);
  EXPECT_EQ(firstBudget({None, {}}), None);
  EXPECT_EQ(firstBudget({64 * 1024 * MiB, {}}), 63 * 1024 * MiB);
}

TEST(OutOfCoreBudgetRule, WhatTheProgramTakesIsNotTheStores) {
  BudgetRule Rule;
  EXPECT_EQ(Rule.next({1024 * MiB, {}}, {}, {}, false, {}), 960 * MiB);
  const Holding Half{512 * MiB, 512 * MiB};
  EXPECT_EQ(Rule.next({512 * MiB, {}}, Half, Half, false, {}), 960 * MiB);
  EXPECT_EQ(Rule.next({192 * MiB, {}}, Half, Half, false, {}), 660 * MiB);
  EXPECT_EQ(Rule.most(), 704 * MiB);
  EXPECT_EQ(Rule.next({191 * MiB, {}}, Half, Half, false, {}), 660 * MiB); // little is nothing
  EXPECT_EQ(Rule.next({193 * MiB, {}}, Half, Half, false, {}), 660 * MiB);
  EXPECT_EQ(Rule.next({3584 * MiB, {}}, Half, Half, false, {}), 3840 * MiB);
}

TEST(OutOfCoreBudgetRule, WhatIsOnItsWayChangesNothing) {
  BudgetRule Rule;
  const std::uint64_t Budget = Rule.next({1024 * MiB, {}}, {}, {}, false, {});
  // 100 MiB are new, of which the kernel has seen none, or all.
  EXPECT_EQ(Rule.next({524 * MiB, {}}, {500 * MiB, 600 * MiB}, {500 * MiB, 600 * MiB}, false, {}), Budget);
  EXPECT_EQ(Rule.next({424 * MiB, {}}, {500 * MiB, 600 * MiB}, {500 * MiB, 600 * MiB}, false, {}), Budget);
  // The store went on between two numbers.
  EXPECT_EQ(Rule.next({524 * MiB, {}}, {500 * MiB, 500 * MiB}, {600 * MiB, 600 * MiB}, false, {}), Budget);
  // But what all can be is too little.
  EXPECT_EQ(Rule.next({40 * MiB, {}}, {500 * MiB, 600 * MiB}, {500 * MiB, 600 * MiB}, false, {}), 600 * MiB);
}

TEST(OutOfCoreBudgetRule, PressureShrinksItUntilItIsGone) {
  BudgetRule Rule;
  std::chrono::milliseconds Now = 0ms;
  const auto After = [&](std::chrono::milliseconds Time, bool IsPressed) {
    Now += Time;
    return Rule.next({1024 * MiB, {}}, {}, {}, IsPressed, Pressure::Time(Now)) / MiB;
  };
  EXPECT_EQ(After(0ms, false), 960);
  EXPECT_EQ(After(100ms, true), 896);
  EXPECT_EQ(After(100ms, true), 896); // signs come in swarms
  EXPECT_EQ(After(400ms, true), 832);
  EXPECT_EQ(After(500ms, true), 704);
  EXPECT_EQ(After(500ms, true), 448);
  EXPECT_EQ(After(500ms, true), 448); // no more than a half
  EXPECT_EQ(After(1900ms, false), 448);
  EXPECT_EQ(After(100ms, false), 704);
  EXPECT_EQ(After(900ms, false), 704);
  EXPECT_EQ(After(100ms, false), 832);
  EXPECT_EQ(After(1000ms, false), 896);
  EXPECT_EQ(After(1000ms, false), 928);
  EXPECT_EQ(After(1000ms, false), 944);
  EXPECT_EQ(After(1000ms, false), 960);
}

std::string stalled(std::uint64_t Microseconds) {
  return "some avg10=0.00 avg60=0.00 avg300=0.00 total=" + std::to_string(Microseconds) +
         "\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n";
}

TEST_F(OutOfCoreLimits, PressureOfAGroup) {
  writeSecondVersion(1000, 300);
  write("sys/fs/cgroup/job/memory.pressure", stalled(0));
  Pressure Signs(Root.Path);
  EXPECT_EQ(content("sys/fs/cgroup/job/memory.pressure").substr(0, 19), "some 100000 1000000");
  const std::pair<std::uint64_t, bool> Steps[] = {{0, false},      {99'999, false},   {199'998, false},
                                                  {299'998, true}, {5'000'000, true}, {5'000'000, false},
                                                  {0, false},      {100'000, true}};
  std::chrono::seconds Now = 10s;
  for (const auto &[Total, Expected] : Steps) {
    write("sys/fs/cgroup/job/memory.pressure", stalled(Total));
    EXPECT_EQ(Signs.look(Pressure::Time(Now++)), Expected) << Total;
  }
}

TEST_F(OutOfCoreLimits, PressureOfTheMachineCountsWhereItIsShort) {
  for (const bool IsShort : {false, true}) {
    write("proc/meminfo",
          IsShort ? "MemTotal: 100 kB\nMemAvailable: 9 kB\n" : "MemTotal: 100 kB\nMemAvailable: 10 kB\n");
    write("proc/pressure/memory", stalled(0));
    Pressure Signs(Root.Path);
    write("proc/pressure/memory", stalled(0));
    EXPECT_FALSE(Signs.look(Pressure::Time(1s)));
    write("proc/pressure/memory", stalled(1'000'000));
    EXPECT_EQ(Signs.look(Pressure::Time(2s)), IsShort);
  }
}

TEST_F(OutOfCoreLimits, EventsWhereAGroupHasNoPressure) {
  writeSecondVersion(1000, 300);
  write("sys/fs/cgroup/job/memory.events", "low 0\nhigh 0\nmax 3\n");
  Pressure Signs(Root.Path);
  EXPECT_FALSE(Signs.look({}));
  EXPECT_FALSE(Signs.look({}));
  write("sys/fs/cgroup/job/memory.events", "low 0\nhigh 0\nmax 4\n");
  EXPECT_TRUE(Signs.look({}));
  EXPECT_FALSE(Signs.look({}));
}

TEST_F(OutOfCoreLimits, TheFirstVersionIsAskedToTell) {
  writeFirstVersion();
  for (const char *Group : {"", "job/", "job/step/"})
    for (const char *File : {"memory.pressure_level", "cgroup.event_control"})
      write("sys/fs/cgroup/memory/" + std::string(Group) + File, "");
  Pressure Signs(Root.Path);
  for (const char *Group : {"", "job/", "job/step/"}) {
    unsigned Told = 0, Level = 0;
    const std::string Asked = content("sys/fs/cgroup/memory/" + std::string(Group) + "cgroup.event_control");
    ASSERT_EQ(std::sscanf(Asked.c_str(), "%u %u medium", &Told, &Level), 2) << Asked;
    EXPECT_FALSE(Signs.look({}));
    const std::uint64_t Once = 1;
    ASSERT_EQ(::write(static_cast<int>(Told), &Once, sizeof Once), 8); // as the kernel does
    Signs.wait(1h, -1);
    EXPECT_TRUE(Signs.look({}));
    EXPECT_FALSE(Signs.look({}));
  }
}

class OutOfCoreAutomatic : public OutOfCoreLimits {
protected:
  static constexpr std::uint64_t Numbers = 2 * Page / sizeof(std::uint64_t);

  std::unique_ptr<detail::Core> core(std::uint64_t Budget = automatic) const {
    const Options Of{.budget_bytes = Budget, .folder = Folder.Path};
    return std::make_unique<detail::Core>(Of, std::make_unique<FileLayer>(), Root.Path.string());
  }
  template <class Condition> static void waitUntil(Condition What) {
    while (!What())
      std::this_thread::yield();
  }

  TemporaryFolder Folder;
};

/// The made-up group's usage stays what it is, so that each half of what the store holds is room: the budget ends up
/// near the limit all the same.
TEST_F(OutOfCoreAutomatic, RaisingTheLimitBringsAllBack) {
  constexpr unsigned Count = 40;
  writeSecondVersion(20 * 2 * Page, 0);
  Store Tested(core());
  EXPECT_EQ(Tested.statistics().budget_bytes, 10 * 2 * Page);
  const Blocks All = filled(Tested, Count);
  std::atomic<int> Wrong = 0;
  const auto Epoch = [&] {
    for (unsigned Each = 0; Each < Count; ++Each)
      Tested.submit(
          [&, Each](std::span<const std::uint64_t> Block) {
            Wrong += std::count(Block.begin(), Block.end(), Each) != Numbers;
          },
          read(All[Each]));
  };
  std::uint64_t Before = 0;
  Epoch();
  Tested.fence([&] {
    EXPECT_GT(Tested.statistics().reads, 0u);
    EXPECT_LT(Tested.statistics().resident, Count);
    writeSecondVersion(1000 * 2 * Page, 0);
    waitUntil([&] { return Tested.statistics().resident == Count; }); // no task asks for them
    Before = Tested.statistics().reads;
  });
  Epoch();
  Tested.run();
  EXPECT_EQ(Wrong, 0);
  EXPECT_EQ(Tested.statistics().reads, Before);
}

TEST_F(OutOfCoreAutomatic, ALowerLimitEvicts) {
  writeSecondVersion(1000 * 2 * Page, 0);
  Store Tested(core());
  const Blocks All = filled(Tested, 10);
  Tested.run();
  EXPECT_EQ(Tested.statistics().evictions, 0u);
  writeSecondVersion(0, 0);
  waitUntil([&] { return Tested.statistics().resident <= 1; });
  writeSecondVersion(1000 * 2 * Page, 0);
  waitUntil([&] { return Tested.statistics().budget_bytes >= 100 * Page; });
  for (std::uint64_t Each = 0; Each < 10; ++Each)
    EXPECT_EQ((*Tested.pin(read(All[Each])))[0], Each);
}

/// A task that could run without pressure is not refused.
TEST_F(OutOfCoreAutomatic, ATaskMayTakeTheHeadRoom) {
  writeSecondVersion(10 * 2 * Page, 0);
  Store Tested(core());
  EXPECT_EQ(Tested.statistics().budget_bytes, 5 * 2 * Page);
  int Ran = 0;
  const auto Fits = Tested.add<std::uint64_t[]>(9 * Numbers), Other = Tested.add<std::uint64_t[]>(9 * Numbers);
  const auto TooLarge = Tested.add<std::uint64_t[]>(100 * Numbers);
  for (int Times = 0; Times < 3; ++Times)
    for (const auto &Each : {Fits, Other})
      Tested.submit([&](std::span<std::uint64_t>) { ++Ran; }, update(Each));
  EXPECT_THROW(Tested.submit([](std::span<std::uint64_t>) {}, update(TooLarge)), Error);
  Tested.run();
  EXPECT_EQ(Ran, 6);
}

TEST_F(OutOfCoreAutomatic, AReservationMayTakeTheHeadRoom) {
  writeSecondVersion(10 * 2 * Page, 0);
  Store Tested(core());
  EXPECT_EQ(Tested.statistics().budget_bytes, 5 * 2 * Page);
  int Ran = 0;
  const Blocks All = filled(Tested, 6);
  for (const auto &Each : All)
    Tested.submit([&](std::span<const std::uint64_t>) { ++Ran; }, reserve(9 * 2 * Page), read(Each));
  EXPECT_THROW(Tested.submit([](std::span<const std::uint64_t>) {}, reserve(100 * 2 * Page), read(All[0])), Error);
  Tested.run();
  EXPECT_EQ(Ran, 6);
  EXPECT_EQ(Tested.statistics().resident_bytes, Tested.statistics().resident * 2 * Page);
}

TEST_F(OutOfCoreAutomatic, BeginsAndEndsWithACall) {
  writeSecondVersion(20 * 2 * Page, 0);
  Store Tested(core(unlimited));
  const Blocks All = filled(Tested, 30);
  Tested.run();
  EXPECT_EQ(Tested.statistics().evictions, 0u);
  Tested.set_budget(automatic); // 30 of (30 + 20) are held, and the budget is a half
  EXPECT_EQ(Tested.statistics().budget_bytes, 25 * 2 * Page);
  Tested.set_budget(8 * Page);
  EXPECT_EQ(Tested.statistics().budget_bytes, 8 * Page);
  EXPECT_LE(Tested.statistics().resident_bytes, 8 * Page);
  for (std::uint64_t Each = 0; Each < 30; ++Each)
    EXPECT_EQ((*Tested.pin(read(All[Each])))[0], Each);
  EXPECT_EQ(Tested.statistics().budget_bytes, 8 * Page);
}

} // namespace
