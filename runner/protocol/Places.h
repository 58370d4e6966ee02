// In which order blocks lie in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

namespace memshape {

/// In which order blocks lie in memory: later ones above earlier ones, below them, or on either side. Each number from
/// Mixed on is another mixed order.
enum class Places : std::uint8_t { Upwards, Downwards, Mixed };
inline constexpr std::uint64_t KindsOfPlaces = 7;

/// The Number-th block lies below those before it; otherwise above.
constexpr bool liesBelow(Places Order, std::uint64_t Number) {
  if (Order < Places::Mixed)
    return Order == Places::Downwards;
  const auto Way = unsigned(Order) - unsigned(Places::Mixed);
  return (Way ? Number * 0x9e3779b97f4a7c15 >> (40 + 5 * Way) : Number) & 1;
}

} // namespace memshape
