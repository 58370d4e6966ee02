// Numbers as people read and write them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <optional>
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

/// More than any machine has; the largest double used for 64 bits.
inline constexpr double MostBytes = 9e18;

/// The nearest count; 0 for a negative number or NaN.
inline std::uint64_t wholeBytes(double Bytes) {
  return Bytes > 0 ? static_cast<std::uint64_t>(std::llround(std::min(Bytes, MostBytes))) : 0;
}
/// The least count that is not below Bytes.
inline std::uint64_t wholeBytesAbove(double Bytes) { return wholeBytes(std::ceil(Bytes)); }
/// An upper bound; nothing if it is too large to mean anything.
inline std::optional<std::uint64_t> boundInBytes(double Bytes) {
  return Bytes < MostBytes ? std::optional<std::uint64_t>(wholeBytesAbove(Bytes)) : std::nullopt;
}

/// "8GiB", "8G" and "8192MiB" are powers of two, "8GB" is 8 * 10^9, "1.5GiB" may have a fraction; without a unit,
/// bytes.
Result<std::uint64_t> readByteSize(const std::string &Text);

/// The same, but exact to the byte where there is no unit, and from 0. Messages begin with Option, where one is given.
Result<std::uint64_t> readByteCount(const std::string &Text, const std::string &Option = "");

} // namespace memshape
