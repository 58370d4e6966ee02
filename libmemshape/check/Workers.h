//===- Workers.h - Independent work on all processors -----------*- C++ -*-===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each piece of work has a number; what it finds it leaves where only it looks.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_CHECK_WORKERS_H
#define MEMSHAPE_TOOLS_CHECK_WORKERS_H

#include <cstddef>
#include <functional>
#include <vector>

namespace memshape {

/// As many as there are processors that this process may run on, but no more than memory is likely to suffice for: each
/// has a runner, which can fill some hundred MiB.
std::size_t availableWorkers();

/// Calls Do with every number of Order, begun in that order, up to AtOnce of them at a time, and returns when all have
/// been done. Do is called from several threads.
void forEachAtOnce(const std::vector<std::size_t> &Order, std::size_t AtOnce,
                   const std::function<void(std::size_t)> &Do);

} // namespace memshape

#endif // MEMSHAPE_TOOLS_CHECK_WORKERS_H
