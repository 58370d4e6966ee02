// Estimates as whole bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

namespace memshape {

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

} // namespace memshape
