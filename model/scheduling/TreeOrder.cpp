//===- TreeOrder.cpp ------------------------------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/scheduling/TreeOrder.h"

#include <algorithm>

namespace memshape::scheduling {

namespace {

constexpr Node None = UINT32_MAX;

/// What a subtree holds at most, and what it leaves.
struct Subtree {
  Bytes Peak = 0, Output = 0;
};

/// Puts the subtrees with the greatest difference of peak and output first. Returns the peak of all.
Bytes sortSubtrees(std::vector<Node> &Roots, const std::vector<Subtree> &Of) {
  std::sort(Roots.begin(), Roots.end(), [&](Node Left, Node Right) {
    const Bytes Frees = Of[Left].Peak - Of[Left].Output, Other = Of[Right].Peak - Of[Right].Output;
    return Frees != Other ? Frees > Other : Left < Right;
  });
  Bytes Peak = 0, Before = 0;
  for (Node Each : Roots) {
    Peak = std::max(Peak, Before + Of[Each].Peak);
    Before += Of[Each].Output;
  }
  return Peak;
}

std::vector<Node> rootsOf(const Graph &Forest) {
  std::vector<Node> Roots;
  for (Node Each = 0; Each < Forest.size(); ++Each)
    if (Forest.consumers(Each).empty())
      Roots.push_back(Each);
  return Roots;
}

/// Nodes of an order that follow each other, as blocks that can stand between blocks of other subtrees. Entry v belongs
/// to the block whose last node is v.
///
/// A block begins with what its subtree held before it, rises by Up, and ends Down below its top. Orders of two subtrees
/// that are merged by descending Down hold least (Liu's hill-valley segments; their order is the string interchange of
/// Abdel-Wahab and Kameda 1978). A heap of each subtree has the block with the least Down, which comes last, on top: the
/// subtree's root runs after all blocks, so it only ever has to be joined to those.
class Blocks {
public:
  explicit Blocks(const Graph &Forest) : Forest(Forest), Of(Forest.size()), HeapOf(Forest.size(), None) {}

  /// Ends the subtree of Root, whose children have ended theirs.
  void end(Node Root) {
    Bytes Inputs = 0;
    Node Heap = None;
    for (Node Child : Forest.inputs(Root)) {
      Inputs += Forest[Child].Output;
      Heap = joined(Heap, HeapOf[Child]);
    }
    Block &Last = Of[Root];
    Last.First = Root;
    Last.Up = Bytes(Forest[Root].Output) + Forest[Root].Work;
    Last.Down = Inputs + Forest[Root].Work;
    // A block that frees more than it takes never comes too early; one that frees as much as its predecessor has to stay
    // behind it.
    while (Heap != None && (Last.Up < Last.Down || Last.Down >= Of[Heap].Down)) {
      Block &Before = Of[Heap];
      const Bytes Rise = Before.Up - Before.Down; // held between the two
      const Bytes Net = Rise + Last.Up - Last.Down;
      Last.Up = std::max(Before.Up, Rise + Last.Up);
      Last.Down = Last.Up - Net;
      Before.Next = Last.First;
      Last.First = Before.First;
      Heap = withoutTop(Heap);
    }
    HeapOf[Root] = joined(Heap, Root);
  }

  /// The nodes of all trees.
  std::vector<Node> order() {
    Node Heap = None;
    for (Node Root : rootsOf(Forest))
      Heap = joined(Heap, HeapOf[Root]);
    std::vector<Node> LastOfBlocks;
    for (; Heap != None; Heap = withoutTop(Heap))
      LastOfBlocks.push_back(Heap);
    std::vector<Node> Order;
    Order.reserve(Forest.size());
    for (auto Last = LastOfBlocks.rbegin(); Last != LastOfBlocks.rend(); ++Last)
      for (Node Each = Of[*Last].First;; Each = Of[Each].Next) {
        Order.push_back(Each);
        if (Each == *Last)
          break;
      }
    return Order;
  }

private:
  struct Block {
    Bytes Up = 0, Down = 0;
    Node First = None;                 ///< node of the block
    Node Next = None;                  ///< node that runs after this one, in the same block
    Node Child = None, Sibling = None; ///< of the pairing heap
  };

  /// Pairing heap (Fredman, Sedgewick, Sleator, Tarjan 1986).
  Node joined(Node Left, Node Right) {
    if (Left == None || Right == None)
      return Left == None ? Right : Left;
    if (Of[Right].Down < Of[Left].Down)
      std::swap(Left, Right);
    Of[Right].Sibling = Of[Left].Child;
    Of[Left].Child = Right;
    return Left;
  }

  Node withoutTop(Node Heap) {
    Node Pairs = None; // the last one first
    for (Node Each = Of[Heap].Child; Each != None;) {
      const Node Second = Of[Each].Sibling;
      const Node Rest = Second == None ? None : Of[Second].Sibling;
      Of[Each].Sibling = None;
      if (Second != None)
        Of[Second].Sibling = None;
      const Node Pair = joined(Each, Second);
      Of[Pair].Sibling = Pairs;
      Pairs = Pair;
      Each = Rest;
    }
    Node Left = None;
    while (Pairs != None) {
      const Node Rest = Of[Pairs].Sibling;
      Of[Pairs].Sibling = None;
      Left = joined(Left, Pairs);
      Pairs = Rest;
    }
    return Left;
  }

  const Graph &Forest;
  std::vector<Block> Of;
  std::vector<Node> HeapOf; ///< of ended subtrees
};

} // namespace

std::vector<Node> bestPostorder(const Graph &Forest) {
  std::vector<Subtree> Of(Forest.size());
  std::vector<std::size_t> First(Forest.size()); // of a node's inputs, sorted
  std::vector<Node> Sorted, Inputs;
  Sorted.reserve(Forest.edges());
  for (Node Each : Forest.topological()) {
    Inputs.assign(Forest.inputs(Each).begin(), Forest.inputs(Each).end());
    const Bytes Peak = sortSubtrees(Inputs, Of);
    First[Each] = Sorted.size();
    Sorted.insert(Sorted.end(), Inputs.begin(), Inputs.end());
    Of[Each] = {std::max(Peak, Forest.need(Each)), Forest[Each].Output};
  }
  std::vector<Node> Roots = rootsOf(Forest);
  sortSubtrees(Roots, Of);
  // Backwards: each node before its subtrees, the last of these first.
  std::vector<Node> Order, Stack = std::move(Roots);
  Order.reserve(Forest.size());
  while (!Stack.empty()) {
    const Node Each = Stack.back();
    Stack.pop_back();
    Order.push_back(Each);
    const auto Begin = Sorted.begin() + static_cast<std::ptrdiff_t>(First[Each]);
    Stack.insert(Stack.end(), Begin, Begin + static_cast<std::ptrdiff_t>(Forest.inputs(Each).size()));
  }
  std::reverse(Order.begin(), Order.end());
  return Order;
}

std::vector<Node> optimalTreeOrder(const Graph &Forest) {
  Blocks Found(Forest);
  for (Node Each : Forest.topological())
    Found.end(Each);
  return Found.order();
}

} // namespace memshape::scheduling
