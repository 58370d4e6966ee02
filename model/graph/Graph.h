// Tasks, their bytes, and which reads which.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While a node runs, its inputs, its output and its work bytes are in memory. An output lives until its last consumer
// has ended, that of a node without consumers until the end. Edges without data say that a node ends before another
// begins, and hold nothing.
//
// An output may take the place of an input that no other node reads. While the node runs, the two take as much as the
// larger one. That is a node with less work, by the bytes that both have. Its work may then be less than 0. Still it
// never holds less while it runs than before it, as its output has these bytes, nor less than after it, as the input
// that ends with it has them. More is not asked of work anywhere.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace memshape::graph {

using Node = std::uint32_t;

/// Sums of bytes, and their differences: wide enough for 2^32 nodes of 2^63 bytes.
__extension__ typedef __int128 Bytes;

struct Task {
  std::int64_t Output = 0;  ///< bytes, not negative
  std::int64_t Work = 0;    ///< bytes, less InPlace
  double Time = 1;          ///< not negative, finite
  std::int64_t InPlace = 0; ///< bytes of an input whose place the output takes
  double Speedup = 1;       ///< on p processors it takes Time / p^Speedup; not negative, finite

  /// Bytes beside inputs and output, wherever these lie.
  std::int64_t ownWork() const { return Work + InPlace; }
};

/// The output of the task Of takes the place of that of Input, which no other task reads. Once for a task, when both
/// outputs are known.
void putInPlace(std::vector<Task> &Tasks, Node Of, Node Input);

/// Lists of nodes, one for each node, in one array.
class NodeLists {
public:
  NodeLists() = default;
  /// The list of node v is All[First[v]] to All[First[v + 1]].
  NodeLists(std::vector<std::size_t> First, std::vector<Node> All) : First(std::move(First)), All(std::move(All)) {}

  std::span<const Node> operator[](Node Of) const { return {All.data() + First[Of], First[Of + 1] - First[Of]}; }
  std::size_t size() const { return First.empty() ? 0 : First.size() - 1; } ///< number of lists
  std::size_t total() const { return All.size(); }

private:
  std::vector<std::size_t> First;
  std::vector<Node> All;
};

/// From ends before To begins.
struct Edge {
  Node From = 0, To = 0;
};

class Graph {
public:
  /// Inputs: one list for each task; no list has a node twice. Nothing where there is a cycle.
  static std::optional<Graph> make(std::vector<Task> Tasks, NodeLists Inputs);
  static std::optional<Graph> make(std::vector<Task> Tasks, const std::vector<std::vector<Node>> &Inputs);

  /// The same with edges without data as well. Those that say what is so already may be among them. Nothing where there
  /// is a cycle.
  std::optional<Graph> withEdges(std::span<const Edge> Edges) const;

  Node size() const { return static_cast<Node>(Tasks.size()); }
  std::size_t edges() const { return HasEdges ? BeforeLists.total() : InputLists.total(); }
  const Task &operator[](Node Of) const { return Tasks[Of]; }
  std::span<const Node> inputs(Node Of) const { return InputLists[Of]; }
  std::span<const Node> consumers(Node Of) const { return ConsumerLists[Of]; }
  /// What has to end before it begins: its inputs, and where edges without data come from.
  std::span<const Node> before(Node Of) const { return HasEdges ? BeforeLists[Of] : InputLists[Of]; }
  /// What waits for its end: its consumers, and where edges without data go to.
  std::span<const Node> after(Node Of) const { return HasEdges ? AfterLists[Of] : ConsumerLists[Of]; }
  bool hasEdgesWithoutData() const { return HasEdges; }
  /// An order in which each node comes after all that has to end before it.
  const std::vector<Node> &topological() const { return Topological; }
  /// No output has more than one consumer, and each edge has data: each component is a tree whose root ends last.
  bool isInForest() const;
  /// No node has more than one input, and each edge has data.
  bool isOutForest() const;
  /// Bytes of its inputs, its output and its work: what is held while it runs and nothing else is there.
  Bytes need(Node Of) const;

private:
  Graph() = default;

  std::vector<Task> Tasks;
  NodeLists InputLists, ConsumerLists;
  bool HasEdges = false;             ///< without data
  NodeLists BeforeLists, AfterLists; ///< where there are such
  std::vector<Node> Topological;
};

/// Nodes of one cycle, each an input of the next and the last of the first; empty where there is none.
std::vector<Node> cycleOf(const NodeLists &Inputs);

/// What is held while each node of Order runs, in that order. Bytes. Order has every node once, inputs first.
std::vector<Bytes> heldDuring(const Graph &Of, std::span<const Node> Order);

/// The greatest of heldDuring; 0 for no nodes.
Bytes peakOf(const Graph &Of, std::span<const Node> Order);

} // namespace memshape::graph
