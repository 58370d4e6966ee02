// A place in the source that allocates.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>

namespace memshape {

/// A place in the source that allocates. Runs and skeletons identify their sites by it. Several sites of a skeleton may
/// have one place, if a function was inlined more than once.
struct AllocatingPlace {
  std::string File; ///< as the compiler knows it
  std::uint32_t Line = 0, Column = 0;
  auto operator<=>(const AllocatingPlace &) const = default;
};

/// Bytes that a call holds at one moment, by place. Memory of libraries has no place.
using HeldByPlace = std::map<AllocatingPlace, std::int64_t>;

} // namespace memshape
