// Numbers as people read them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/text/Figures.h"
#include "libmemshape/text/Terminal.h"

#include <algorithm>
#include <cstdio>

namespace memshape {

std::string grouped(std::uint64_t Value) {
  std::string Digits = std::to_string(Value);
  for (std::size_t I = Digits.size(); I > 3; I -= 3)
    Digits.insert(I - 3, ",");
  return Digits;
}

std::string inUnits(std::uint64_t Bytes) {
  double Value = static_cast<double>(Bytes);
  std::size_t Unit = 0;
  // 1023.995 would be printed as 1024.00.
  while (Value >= 1023.995 && Unit + 1 < std::size(ByteUnits)) {
    Value /= 1024;
    ++Unit;
  }
  char Text[32];
  std::snprintf(Text, sizeof Text, Unit == 0 ? "%.0f %s" : "%.2f %s", Value, ByteUnits[Unit]);
  return Text;
}

std::string share(std::uint64_t Part, std::uint64_t Whole) {
  if (Whole == 0 || Part > Whole)
    return ""; // there is no share of 0
  char Text[32];
  std::snprintf(Text, sizeof Text, "%.1f %%", 100.0 * static_cast<double>(Part) / static_cast<double>(Whole));
  return Text;
}

std::string aligned(const std::vector<std::vector<std::string>> &Rows, const std::vector<std::size_t> &RightAligned,
                    unsigned Indent) {
  std::vector<std::size_t> Widths;
  for (const auto &Row : Rows)
    for (std::size_t I = 0; I < Row.size(); ++I) {
      if (Widths.size() <= I)
        Widths.push_back(0);
      Widths[I] = std::max(Widths[I], columnsOf(Row[I]));
    }
  std::string Text;
  for (const auto &Row : Rows) {
    std::string Line(Indent, ' ');
    for (std::size_t I = 0; I < Row.size(); ++I) {
      std::string Blanks(Widths[I] - columnsOf(Row[I]), ' ');
      bool Right = std::find(RightAligned.begin(), RightAligned.end(), I) != RightAligned.end();
      Line += Right ? Blanks + Row[I] : Row[I] + Blanks;
      Line += "  ";
    }
    Line.erase(Line.find_last_not_of(' ') + 1);
    Text += Line + "\n";
  }
  return Text;
}

} // namespace memshape
