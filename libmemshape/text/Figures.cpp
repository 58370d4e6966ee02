// Numbers as people read and write them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/text/Figures.h"
#include "libmemshape/text/Split.h"
#include "libmemshape/text/Terminal.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

namespace memshape {

std::string groupedDigits(std::string Digits) {
  const std::size_t First = Digits.starts_with('-');
  for (std::size_t I = Digits.size(); I > First + 3; I -= 3)
    Digits.insert(I - 3, ",");
  return Digits;
}

std::string inUnits(double Bytes) {
  std::size_t Unit = 0;
  // 1023.995 would be printed as 1024.00.
  for (; std::abs(Bytes) >= 1023.995 && Unit + 1 < std::size(ByteUnits); ++Unit)
    Bytes /= 1024;
  return format(Unit == 0 ? "%.0f %s" : "%.2f %s", Bytes, ByteUnits[Unit]);
}

std::vector<std::string> bytesRow(const std::string &What, std::uint64_t Bytes, const std::string &Remark) {
  return {What, inUnits(Bytes), grouped(Bytes) + " bytes", Remark};
}

std::string share(std::uint64_t Part, std::uint64_t Whole) {
  if (Whole == 0 || Part > Whole)
    return ""; // there is no share of 0
  return format("%.1f %%", 100.0 * static_cast<double>(Part) / static_cast<double>(Whole));
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

Result<std::uint64_t> readByteSize(const std::string &Text) {
  const Failure Wrong{"'" + Text + "' is no size; write it as in 8GiB, 500MB or 1000000"};
  char *End = nullptr;
  double Number = std::strtod(Text.c_str(), &End);
  if (Text.empty() || !std::isdigit(static_cast<unsigned char>(Text.front())) || !std::isfinite(Number))
    return Wrong;
  std::string Unit(End);
  double Scale = 1;
  if (!Unit.empty() && Unit != "B") {
    const std::string Prefixes = "KMGTP";
    std::size_t Power = Prefixes.find(static_cast<char>(std::toupper(static_cast<unsigned char>(Unit.front()))));
    std::string Rest = Unit.substr(1);
    if (Power == std::string::npos || (!Rest.empty() && Rest != "iB" && Rest != "B"))
      return Wrong;
    Scale = std::pow(Rest == "B" ? 1000.0 : 1024.0, static_cast<double>(Power + 1));
  }
  double Bytes = Number * Scale;
  if (Bytes < 1 || Bytes >= 9.2e18)
    return Wrong;
  return static_cast<std::uint64_t>(Bytes);
}

Result<std::uint64_t> readByteCount(const std::string &Text, const std::string &Option) {
  if (const auto Bytes = numberIn<std::uint64_t>(Text); Bytes && *Bytes <= INT64_MAX)
    return *Bytes;
  Result<std::uint64_t> Size = readByteSize(Text);
  if (!Size)
    return Failure{(Option.empty() ? "" : Option + ": ") + Size.failure().Message};
  return Size;
}

} // namespace memshape
