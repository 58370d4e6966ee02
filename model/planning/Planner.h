// Chunks for a job, and why these.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/planning/GridSearch.h"

namespace memshape::planning {

/// What keeps chunks from being larger.
enum class Binding {
  Nothing,     ///< the array is one chunk
  Parallelism, ///< fewer tasks would fit, but leave workers or threads idle
  Operators,   ///< memory: the operator's own
  Inputs,      ///< inputs of the tasks that run
  Blocks,      ///< blocks that the engine keeps for neighbours
  Results,     ///< results that stay
  Gathered,    ///< all results in one worker
  Held         ///< what workers hold before
};

/// The next larger chunks, and what a worker would take with them.
struct Larger {
  Grid Chunks;
  std::int64_t Tasks = 0;
  std::uint64_t WorkerUpper = 0;
};

struct Plan {
  Grid Chunks;
  std::int64_t Tasks = 0;
  std::int64_t FewestTasks = 0; ///< that fit
  std::int64_t LowerBound = 0;  ///< fewer do not fit
  bool Complete = true;         ///< FewestTasks is proven
  LargestTask Largest;
  WorkerBytes Expected, Upper;
  Workers On; ///< with the source that was taken
  Binding Why = Binding::Nothing;
  std::optional<Larger> Next;
};

/// The best plan that keeps the limit.
std::optional<Plan> plan(const Problem &P);

/// As plan(), with blocks as the source; where those that the engine keeps for neighbours leave no room, tasks read from
/// storage what lies around their chunks.
std::optional<Plan> planWithEitherSource(Problem P);

/// The least limit with which there is a plan; nothing where there is none up to MostBytes.
std::optional<std::uint64_t> leastLimit(const Problem &P);

/// What of a worker's bytes is most, as far as chunks can change it.
Binding greatestPart(const WorkerBytes &Worker);

} // namespace memshape::planning
