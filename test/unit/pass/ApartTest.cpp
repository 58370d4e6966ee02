// Work in a child of the compiler.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memshape/Apart.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemAlloc.h"

#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace memshape;

constexpr uint64_t MegaByte = 1 << 20;
constexpr ApartLimits Ample = {60, 512 * MegaByte};

/// What became of a child that handed over "first" and then did End.
static Apart ending(llvm::function_ref<void()> End, ApartLimits Limits = Ample) {
  return runApart(
      [&](HandOver Give) {
        Give("first");
        End();
        Give("second");
      },
      Limits);
}

/// Takes memory in small blocks, and writes to it.
template <typename Allocate> static void take(uint64_t Bytes, Allocate Take) {
  constexpr size_t Block = 64 << 10;
  for (uint64_t Taken = 0; Taken < Bytes; Taken += Block)
    *static_cast<volatile char *>(Take(Block)) = 1;
}

TEST(Apart, HandsOverWhatWasMade) {
  const std::string Large(3'000'000, 'x');
  const Apart Made = runApart(
      [&](HandOver Give) {
        Give("");
        Give(Large);
        Give(llvm::StringRef("a\0b", 3));
      },
      Ample);
  EXPECT_EQ(Made.Problem, "");
  EXPECT_EQ(Made.Parts, (std::vector<std::string>{"", Large, std::string("a\0b", 3)}));
}

TEST(Apart, NothingOfItIsLeftBehind) {
  int Changed = 0;
  EXPECT_EQ(runApart([&](HandOver) { Changed = 1; }, Ample).Problem, "");
  EXPECT_EQ(Changed, 0);
}

TEST(Apart, CrashesStayThere) {
  for (auto [Signal, Said] : {std::pair{SIGSEGV, "it crashed: Segmentation fault"}, {SIGABRT, "it crashed: Aborted"}}) {
    const Apart Made = ending([S = Signal] { raise(S); });
    EXPECT_EQ(Made.Parts, std::vector<std::string>{"first"});
    EXPECT_EQ(Made.Problem, Said);
  }
}

TEST(Apart, HandlersOfTheCompilerDoNotRunThere) {
  auto *Before = signal(SIGSEGV, [](int) { _exit(0); });
  EXPECT_EQ(ending([] { raise(SIGSEGV); }).Problem, "it crashed: Segmentation fault");
  signal(SIGSEGV, Before);
}

TEST(Apart, FatalErrorsGiveTheirReason) {
  const Apart Made = ending([] { llvm::report_fatal_error("cannot select\nat all"); });
  EXPECT_EQ(Made.Parts, std::vector<std::string>{"first"});
  EXPECT_EQ(Made.Problem, "cannot select");
}

TEST(Apart, AnExitIsNoEnd) {
  EXPECT_EQ(ending([] { _exit(3); }).Problem, "it ended with status 3");
}

TEST(Apart, EndlessWorkIsEnded) {
  const Apart Made = ending(
      [] {
        for (volatile bool Ever = true; Ever;)
          continue;
      },
      {1, Ample.Bytes});
  EXPECT_EQ(Made.Parts, std::vector<std::string>{"first"});
  EXPECT_EQ(Made.Problem, "it took more than 1 s");
}

TEST(Apart, WorkThatIsTooLargeIsEndedAndSaysSo) {
  const ApartLimits Small = {60, 32 * MegaByte};
  const std::string Said = "too large: it takes more than 32 MB beside the compiler";
  auto New = [](size_t Bytes) { return operator new(Bytes); };
  auto Allocator = [](size_t Bytes) { return llvm::safe_malloc(Bytes); };
  EXPECT_EQ(ending([&] { take(4 * MegaByte, New); }, Small).Problem, "");
  EXPECT_EQ(ending([&] { take(64 * MegaByte, New); }, Small).Problem, Said);
  EXPECT_EQ(ending([&] { take(64 * MegaByte, Allocator); }, Small).Problem, Said);
  EXPECT_EQ(ending([&] { take(64 * MegaByte, New); }).Problem, "");
}

TEST(Apart, MayTakeMoreWhereTheCompilerDoes) {
  EXPECT_EQ(limitsApart(0, 0).Seconds, 60u);
  EXPECT_EQ(limitsApart(30, 0).Seconds, 360u);
  EXPECT_EQ(limitsApart(0, 100 * MegaByte).Bytes, 512 * MegaByte);
  EXPECT_EQ(limitsApart(0, 1000 * MegaByte).Bytes, 2000 * MegaByte);
  EXPECT_GE(limitsApart().Bytes, 512 * MegaByte);
}

TEST(Apart, PartsBehindACrashAreMade) {
  std::vector<std::string> Taken(5);
  std::vector<size_t> Complaints;
  bool Repaired = false;
  makeApart(
      5,
      [&](size_t Number) {
        if (Number == 1 || (Number == 3 && !Repaired))
          abort();
        return std::to_string(Number);
      },
      [&](size_t Number, std::string Part) { Taken[Number] = Part; },
      [&](size_t Number, const std::string &) {
        Complaints.push_back(Number);
        Repaired = Number == 3;
        return Repaired ? Retry::Yes : Retry::No;
      });
  EXPECT_EQ(Taken, (std::vector<std::string>{"0", "", "2", "3", "4"}));
  EXPECT_EQ(Complaints, (std::vector<size_t>{1, 3}));
}
