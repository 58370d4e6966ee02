// Chunks for a job, and why these.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/planning/GridSearch.h"

namespace memshape::planning {

using v1::Binding;
using v1::ChunkPlan;
using v1::LargerChunks;

/// Why the request cannot be answered; nothing where it can.
std::optional<v1::Error> wrongWith(const ChunkRequest &P);

/// The best plan that keeps the limit. Where no source is given, blocks are it, or storage where blocks leave no room.
std::optional<ChunkPlan> plan(const ChunkRequest &P);

/// The least limit with which there is a plan; nothing where there is none up to MostBytes.
std::optional<std::uint64_t> leastLimit(const ChunkRequest &P);

/// What of a worker's bytes is most, as far as chunks can change it.
Binding greatestPart(const WorkerParts &Worker);

} // namespace memshape::planning
