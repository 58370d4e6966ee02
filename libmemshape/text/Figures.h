// Numbers as people read them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace memshape {

/// Each 1024 times the one before it.
inline constexpr const char *ByteUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

/// "2,560,000,044"
std::string grouped(std::uint64_t Value);

/// "2.38 GiB"; below 1 KiB "44 B".
std::string inUnits(std::uint64_t Bytes);

/// "12.5 %"; "" when Whole is 0.
std::string share(std::uint64_t Part, std::uint64_t Whole);

/// Rows of cells in columns of equal width, two blanks apart, Indent blanks before each row, no trailing blanks.
/// Columns in RightAligned (from 0) are aligned to the right. Widths count UTF-8 characters and ignore colours.
std::string aligned(const std::vector<std::vector<std::string>> &Rows, const std::vector<std::size_t> &RightAligned,
                    unsigned Indent);

} // namespace memshape
