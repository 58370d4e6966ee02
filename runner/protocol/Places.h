// In which order blocks lie in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace memshape {

/// Blocks lie upwards, in places that are used again; then the order of a second call's blocks would follow from that of
/// the first. Or each lies in a lane, whose order is another one for each number of an order: all orders of up to four
/// blocks that are compared, and mixed ones of the others.
class Places {
public:
  static constexpr std::size_t MostCompared = 4;
  static constexpr unsigned Lanes = 64;

  /// How many orders so many blocks have.
  static constexpr std::uint32_t ordersOf(std::size_t Blocks) {
    return Blocks > 1 ? std::uint32_t(Blocks) * ordersOf(Blocks - 1) : 1;
  }
  static constexpr std::uint32_t Orders = 24;

  Places() = default;
  /// Order: 0 for upwards. Compared: the numbers of blocks, each once.
  Places(std::uint32_t Order, std::vector<std::uint32_t> Compared) : Order(Order), Compared(std::move(Compared)) {}

  bool upwards() const { return !Order; }

  /// The lane of the Number-th block, the lowest first.
  unsigned laneOf(std::uint64_t Number) const {
    const auto Found = std::find(Compared.begin(), Compared.end(), Number);
    if (Found != Compared.end())
      return rankOf(unsigned(Found - Compared.begin())) * (Lanes / MostCompared);
    std::uint64_t Mix = (Number + 1) * 0x9e3779b97f4a7c15 * (2 * std::uint64_t(Order) + 1);
    Mix = (Mix ^ Mix >> 33) * 0xbf58476d1ce4e5df;
    Mix = (Mix ^ Mix >> 29) * 0x9e3779b97f4a7c15;
    return unsigned(Mix >> 58);
  }

  /// The block lies in the lower half.
  bool liesBelow(std::uint64_t Number) const { return laneOf(Number) < Lanes / 2; }

private:
  /// Where the one at Index comes in the order: the digits of Order say which of those that are left comes next.
  unsigned rankOf(unsigned Index) const {
    std::uint32_t Digits = Order - 1;
    unsigned Left = unsigned(Compared.size()), At = Index; // of those that are left
    for (unsigned Rank = 0;; ++Rank) {
      const unsigned Next = Digits % Left;
      if (Next == At)
        return Rank;
      At -= Next < At;
      Digits /= Left--;
    }
  }

  std::uint32_t Order = 0;
  std::vector<std::uint32_t> Compared;
};

} // namespace memshape
