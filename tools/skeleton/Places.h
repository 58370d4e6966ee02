//===- Places.h - In which order blocks lie in memory --------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SKELETON_PLACES_H
#define MEMSHAPE_SKELETON_PLACES_H

#include <cstdint>

namespace memshape {

/// In which order blocks lie in memory: later ones above earlier ones, below them, or on either side.
enum class Places : std::uint8_t { Upwards, Downwards, Mixed };
inline constexpr std::uint64_t KindsOfPlaces = 3;

} // namespace memshape

#endif // MEMSHAPE_SKELETON_PLACES_H
