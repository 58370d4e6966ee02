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
};

/// What the teams of a call depended on beside that.
struct TeamFigures {
  std::uint32_t Regions = 0; ///< whose teams may have fewer threads than they ask for
  std::uint32_t Widest = 0;  ///< threads of the largest of these teams, at most
  bool Nested = false;       ///< a region inside of another one asked for several threads
  bool OfCaller = false;     ///< something outside of all regions depended on the team that the caller may be in
  bool Keep = false;         ///< threads have variables of their own, which outlive a team
};

} // namespace memshape
