// What can be made of an operator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// opt knows the kinds as memshape-WORD, the slicer's requests by their words.

#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace memshape {

enum class SkeletonKind {
  Slice,   ///< its allocation skeleton
  Taint,   ///< the same, which asks at run time where data was written: slice/Taint.h
  Replay,  ///< the operator itself: nothing is sliced away, exceptions unwind, blocks have memory
  Ceiling, ///< one block of the bytes that the operator takes at most, whatever data is
};

inline constexpr std::array<std::string_view, 4> SkeletonKinds = {"slice", "taint", "replay", "ceiling"};

constexpr std::string_view wordOf(SkeletonKind Kind) { return SkeletonKinds[static_cast<std::size_t>(Kind)]; }

/// Nothing where Word names no kind.
constexpr std::optional<SkeletonKind> skeletonKind(std::string_view Word) {
  for (std::size_t I = 0; I != SkeletonKinds.size(); ++I)
    if (SkeletonKinds[I] == Word)
      return static_cast<SkeletonKind>(I);
  return std::nullopt;
}

static_assert(wordOf(SkeletonKind::Ceiling) == "ceiling" && !skeletonKind("skeleton"));

} // namespace memshape
