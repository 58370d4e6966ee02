// Numbers as people read them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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
  // C1, ends of lines and of paragraphs, what turns the direction; letters that look like them are left.
  EXPECT_EQ(oneLine("a\xC2\x9B"
                    "b\xE2\x80\xA8"
                    "c\xE2\x80\xAE"
                    "d\xE2\x81\xA6"
                    "e\x7F"),
            "a b c d e ");
  EXPECT_EQ(oneLine("\xC2\xA0\xE2\x80\x94\xF0\x9F\x98\x80"), "\xC2\xA0\xE2\x80\x94\xF0\x9F\x98\x80");
  // Longer than need be, a half of a pair, beyond the last character.
  EXPECT_EQ(oneLine("\xE0\x82\x9B\xED\xA0\x80\xF4\x90\x80\x80"), "??????????");
}

TEST(JsonText, SaysTheSameWithoutCharactersThatControl) {
  const std::string Wild = "a\x1B\n\x7F\xC2\x9B\xE2\x80\xA9\xE2\x81\xA9\xC3\xB6";
  const std::string Text = jsonText(nlohmann::json(Wild));
  EXPECT_EQ(Text, "\"a\\u001b\\n\\u007f\\u009b\\u2029\\u2069\xC3\xB6\"");
  EXPECT_EQ(nlohmann::json::parse(Text).get<std::string>(), Wild);
  EXPECT_EQ(jsonText(nlohmann::json("\xFF")), "\"\xEF\xBF\xBD\"");
}
