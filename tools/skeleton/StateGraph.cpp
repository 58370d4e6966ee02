//===- StateGraph.cpp - All runs of a skeleton as one graph --------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StateGraph.h"

#include <algorithm>
#include <queue>

using namespace memshape;

/// Which nodes some run passes on its way to the end.
std::vector<bool> StateGraph::leadToEnd() const {
  std::vector<std::vector<std::uint32_t>> Backwards(Arrows.size());
  for (std::uint32_t From = 0; From < Arrows.size(); ++From)
    for (const StateArrow &A : Arrows[From])
      Backwards[A.To].push_back(From);
  std::vector<bool> Useful(Arrows.size(), false);
  std::vector<std::uint32_t> Work = {End};
  Useful[End] = true;
  while (!Work.empty()) {
    const std::uint32_t Node = Work.back();
    Work.pop_back();
    for (const std::uint32_t From : Backwards[Node])
      if (!Useful[From]) {
        Useful[From] = true;
        Work.push_back(From);
      }
  }
  return Useful;
}

/// The way whose highest point is lowest, as Dijkstra's with the maximum in place of the sum.
std::int64_t StateGraph::leastPeak(const std::vector<bool> &Useful) const {
  using Entry = std::pair<std::int64_t, std::uint32_t>;
  std::vector<std::int64_t> Best(Arrows.size(), INT64_MAX);
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
    for (const StateArrow &A : Arrows[Node]) {
      const std::int64_t Next = std::max(Peak, A.Peak);
      if (Useful[A.To] && Next < Best[A.To]) {
        Best[A.To] = Next;
        Work.push({Next, A.To});
      }
    }
  }
  return 0;
}

/// A sum is the same in all runs when it is the same at each node whichever way leads there.
void StateGraph::compareSums(const std::vector<bool> &Useful, Figures &Out) const {
  struct Sums {
    std::int64_t Total = 0;
    std::uint64_t Allocations = 0, Reallocations = 0;
    bool operator==(const Sums &) const = default;
  };
  std::vector<std::optional<Sums>> At(Arrows.size());
  std::optional<std::int64_t> Output;
  std::vector<std::uint32_t> Work = {Start};
  At[Start] = Sums();
  while (!Work.empty()) {
    const std::uint32_t Node = Work.back();
    Work.pop_back();
    for (const StateArrow &A : Arrows[Node]) {
      if (!Useful[A.To])
        continue;
      Sums Next = *At[Node];
      if (__builtin_add_overflow(Next.Total, A.Total, &Next.Total) || A.Elsewhere)
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
  for (std::size_t Node = 0; Node < Arrows.size(); ++Node)
    for (const StateArrow &A : Arrows[Node])
      if (Useful[A.To])
        Out.GreatestPeak = std::max(Out.GreatestPeak, A.Peak);
  Out.LeastPeak = leastPeak(Useful);
  compareSums(Useful, Out);
  return Out;
}
