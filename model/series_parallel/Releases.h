// Which jobs free which outputs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An output that several nodes read ends with the last of them. Where one of these comes after all others in every order,
// it is that one. Where the parts that hold the others end with them, it is a job of its own, right after these parts: the
// graph stays series-parallel. What is left is open: which node is last depends on the order.

#pragma once

#include "model/graph/Graph.h"

namespace memshape::series_parallel {

using graph::Bytes;
using graph::Graph;
using graph::Node;

constexpr std::uint32_t None = UINT32_MAX;

/// A tree of parts that says which node comes before which. Of two jobs, the one further left comes first where the
/// deepest part that has both is a series; where it is parallel, neither does.
struct Decomposition {
  enum class Kind : std::uint8_t { Job, Series, Parallel };
  struct Part {
    Kind Is = Kind::Job;
    std::uint32_t Job = None;         ///< a node of the graph, or a number beyond those: a job that runs nothing
    std::vector<std::uint32_t> Parts; ///< of a series from the first one to the last
  };

  std::vector<Part> Parts;
  std::uint32_t Root = None; ///< of no nodes: none
  std::uint32_t Jobs = 0;    ///< numbers that are taken

  std::uint32_t add(Kind Is, std::vector<std::uint32_t> Of);
  std::uint32_t addJob(std::uint32_t Job);
  /// All parts, each after those that it consists of, and those of a series in their order.
  std::vector<std::uint32_t> bottomUp() const;
};

/// Nothing where the graph, between one source before it and one sink after it, is not series-parallel: edges that follow
/// each other become one, and so do edges between the same two nodes, until one is left (Valdes, Tarjan, Lawler, The
/// recognition of series parallel digraphs, 1982). Nodes that all read the same nodes, which are read by no others, count
/// as if a node stood between the two groups. Expected O(n + m).
std::optional<Decomposition> decompose(const Graph &Of);

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
