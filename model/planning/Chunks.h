// One axis in chunks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace memshape::planning {

/// One extent of an array. Counts of elements.
struct Axis {
  std::int64_t Extent = 1; ///< at least 1
  std::int64_t Halo = 0;   ///< that a task reads beyond its chunk on each side, as far as the array reaches
  std::int64_t Align = 1;  ///< chunks begin at multiples of it
  bool Split = false;      ///< it may have more than one chunk
};

/// Times chunks of Length elements one after the other.
struct ChunkRun {
  std::int64_t Length = 0, Times = 0;
  friend bool operator==(const ChunkRun &, const ChunkRun &) = default;
};

/// The axis in Count chunks that are as even as alignment allows; at most three runs. Nothing where some chunk would be
/// empty or shorter than the halo.
std::optional<std::vector<ChunkRun>> chunksOf(const Axis &A, std::int64_t Count);

/// No greater number of chunks is possible.
std::int64_t mostChunks(const Axis &A);

/// The lengths that tasks read along the axis, halo included: each once, the longest first.
std::vector<std::int64_t> taskExtents(const Axis &A, const std::vector<ChunkRun> &Chunks);

/// The first of them; nothing where there are no such chunks.
std::optional<std::int64_t> longestTask(const Axis &A, std::int64_t Count);

} // namespace memshape::planning
