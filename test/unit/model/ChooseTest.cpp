//===- ChooseTest.cpp - Chunks that fit, and soon the fastest of them ----===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/residency/Choose.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace memshape;

TEST(Choice, TakesNothingThatMayNotFit) {
  Choice C;
  EXPECT_FALSE(C.choose({{10, 200}, {20, 400}}, 100));
  EXPECT_EQ(C.choose({{10, 50}, {20, 90}, {40, 200}}, 100), 0u) << "the smallest comes first";
}

TEST(Choice, FindsTheFastestThatFits) {
  Choice C;
  std::vector<Candidate> From;
  for (int I = 0; I < 8; ++I)
    From.push_back({std::exp2(10 + I), std::exp2(20 + I)});
  std::size_t Last = 0;
  for (int Round = 0; Round < 30; ++Round) {
    Last = *C.choose(From, std::exp2(26.5));
    C.ran(From[Last], 1e-3 + 1e-8 * From[Last].Elements); // a fixed cost for every chunk
  }
  EXPECT_EQ(Last, 6u);
}

TEST(Choice, IsMoreCarefulAfterAKill) {
  Choice C;
  std::vector<Candidate> From{{10, 50}, {20, 99}};
  C.ran(From[0], 1);
  C.killed();
  EXPECT_EQ(C.choose(From, 100), 0u);
  for (int I = 0; I < 20; ++I)
    C.ran(From[0], 1);
  EXPECT_EQ(C.caution(), 1);
}
