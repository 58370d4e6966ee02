// What no schedule within a memory is shorter than.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tasks that run at one moment are at most p, and their shares of the memory come to at most 1. The share of a task is
// what it holds while it runs, its work, its output and its inputs, divided by the memory; an output that k tasks read
// counts 1/k for each of them, so that it counts at most once. A function that gives each task a weight, so that the
// weights of tasks that may run together come to at most 1, makes one machine of processors and memory: a task keeps it
// busy for its weight times its time. Such functions are
//
// - 1/p;
// - the share itself (Aupy, Brasseur, Marchal, Dynamic memory-aware task-tree scheduling, 2017);
// - functions of the share x that grow in steps of a <= 1/2 (f_CCM of Carlier, Clautiaux, Moukrim, New reduction
//   procedures and lower bounds for the two-dimensional bin packing problem with fixed orientation, 2007). With
//   k = floor(1/a): floor(x/a) / k below a half, 1/2 at it, 1 - floor((1 - x)/a) / k above it. Of tasks together at most
//   one is above a half; what the others have fits into 1 - x, and so do their steps. Tasks of which no two
//   (a = 1/2), or no k, fit together so take turns.
//
// A task's head is a time before which it cannot start: the longest path to it and, in forests whose roots end last,
// all that its subtree keeps a machine busy for. Its tail is a time that passes after its end, in the same way. The
// tasks of a set S cannot all end before
//
//     min of heads in S + sum of weight * time in S + min of tails in S,
//
// and the greatest of these over all S is how long one machine takes that may interrupt its tasks and always runs the
// available one with the longest tail (Jackson 1955; Carlier, The one-machine sequencing problem, 1982).

#pragma once

#include "model/graph/Graph.h"

namespace memshape::scheduling {

using graph::Bytes;
using graph::Graph;

/// No schedule on so many processors (at least 1) within Memory (bytes) is shorter, in the unit of the tasks' times: the
/// longest path, all work shared by the processors, and the bounds above. O(m + n log n).
double makespanLowerBound(const Graph &Of, std::uint32_t Processors, Bytes Memory);

} // namespace memshape::scheduling
