// Which jobs free which outputs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An output that several nodes read ends with the last of them. Where one of these comes after all others in every order,
// it is that one. Where the parts that hold the others end with them, it is a job of its own, right after these parts: the
// graph stays series-parallel. What is left is open: which node is last depends on the order.

#pragma once

#include "model/series_parallel/Decomposition.h"

namespace memshape::series_parallel {

/// An output whose last consumer is one of several.
struct OpenRelease {
  Node Of = 0;
  Bytes Output = 0;
  std::vector<Node> Last; ///< none of them comes before another one in every order
};

struct Releases {
  std::vector<Bytes> Frees; ///< of each job: bytes of outputs that end with it in every order
  std::vector<OpenRelease> Open;
};

/// Adds jobs to Parts, which decompose has made of the graph. O((n + m) log n).
Releases releasesOf(const Graph &Of, Decomposition &Parts);

} // namespace memshape::series_parallel
