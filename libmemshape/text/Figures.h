// Numbers as people read them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <concepts>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace memshape {

/// Each 1024 times the one before it.
inline constexpr const char *ByteUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

/// snprintf as a string, cut at 511 bytes.
std::string format(const char *Form, auto... Values) {
  char Text[512];
  std::snprintf(Text, sizeof Text, Form, Values...);
  return Text;
}

/// "2,560,000,044"
std::string groupedDigits(std::string Digits);
std::string grouped(std::integral auto Value) { return groupedDigits(std::to_string(Value)); }

/// "2.38 GiB"; below 1 KiB "44 B".
std::string inUnits(double Bytes);
std::string inUnits(std::integral auto Bytes) { return inUnits(static_cast<double>(Bytes)); }

/// "node", "nodes"
std::string plural(const char *What, std::integral auto Count) { return std::string(What) + (Count == 1 ? "" : "s"); }

/// "1 node", "2,000 nodes"
std::string several(std::integral auto Count, const char *What) { return grouped(Count) + " " + plural(What, Count); }

/// "2.38 GiB (2,560,000,044 bytes)"
std::string withBytes(std::integral auto Bytes) { return inUnits(Bytes) + " (" + grouped(Bytes) + " bytes)"; }

/// The cells of a row: what it is, its bytes in units and as they are, and a remark.
std::vector<std::string> bytesRow(const std::string &What, std::uint64_t Bytes, const std::string &Remark = "");

/// "12.5 %"; "" when Whole is 0.
std::string share(std::uint64_t Part, std::uint64_t Whole);

/// Rows of cells in columns of equal width, two blanks apart, Indent blanks before each row, no trailing blanks.
/// Columns in RightAligned (from 0) are aligned to the right. Widths count UTF-8 characters and ignore colours.
std::string aligned(const std::vector<std::vector<std::string>> &Rows, const std::vector<std::size_t> &RightAligned,
                    unsigned Indent);

} // namespace memshape
