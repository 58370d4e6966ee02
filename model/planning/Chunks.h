// One axis in chunks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/include/memshape/planning.h"

namespace memshape::planning {

using v1::Axis;
using v1::ChunkRun;

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
