//===- ApartTest.cpp - Work in a child of the compiler --------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memshape/Apart.h"
#include "llvm/Support/ErrorHandling.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace memshape;

namespace {

/// What became of a child that handed over "first" and then did End.
Apart ending(llvm::function_ref<void()> End, unsigned Seconds = LongestWorkApart) {
  return runApart(
      [&](HandOver Give) {
        Give("first");
        End();
        Give("second");
      },
      Seconds);
}

} // namespace

TEST(Apart, HandsOverWhatWasMade) {
  const std::string Large(3'000'000, 'x');
  const Apart Made = runApart([&](HandOver Give) {
    Give("");
    Give(Large);
    Give(llvm::StringRef("a\0b", 3));
  });
  EXPECT_EQ(Made.Problem, "");
  EXPECT_EQ(Made.Parts, (std::vector<std::string>{"", Large, std::string("a\0b", 3)}));
}

TEST(Apart, NothingOfItIsLeftBehind) {
  int Changed = 0;
  EXPECT_EQ(runApart([&](HandOver) { Changed = 1; }).Problem, "");
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
      1);
  EXPECT_EQ(Made.Parts, std::vector<std::string>{"first"});
  EXPECT_EQ(Made.Problem, "it was killed: it took more than 1 s, or the machine ran out of memory");
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
