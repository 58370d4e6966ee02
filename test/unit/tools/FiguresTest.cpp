//===- FiguresTest.cpp - Numbers as people read them ----------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libmemshape/text/Figures.h"
#include "libmemshape/text/JsonFields.h"

#include <gtest/gtest.h>

using namespace memshape;

TEST(Figures, GroupsDigits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(2560000044), "2,560,000,044");
}

TEST(Figures, ChoosesUnits) {
  EXPECT_EQ(inUnits(0), "0 B");
  EXPECT_EQ(inUnits(1023), "1023 B");
  EXPECT_EQ(inUnits(1024), "1.00 KiB");
  EXPECT_EQ(inUnits(1024 * 1024 - 1), "1.00 MiB");
  EXPECT_EQ(inUnits(2560000044), "2.38 GiB");
  EXPECT_EQ(inUnits(UINT64_MAX), "16.00 EiB");
}

TEST(Figures, SharesOfNothingAreEmpty) {
  EXPECT_EQ(share(1, 8), "12.5 %");
  EXPECT_EQ(share(0, 0), "");
  EXPECT_EQ(share(9, 8), ""); // no part of it
}

TEST(Figures, AlignsColumnsAndLeavesNoBlanksAtLineEnds) {
  EXPECT_EQ(aligned({{"a", "10", "x"}, {"Ångström", "9", ""}}, {1}, 2), "  a         10  x\n  Ångström   9\n");
}

TEST(OneLine, MakesForeignTextHarmless) {
  EXPECT_EQ(oneLine("a\nb\tc\x1b[31m"), "a b c [31m");
  EXPECT_EQ(oneLine("Gr\xC3\xB6\xC3\x9F"
                    "e"),
            "Größe");
  EXPECT_EQ(oneLine("\xFF\xC3"), "??");
}
