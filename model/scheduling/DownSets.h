// Sets of ended nodes, as bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/graph/Graph.h"

namespace memshape::scheduling {

using graph::Bytes;
using graph::Graph;
using graph::Node;

/// Forward: nodes run, and have ended. Backward: from the end of an order nodes are taken back.
enum class Direction : char { Forward, Backward };

/// What a search asks of sets of nodes: of those that have ended, which contain their inputs; or of those that were taken
/// back, which contain their consumers. What is live after a set does not depend on the order in which its nodes ran.
class DownSets {
public:
  using Word = std::uint64_t;

  explicit DownSets(const Graph &Of, Direction Going = Direction::Forward);

  /// A set is so many words of 64 nodes, and as many again of the nodes that can come next.
  std::size_t words() const { return Words; }
  std::vector<Word> empty() const { return Empty; }
  Bytes liveAtFirst() const { return LiveAtFirst; } ///< where the set is empty

  struct Step {
    Node Of = 0;
    Bytes Needs = 0;  ///< held while it runs, beyond what was live before
    Bytes Leaves = 0; ///< beyond what was live before; may be negative
  };
  /// Of a node that can come next. O(its inputs and their consumers).
  Step step(const Word *Set, Node Each) const;
  /// Of all nodes that can come next.
  void steps(const Word *Set, std::vector<Step> &Into) const;

  /// Runs nodes that hold no more than Most while they run and leave no more than was there before: that never makes
  /// a later moment worse, because what such a node adds only shrinks as others end. Live: bytes after Set. Peak becomes
  /// what is held at most. Ran gets the nodes in their order; its last node, if there is one, is the last of Set, and
  /// before it there was no such node with so much live as Closed. Where nothing is known, Closed is more than Live.
  void runFreeSteps(Word *Set, Bytes Closed, Bytes &Live, Bytes Most, Bytes &Peak, std::vector<Node> &Ran) const;

  /// Each can come next.
  void insert(Word *Set, Node Each) const;
  static bool has(const Word *Set, Node Each) { return Set[Each / 64] >> (Each % 64) & 1; }
  std::uint64_t hash(const Word *Set) const;
  bool isFull(const Word *Set) const;

private:
  auto before(Node Each) const { return Going == Direction::Forward ? Of.inputs(Each) : Of.consumers(Each); }
  auto after(Node Each) const { return Going == Direction::Forward ? Of.consumers(Each) : Of.inputs(Each); }

  const Graph &Of;
  Direction Going;
  std::size_t Words;
  std::vector<Word> Empty;
  Bytes LiveAtFirst = 0;
};

} // namespace memshape::scheduling
