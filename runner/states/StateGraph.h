// All runs of a skeleton as one graph.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes are states at decisions; an arrow is what happens until the next decision. Each path from the start to the end
// is a run. Paths that never end do not count, because such a call does not return.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace memshape {

/// What happens between one decision and the next.
struct StateArrow {
  std::uint32_t To = 0;
  std::int64_t Peak = 0; ///< highest live bytes above those at the call's entry, on the way
  std::int64_t Total = 0;
  std::uint64_t Allocations = 0, Reallocations = 0;
  std::int64_t Output = 0; ///< bytes live at the end, for an arrow that leads there
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
    /// Whether peak, total, counts and output are the same in all runs.
    bool Alike = false;
    std::int64_t Total = 0, Output = 0;
    std::uint64_t Allocations = 0, Reallocations = 0;
  };
  /// Nothing if no run reaches the end.
  std::optional<Figures> figures() const;

private:
  std::vector<bool> leadToEnd() const;
  std::int64_t leastPeak(const std::vector<bool> &Useful) const;
  void compareSums(const std::vector<bool> &Useful, Figures &Out) const;

  /// The arrows of all nodes in one array, because nodes are many and arrows per node are few.
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
