// Width, colours and lines of small bars.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/text/Terminal.h"

#include <gtest/gtest.h>

using namespace memshape;

TEST(Terminal, ColoursTakeNoColumns) {
  EXPECT_EQ(inked("peak", Ink::Strong, {}), "peak");
  const std::string Inked = inked("héap", Ink::Accent, {true, true, 0});
  EXPECT_EQ(Inked, "\033[36mhéap\033[0m");
  EXPECT_EQ(columnsOf(Inked), 4u);
}

TEST(Terminal, BreaksLinesUnderTheirLastColumn) {
  EXPECT_EQ(fitted("  peak heap  4*ni*nx*ns + 8*ni*nx + 16*ni + 44\n", {false, false, 30}),
            "  peak heap  4*ni*nx*ns +\n"
            "             8*ni*nx + 16*ni +\n"
            "             44\n");
  EXPECT_EQ(fitted("short\n\n", {false, false, 30}), "short\n\n");
  EXPECT_EQ(fitted("a line that is as long as it likes to be\n", {}), "a line that is as long as it likes to be\n");
  EXPECT_EQ(fitted("aVeryLongWordThatCannotBeBrokenAnywhere\n", {false, false, 20}),
            "aVeryLongWordThatCannotBeBrokenAnywhere\n");
}

TEST(Terminal, SparklinesKeepThePeakOfEachStretch) {
  const Terminal Unicode{false, true, 0};
  EXPECT_EQ(sparkline({0, 1, 4, 8, 0}, 8, 10, Unicode), " ▁▄█ ");
  EXPECT_EQ(sparkline({0, 8, 1, 1, 1, 1}, 8, 3, Unicode), "█▁▁");
  EXPECT_EQ(sparkline({0, 1, 4, 8, 0}, 8, 10, {}), " .:# ");
  EXPECT_EQ(sparkline({}, 8, 10, Unicode), "");
  // One byte of many GiB is still there.
  EXPECT_EQ(sparkline({1}, std::int64_t(1) << 40, 1, Unicode), "▁");
}
