// Trees whose tasks run on several processors each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On p processors a task takes Time / p^Speedup, and its output and its work lie evenly on them. What a processor holds
// is the sum of its parts: of the outputs that are live, and of the work of the task that it runs. An output that takes
// the place of an input does so where all inputs lie on the processors of the task; otherwise both are held.
//
// A subtree runs on consecutive processors, and its root on all of them. The trees of a forest are mapped as subtrees of
// one task without bytes and time.

#pragma once

#include "model/mapping/PlacedTasks.h"

#include <optional>

namespace memshape::scheduling {

struct MappedTree : PlacedTasks {
  Bytes PeakOfOne = 0; ///< of the processor that holds most, rounded up
};

/// Bytes of work of a node: less those of an input whose place its output takes, where it does.
std::int64_t workOn(const Graph &Of, std::span<const ProcessorRange> On, Node Each);

/// Every node on all processors, in the best postorder: each holds its part of the sequential peak. Forest is one
/// (Graph::isInForest), here and below. O(n log n).
MappedTree mapAllToAll(const Graph &Forest, std::uint32_t Processors);

/// Subtrees get processors of their parent in proportion to their work, sharesOf (Pothen and Sun 1993). What a processor
/// then holds has no bound by the sequential peak. O(n log n).
MappedTree mapProportionally(const Graph &Forest, std::uint32_t Processors);

/// As mapProportionally as long as no processor holds more than Memory. Otherwise from the root down: subtrees in
/// proportion where each of them can end within what is left on its processors, task by task in a postorder on all of
/// them, and where their outputs leave room for the parent; one after the other on all processors of their parent where
/// not (Agullo, Amestoy, Buttari, Guermouche, L'Excellent, Rouet, Robust memory-aware mappings for parallel multifrontal
/// factorizations, SIAM Journal on Scientific Computing 38, 2016). Where no postorder fits, the order of least peak on all
/// processors (Liu 1987). Nothing where that does not fit: then no mapping does, as some processor holds at least an equal
/// part of the sequential peak. O(n log n).
std::optional<MappedTree> mapWithin(const Graph &Forest, std::uint32_t Processors, Bytes Memory);

/// The least memory of each processor for mapWithin.
Bytes leastMapped(const Graph &Forest, std::uint32_t Processors);

} // namespace memshape::scheduling
