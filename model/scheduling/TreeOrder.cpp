// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/scheduling/TreeOrder.h"

#include <algorithm>

namespace memshape::scheduling {

namespace {

constexpr Node None = UINT32_MAX;

/// Nodes level by level from the roots, which come first. The inputs of entry I are the entries from First[I] to
/// First[I + 1]: what is known of them lies side by side, whatever the nodes' numbers are.
struct Levels {
  std::vector<Node> Of, First;
};

Levels levelsOf(const Graph &Forest) {
  Levels Found;
  Found.Of.resize(Forest.size());
  Found.First.resize(Forest.size() + std::size_t(1));
  Node End = 0;
  for (Node Each = 0; Each < Forest.size(); ++Each)
    if (Forest.consumers(Each).empty())
      Found.Of[End++] = Each;
  Found.First[0] = End;
  for (Node At = 0; At < Forest.size(); ++At) {
    for (Node Input : Forest.inputs(Found.Of[At]))
      Found.Of[End++] = Input;
    Found.First[At + 1] = End;
  }
  return Found;
}

/// Whether no sum of bytes of different nodes leaves 62 bits: then all sums below, and their differences, fit 64.
bool fitsPlainSums(const Graph &Forest) {
  std::uint64_t Sum = 0;
  for (Node Each = 0; Each < Forest.size(); ++Each) {
    const auto Output = static_cast<std::uint64_t>(Forest[Each].Output);
    const auto Work = static_cast<std::uint64_t>(std::max<std::int64_t>(Forest[Each].Work, 0)); // outputs have the rest
    if (Output >> 62 || Work >> 62 || (Sum += Output + Work) >> 62) // below 3 * 2^62 before the shift
      return false;
  }
  return true;
}

/// Nodes of an order that follow each other, as blocks that can stand between blocks of other subtrees. Entry v belongs
/// to the block whose last node is v. Sum: integers that hold all sums.
///
/// A block begins with what its subtree held before it, rises by Up, and ends Down below its top. Orders of two subtrees
/// that are merged by descending Down hold least (Liu's hill-valley segments; their order is the string interchange of
/// Abdel-Wahab and Kameda 1978). A heap of each subtree has the block with the least Down, which comes last, on top: the
/// subtree's root runs after all blocks, so it only ever has to be joined to those.
template <class Sum> class Blocks {
public:
  explicit Blocks(const Graph &Forest)
      : Levels(levelsOf(Forest)), Of(Forest.size()), Outputs(Forest.size()), HeapOf(Forest.size(), None) {
    for (Node At = Forest.size(); At-- > 0;)
      end(At, Forest[Levels.Of[At]]);
  }

  /// Ends the subtree of Root, an entry whose inputs have ended theirs.
  void end(Node Root, const graph::Task &Runs) {
    Sum Inputs = 0;
    Node Heap = None;
    for (Node Input = Levels.First[Root]; Input < Levels.First[Root + 1]; ++Input) {
      Inputs += Outputs[Input];
      Heap = joined(Heap, HeapOf[Input]);
    }
    Block &Last = Of[Root];
    Last.First = Root;
    Last.Up = Sum(Runs.Output) + Runs.Work;
    Last.Down = Inputs + Runs.Work;
    Outputs[Root] = Runs.Output;
    // A block that frees more than it takes never comes too early; one that frees as much as its predecessor has to stay
    // behind it.
    while (Heap != None && (Last.Up < Last.Down || Last.Down >= Of[Heap].Down)) {
      Block &Before = Of[Heap];
      const Sum Rise = Before.Up - Before.Down; // held between the two
      const Sum Net = Rise + Last.Up - Last.Down;
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
    for (Node Root = 0; Root < Levels.First[0]; ++Root)
      Heap = joined(Heap, HeapOf[Root]);
    std::vector<Node> LastOfBlocks;
    for (; Heap != None; Heap = withoutTop(Heap))
      LastOfBlocks.push_back(Heap);
    std::vector<Node> Order;
    Order.reserve(Of.size());
    for (auto Last = LastOfBlocks.rbegin(); Last != LastOfBlocks.rend(); ++Last)
      for (Node Each = Of[*Last].First;; Each = Of[Each].Next) {
        Order.push_back(Levels.Of[Each]);
        if (Each == *Last)
          break;
      }
    return Order;
  }

private:
  struct Block {
    Sum Up = 0, Down = 0;
    Node First = None;                 ///< entry of the block
    Node Next = None;                  ///< entry that runs after this one, in the same block
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

  struct Levels Levels;
  std::vector<Block> Of;
  std::vector<std::int64_t> Outputs;
  std::vector<Node> HeapOf; ///< of ended subtrees
};

} // namespace

std::vector<Node> optimalTreeOrder(const Graph &Forest) {
  return fitsPlainSums(Forest) ? Blocks<std::int64_t>(Forest).order() : Blocks<Bytes>(Forest).order();
}

} // namespace memshape::scheduling
