// The fewest tasks that fit, and the best grid with about as many.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First a lower bound: the fewest tasks if workers shared what they keep perfectly, by a walk along the frontier of grids
// that fit. Then numbers of tasks upwards from there, each with all its grids: the factorisations of the number.

#pragma once

#include "model/planning/Grid.h"

namespace memshape::planning {

struct Fewest {
  std::optional<Grid> Of;      ///< one that fits
  std::int64_t Tasks = 0;      ///< of it
  std::int64_t LowerBound = 1; ///< no grid with fewer tasks fits
  bool Complete = true;        ///< the whole space was searched: Tasks is LowerBound, or nothing fits
};

/// Of all grids that fit, one with the fewest tasks.
Fewest fewestTasks(const ChunkRequest &P);

/// The grid to take: the fewest tasks that make full waves over workers and threads, where a grid allows, otherwise the
/// fewest; where those leave places idle, as many as make the job short. Of grids with as many tasks, the one whose job is
/// shorter: the estimate counts the largest task of each wave, halo included, and the cost of starting tasks.
Grid bestGrid(const ChunkRequest &P, const Fewest &Least);

/// The time of the job, in element computations of one thread: the smaller the better.
double jobTime(const ChunkRequest &P, const Grid &G);

} // namespace memshape::planning
