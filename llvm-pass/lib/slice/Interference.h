// Whether threads decide what a slice keeps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     std::atomic<int> next = 0;
//     auto work = [&] { for (int i; (i = next++) < n;) smooth(rows[i]); };    who takes which row, and how many?
//
// A skeleton executes a thread where it is started, so the first thread takes all rows. That is one run of many: what a
// thread leaves in an atomic variable, or under a lock, others read sooner or later. What is neither is read by one
// thread alone, or by those behind a join; all else is a race, of which C and C++ promise nothing.

#pragma once

#include "slice/Slice.h"

namespace memshape {

/// S keeps a read of what threads that the operator starts tell each other while they run.
bool dependsOnThreads(llvm::Module &M, const Slice &S, const PointsTo &Memory, ModRefIndex &Accesses);

} // namespace memshape
