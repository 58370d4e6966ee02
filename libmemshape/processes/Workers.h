// Independent work on all processors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
///
/// \file
/// Each piece of work has a number, and stores its result where no other piece writes.
///

#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace memshape {

/// The number of processors that this process may use, but no more than memory is likely to suffice for: each worker
/// has a runner, which can use some hundred MiB.
std::size_t availableWorkers();

/// Calls Do with every number of Order, started in that order, up to AtOnce at a time, and returns when all are done.
/// Do is called from several threads.
void forEachAtOnce(const std::vector<std::size_t> &Order, std::size_t AtOnce,
                   const std::function<void(std::size_t)> &Do);

} // namespace memshape
