// In which order blocks lie in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

namespace memshape {

/// In which order blocks lie in memory: later ones above earlier ones, below them, on either side, or between them. Each
/// number from Mixed on is another mixed order, and each from Scattered on another scattered one. Upwards alone uses
/// places again: the order of a second call's blocks would follow from that of the first, whatever it is.
enum class Places : std::uint8_t { Upwards, Downwards, Mixed, Scattered = 7 };
inline constexpr std::uint64_t KindsOfPlaces = 14;

/// Scattered: the lane of the Number-th block, the lowest first. Of any three among the first four blocks each lies
/// between the others in one of the orders. Of three among the first eight, 5 of 168 blocks do so in none.
inline constexpr unsigned Lanes = 64;
constexpr unsigned laneOf(Places Order, std::uint64_t Number) {
  std::uint64_t Mix = (Number + 1) * 0x9e3779b97f4a7c15 * (2 * unsigned(Order) + 1);
  Mix = (Mix ^ Mix >> 33) * 0xbf58476d1ce4e5df;
  Mix = (Mix ^ Mix >> 29) * 0x9e3779b97f4a7c15;
  return unsigned(Mix >> 58);
}

/// The Number-th block lies below those before it; otherwise above.
constexpr bool liesBelow(Places Order, std::uint64_t Number) {
  if (Order < Places::Mixed)
    return Order == Places::Downwards;
  if (Order >= Places::Scattered)
    return laneOf(Order, Number) < Lanes / 2;
  const auto Way = unsigned(Order) - unsigned(Places::Mixed);
  return (Way ? Number * 0x9e3779b97f4a7c15 >> (40 + 5 * Way) : Number) & 1;
}

} // namespace memshape
