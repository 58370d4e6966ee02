//===- Evictions.cpp ------------------------------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/scheduling/Evictions.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace memshape::scheduling {

namespace {

constexpr std::size_t Never = SIZE_MAX;

/// Memory while nodes run one after the other.
class Memory {
public:
  Memory(const Graph &Of, std::span<const Node> Order, Bytes Limit)
      : Of(Of), Order(Order), Limit(Limit), Uses(Of.size()), Resident(Of.size(), 0), NextUse(Of.size(), Never) {
    for (std::size_t At = Order.size(); At-- > 0;)
      for (Node Input : Of.inputs(Order[At]))
        Uses[Input].push_back(At);
  }

  bool run(std::size_t At, EvictionPlan &Into) {
    const Node Now = Order[At];
    Bytes Needed = Bytes(Of[Now].Output) + Of[Now].Work;
    for (Node Input : Of.inputs(Now))
      Needed += Of[Input].Output - Resident[Input];
    if (!makeRoom(Held + Needed - Limit, At, Into))
      return false;
    Into.Peak = std::max(Into.Peak, Held + Needed);
    Held += Needed - Of[Now].Work;
    for (Node Input : Of.inputs(Now)) {
      Resident[Input] = Of[Input].Output;
      Uses[Input].pop_back();
      if (Uses[Input].empty()) {
        Held -= std::exchange(Resident[Input], 0);
        NextUse[Input] = Never;
      } else {
        keep(Input);
      }
    }
    Resident[Now] = Of[Now].Output;
    keep(Now);
    return true;
  }

private:
  struct Entry {
    std::size_t Use;
    Node Of;
    bool operator<(const Entry &Other) const { return Use != Other.Use ? Use < Other.Use : Of < Other.Of; }
  };

  void keep(Node Each) {
    NextUse[Each] = Uses[Each].empty() ? Never : Uses[Each].back();
    if (Resident[Each] > 0)
      Furthest.push({NextUse[Each], Each});
  }

  /// What the next node reads is used first of all, and so leaves last.
  bool makeRoom(Bytes Missing, std::size_t At, EvictionPlan &Into) {
    while (Missing > 0) {
      if (Furthest.empty())
        return false;
      const Entry Last = Furthest.top();
      if (Last.Use != NextUse[Last.Of] || Resident[Last.Of] == 0) {
        Furthest.pop(); // from before its last use
        continue;
      }
      if (Last.Use == At)
        return false;
      const Bytes Written = std::min(Missing, Resident[Last.Of]);
      Into.Evictions.push_back({Last.Of, Order[At - 1], Written});
      Into.Written += Written;
      Resident[Last.Of] -= Written;
      Held -= Written;
      Missing -= Written;
    }
    return true;
  }

  const Graph &Of;
  std::span<const Node> Order;
  Bytes Limit, Held = 0;
  std::vector<std::vector<std::size_t>> Uses; ///< places of consumers that have not run, the next one last
  std::vector<Bytes> Resident;
  std::vector<std::size_t> NextUse;
  std::priority_queue<Entry> Furthest;
};

} // namespace

std::optional<EvictionPlan> evictions(const Graph &Of, std::span<const Node> Order, Bytes Limit) {
  EvictionPlan Plan;
  Memory Now(Of, Order, Limit);
  for (std::size_t At = 0; At < Order.size(); ++At)
    if (!Now.run(At, Plan))
      return std::nullopt;
  return Plan;
}

} // namespace memshape::scheduling
