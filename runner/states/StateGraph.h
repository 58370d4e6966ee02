//===- StateGraph.h - All runs of a skeleton as one graph ----------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nodes are states at decisions, arrows what happens until the next one. Each way from the start to the end is a run;
// ways that come to no end do not count, for no call returns there.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SKELETON_STATEGRAPH_H
#define MEMSHAPE_SKELETON_STATEGRAPH_H

#include <cstdint>
#include <optional>
#include <vector>

namespace memshape {

/// What happens on the way from one decision to the next.
struct StateArrow {
  std::uint32_t To = 0;
  std::int64_t Peak = 0; ///< highest live bytes above those at the call's entry, on the way
  std::int64_t Total = 0;
  std::uint64_t Allocations = 0, Reallocations = 0;
  std::int64_t Output = 0; ///< bytes that live at the end, of an arrow that leads there
  bool Elsewhere = false;  ///< memory of other spaces than the host's was requested
};

class StateGraph {
public:
  static constexpr std::uint32_t Start = 0, End = 1;

  StateGraph() : Nodes(2) {}
  std::uint32_t addNode() {
    Nodes.emplace_back();
    return std::uint32_t(Nodes.size() - 1);
  }
  void addArrow(std::uint32_t From, const StateArrow &A) {
    const auto Place = std::uint32_t(Arrows.size());
    Arrows.push_back({A, None});
    Node &Of = Nodes[From];
    (Of.First == None ? Of.First : Arrows[Of.Last].Next) = Place;
    Of.Last = Place;
  }
  std::size_t size() const { return Nodes.size() - 2; }

  struct Figures {
    std::int64_t LeastPeak = 0, GreatestPeak = 0;
    /// Peak, total, counts and output, where they are the same in all runs.
    bool Alike = false;
    std::int64_t Total = 0, Output = 0;
    std::uint64_t Allocations = 0, Reallocations = 0;
  };
  /// Nothing where no run comes to the end.
  std::optional<Figures> figures() const;

private:
  std::vector<bool> leadToEnd() const;
  std::int64_t leastPeak(const std::vector<bool> &Useful) const;
  void compareSums(const std::vector<bool> &Useful, Figures &Out) const;

  /// Of all nodes in one list: a node has few, and there are many nodes.
  static constexpr std::uint32_t None = UINT32_MAX;
  struct Node {
    std::uint32_t First = None, Last = None;
  };
  struct Linked {
    StateArrow Arrow;
    std::uint32_t Next; ///< of the same node
  };
  template <class Function> void forArrows(std::uint32_t From, Function Do) const {
    for (std::uint32_t I = Nodes[From].First; I != None; I = Arrows[I].Next)
      Do(Arrows[I].Arrow);
  }

  std::vector<Node> Nodes;
  std::vector<Linked> Arrows;
};

} // namespace memshape

#endif // MEMSHAPE_SKELETON_STATEGRAPH_H
