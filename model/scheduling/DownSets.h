//===- DownSets.h - Sets of ended nodes, as bits --------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_MODEL_SCHEDULING_DOWNSETS_H
#define MEMSHAPE_MODEL_SCHEDULING_DOWNSETS_H

#include "model/graph/Graph.h"

namespace memshape::scheduling {

using graph::Bytes;
using graph::Graph;
using graph::Node;

/// What a search asks of sets of ended nodes that contain their nodes' inputs. A set is words() words of 64 nodes. What is
/// live after a set does not depend on the order in which its nodes ran.
class DownSets {
public:
  using Word = std::uint64_t;

  explicit DownSets(const Graph &Of);

  std::size_t words() const { return Words; }

  struct Step {
    Node Of = 0;
    Bytes Needs = 0;  ///< output and work
    Bytes Leaves = 0; ///< output, less the inputs that end with it; may be negative
  };
  /// The nodes that can run after Set. O(n words + edges).
  void steps(const Word *Set, std::vector<Step> &Into) const;

  /// Runs nodes that hold no more than Most while they run and leave no more than was there before: that never makes
  /// a later moment worse, because what such a node adds only shrinks as others end. Live: bytes after Set. Peak becomes
  /// what is held at most. Ran, if given, gets the nodes in their order.
  void runFreeSteps(Word *Set, Bytes &Live, Bytes Most, Bytes &Peak, std::vector<Node> *Ran = nullptr) const;

  static bool has(const Word *Set, Node Each) { return Set[Each / 64] >> (Each % 64) & 1; }
  static void insert(Word *Set, Node Each) { Set[Each / 64] |= Word(1) << (Each % 64); }
  std::uint64_t hash(const Word *Set) const;
  bool isFull(const Word *Set) const;

private:
  bool ready(const Word *Set, Node Each) const;
  Bytes leaves(const Word *Set, Node Each) const;

  const Graph &Of;
  std::size_t Words;
  std::vector<Word> Inputs, Consumers; ///< of each node, words() words
};

} // namespace memshape::scheduling

#endif // MEMSHAPE_MODEL_SCHEDULING_DOWNSETS_H
