// How many threads teams have.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <vector>

namespace memshape {

/// What a request says about the teams of OpenMP's regions.
struct TeamWishes {
  std::uint32_t Threads = 0; ///< of each region that names no number, and processors; 0: as the machine has it
  /// The most threads that the first, the second ... region gets whose team may have fewer than it asks for; the last
  /// number holds for all that follow. Empty: as many as they ask for.
  std::vector<std::uint32_t> Sizes;
  bool Nested = false; ///< regions inside of others get as many threads as they ask for
  /// Which thread of a team comes first, from barrier to barrier: 0 the first, 1 the last one, then downwards; from 2 on
  /// the next ones, each followed by those behind it.
  std::uint32_t Order = 0;

  /// The thread that comes at Turn, of Size.
  constexpr std::uint32_t threadAt(std::uint32_t Turn, std::uint32_t Size) const {
    return Order == 1 ? Size - 1 - Turn : (Turn + (Order ? Order - 1 : 0)) % Size;
  }
};
/// Orders that bring each thread of a team of Size to the front, and most of them to the end.
constexpr std::uint32_t ordersOf(std::uint32_t Size) { return Size > 1 ? Size : 0; }

/// What the teams of a call depended on beside that.
struct TeamFigures {
  std::uint32_t Regions = 0; ///< whose teams may have fewer threads than they ask for
  std::uint32_t Widest = 0;  ///< threads of the largest of these teams, at most
  std::uint32_t Largest = 0; ///< threads of the largest team of several that was executed, however certain its size is
  bool Nested = false;       ///< a region inside of another one asked for several threads
  bool OfCaller = false;     ///< something outside of all regions depended on the team that the caller may be in
  bool Keep = false;         ///< threads have variables of their own, which outlive a team
};

} // namespace memshape
