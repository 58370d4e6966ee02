// All runs of a skeleton as one graph.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/states/StateGraph.h"

#include <algorithm>
#include <queue>

using namespace memshape;

/// The nodes from which the end can be reached.
std::vector<bool> StateGraph::leadToEnd() const {
  // The reverse graph: for each node the nodes with arrows to it, in one array.
  std::vector<std::uint32_t> Starts(Nodes.size() + 1, 0), Backwards(Arrows.size());
  for (const Linked &L : Arrows)
    ++Starts[L.Arrow.To + 1];
  for (std::size_t Node = 0; Node < Nodes.size(); ++Node)
    Starts[Node + 1] += Starts[Node];
  std::vector<std::uint32_t> Next(Starts.begin(), Starts.end() - 1);
  for (std::uint32_t From = 0; From < Nodes.size(); ++From)
    forArrows(From, [&](const StateArrow &A) { Backwards[Next[A.To]++] = From; });
  std::vector<bool> Useful(Nodes.size(), false);
  std::vector<std::uint32_t> Work = {End};
  Useful[End] = true;
  while (!Work.empty()) {
    const std::uint32_t Node = Work.back();
    Work.pop_back();
    for (std::uint32_t I = Starts[Node]; I < Starts[Node + 1]; ++I)
      if (!Useful[Backwards[I]]) {
        Useful[Backwards[I]] = true;
        Work.push_back(Backwards[I]);
      }
  }
  return Useful;
}

std::int64_t StateGraph::leastPeak(const std::vector<bool> &Useful) const {
  using Entry = std::pair<std::int64_t, std::uint32_t>;
  std::vector<std::int64_t> Best(Nodes.size(), INT64_MAX);
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> Work;
  Best[Start] = 0;
  Work.push({0, Start});
  while (!Work.empty()) {
    const auto [Peak, Node] = Work.top();
    Work.pop();
    if (Node == End)
      return Peak;
    if (Peak > Best[Node])
      continue;
    forArrows(Node, [&, Peak = Peak](const StateArrow &A) {
      const std::int64_t Higher = std::max(Peak, A.Peak);
      if (Useful[A.To] && Higher < Best[A.To]) {
        Best[A.To] = Higher;
        Work.push({Higher, A.To});
      }
    });
  }
  return 0;
}

void StateGraph::compareSums(const std::vector<bool> &Useful, Figures &Out) const {
  struct Sums {
    std::int64_t Total = 0;
    std::uint64_t Allocations = 0, Reallocations = 0;
    bool operator==(const Sums &) const = default;
  };
  std::vector<std::optional<Sums>> At(Nodes.size());
  std::optional<std::int64_t> Output;
  std::vector<std::uint32_t> Work = {Start};
  At[Start] = Sums();
  while (!Work.empty()) {
    const std::uint32_t Node = Work.back();
    Work.pop_back();
    for (std::uint32_t I = Nodes[Node].First; I != None; I = Arrows[I].Next) {
      const StateArrow &A = Arrows[I].Arrow;
      if (!Useful[A.To])
        continue;
      Sums Next = *At[Node];
      if (__builtin_add_overflow(Next.Total, A.Total, &Next.Total))
        return;
      Next.Allocations += A.Allocations;
      Next.Reallocations += A.Reallocations;
      if (A.To == End && Output.value_or(A.Output) != A.Output)
        return;
      if (A.To == End)
        Output = A.Output;
      if (At[A.To]) {
        if (*At[A.To] != Next)
          return;
        continue;
      }
      At[A.To] = Next;
      Work.push_back(A.To);
    }
  }
  if (!At[End])
    return;
  Out.Alike = Out.LeastPeak == Out.GreatestPeak;
  Out.Total = At[End]->Total;
  Out.Allocations = At[End]->Allocations;
  Out.Reallocations = At[End]->Reallocations;
  Out.Output = Output.value_or(0);
}

std::optional<StateGraph::Figures> StateGraph::figures() const {
  const std::vector<bool> Useful = leadToEnd();
  if (!Useful[Start])
    return std::nullopt;
  Figures Out;
  for (const Linked &L : Arrows)
    if (Useful[L.Arrow.To])
      Out.GreatestPeak = std::max(Out.GreatestPeak, L.Arrow.Peak);
  Out.LeastPeak = leastPeak(Useful);
  compareSums(Useful, Out);
  return Out;
}
