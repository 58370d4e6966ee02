// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/makespan/BackwardSchedule.h"

#include <algorithm>
#include <limits>
#include <random>

namespace memshape::scheduling {

namespace {

constexpr double LargeShare = 1.0 / 60;  ///< of all work: subtrees above it are taken apart
constexpr double TinyShare = 1.0 / 4096; ///< subtrees below it stay with the node that reads them
constexpr std::size_t TriesOfPart = 30;
constexpr int Drawn = 8;                   ///< parts, the largest one of which is moved in every other try
constexpr std::uint32_t None = UINT32_MAX; ///< no part

/// Connected pieces of a forest; they are a forest themselves.
struct Parts {
  std::vector<std::vector<Node>> Of;   ///< in the order of the nodes
  std::vector<std::uint32_t> Consumer; ///< of each part, None for roots
  std::vector<double> Work;            ///< of all nodes of a part and below it
  std::vector<std::uint32_t> Sequence; ///< parts by their last nodes in the order
};

Parts partsOf(const Graph &Forest, std::span<const Node> Order) {
  std::vector<double> Work(Forest.size(), 0);
  double All = 0;
  for (Node Each : Forest.topological()) {
    Work[Each] += Forest[Each].Time;
    All += Forest[Each].Time;
    for (Node Input : Forest.inputs(Each))
      Work[Each] += Work[Input];
  }
  Parts Found;
  std::vector<std::uint32_t> PartOf(Forest.size());
  const std::vector<Node> &Topological = Forest.topological();
  for (auto At = Topological.rbegin(); At != Topological.rend(); ++At) {
    const Node Each = *At;
    const bool IsRoot = Forest.consumers(Each).empty();
    const Node Above = IsRoot ? Each : Forest.consumers(Each).front();
    if (!IsRoot &&
        (Work[Above] <= All * LargeShare || Work[Each] <= All * TinyShare || Forest.inputs(Above).size() == 1)) {
      PartOf[Each] = PartOf[Above];
      continue;
    }
    PartOf[Each] = static_cast<std::uint32_t>(Found.Of.size());
    Found.Of.emplace_back();
    Found.Work.push_back(Work[Each]);
    Found.Consumer.push_back(IsRoot ? None : PartOf[Above]);
  }
  for (Node Each : Order) {
    std::vector<Node> &Nodes = Found.Of[PartOf[Each]];
    Nodes.push_back(Each);
    if (Forest.consumers(Each).empty() || PartOf[Forest.consumers(Each).front()] != PartOf[Each])
      Found.Sequence.push_back(PartOf[Each]);
  }
  return Found;
}

class Search {
public:
  Search(const Graph &Forest, std::span<const Node> Order, std::uint32_t Processors, Bytes Memory)
      : Forest(Forest), Processors(Processors), Memory(Memory), All(partsOf(Forest, Order)),
        Best(Order.begin(), Order.end()), Sequence(All.Sequence) {
    Least = makespanOf(Best);
    const std::vector<Node> InParts = orderOf(Sequence);
    LeastOfSequences = makespanOf(InParts);
    keep(InParts, LeastOfSequences);
  }

  void run(const SearchEffort &Effort) {
    const std::size_t Tries =
        std::min(TriesOfPart * All.Of.size(), Effort.MostNodes / std::max<Node>(Forest.size(), 1));
    for (std::size_t Try = 0; Try < Tries && Least > Effort.Enough && All.Of.size() > 1; ++Try) {
      std::vector<std::uint32_t> Moved = Sequence;
      for (std::uint64_t Moves = Random() % 3 ? 1 : 1 + Random() % 3; Moves > 0; --Moves)
        move(Moved);
      if (Moved == Sequence)
        continue;
      std::vector<Node> Order = orderOf(Moved);
      const double Makespan = makespanOf(Order);
      if (Makespan > LeastOfSequences)
        continue;
      LeastOfSequences = Makespan;
      Sequence = std::move(Moved);
      keep(Order, Makespan);
    }
  }

  std::vector<Node> order() && { return std::move(Best); }

private:
  void keep(const std::vector<Node> &Order, double Makespan) {
    if (Makespan >= Least)
      return;
    Least = Makespan;
    Best = Order;
  }

  double makespanOf(const std::vector<Node> &Order) const {
    return backwardMakespan(Forest, Order, Processors, Memory).value_or(std::numeric_limits<double>::infinity());
  }

  std::vector<Node> orderOf(const std::vector<std::uint32_t> &Of) const {
    std::vector<Node> Order;
    Order.reserve(Forest.size());
    for (std::uint32_t Part : Of)
      Order.insert(Order.end(), All.Of[Part].begin(), All.Of[Part].end());
    return Order;
  }

  std::uint32_t anyPart() { return static_cast<std::uint32_t>(Random() % All.Of.size()); }

  /// Moves one part, or it and all below it, to another place before its consumer and behind its inputs.
  void move(std::vector<std::uint32_t> &Of) {
    std::uint32_t Part = anyPart();
    if (Random() % 2) // the large ones decide more
      for (int I = 1; I < Drawn; ++I)
        if (const std::uint32_t Other = anyPart(); All.Work[Other] > All.Work[Part])
          Part = Other;
    std::vector<bool> Goes(Of.size(), false);
    Goes[Part] = true;
    const bool WithInputs = Random() % 2;
    for (auto Each = Of.rbegin(); WithInputs && Each != Of.rend(); ++Each)
      Goes[*Each] = Goes[*Each] || (All.Consumer[*Each] != None && Goes[All.Consumer[*Each]]);
    std::vector<std::uint32_t> Going, Staying;
    std::size_t First = 0, Last = None;
    for (std::uint32_t Each : Of) {
      if (Goes[Each]) {
        Going.push_back(Each);
        continue;
      }
      if (Each == All.Consumer[Part])
        Last = Staying.size();
      Staying.push_back(Each);
      if (All.Consumer[Each] == Part)
        First = Staying.size();
    }
    Last = std::min(Last, Staying.size());
    const std::size_t To = First + Random() % (Last - First + 1);
    Staying.insert(Staying.begin() + static_cast<std::ptrdiff_t>(To), Going.begin(), Going.end());
    Of = std::move(Staying);
  }

  const Graph &Forest;
  std::uint32_t Processors;
  Bytes Memory;
  Parts All;
  std::vector<Node> Best;
  std::vector<std::uint32_t> Sequence; ///< of parts
  double Least, LeastOfSequences;
  std::mt19937_64 Random{1};
};

} // namespace

std::vector<Node> shorterOrder(const Graph &Forest, std::span<const Node> Order, std::uint32_t Processors, Bytes Memory,
                               const SearchEffort &Effort) {
  Search Tries(Forest, Order, Processors, Memory);
  Tries.run(Effort);
  return std::move(Tries).order();
}

} // namespace memshape::scheduling
