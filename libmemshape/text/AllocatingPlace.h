//===- AllocatingPlace.h - Where in the source memory is taken ------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_ALLOCATINGPLACE_H
#define MEMSHAPE_TOOLS_ALLOCATINGPLACE_H

#include <compare>
#include <cstdint>
#include <map>
#include <string>

namespace memshape {

/// A place in the source that allocates. Runs and skeletons name their sites by it; several sites of a skeleton may lie
/// at one place, where a function was inlined more than once.
struct AllocatingPlace {
  std::string File; ///< as the compiler knows it
  std::uint32_t Line = 0, Column = 0;
  auto operator<=>(const AllocatingPlace &) const = default;
};

/// Bytes that a call holds at one moment, by place. Memory of libraries has none.
using HeldByPlace = std::map<AllocatingPlace, std::int64_t>;

} // namespace memshape

#endif // MEMSHAPE_TOOLS_ALLOCATINGPLACE_H
