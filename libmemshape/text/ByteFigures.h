//===- ByteFigures.h - Estimates as whole bytes --------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_BYTEFIGURES_H
#define MEMSHAPE_TOOLS_BYTEFIGURES_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

namespace memshape {

/// Beyond any machine, and what 64 bits hold of a double.
inline constexpr double MostBytes = 9e18;

/// The nearest count; 0 for what is negative or no number.
inline std::uint64_t wholeBytes(double Bytes) {
  return Bytes > 0 ? static_cast<std::uint64_t>(std::llround(std::min(Bytes, MostBytes))) : 0;
}
/// The least count that is not below.
inline std::uint64_t wholeBytesAbove(double Bytes) { return wholeBytes(std::ceil(Bytes)); }
/// An upper bound; one that says nothing is none.
inline std::optional<std::uint64_t> boundInBytes(double Bytes) {
  return Bytes < MostBytes ? std::optional<std::uint64_t>(wholeBytesAbove(Bytes)) : std::nullopt;
}

} // namespace memshape

#endif // MEMSHAPE_TOOLS_BYTEFIGURES_H
