// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/scheduling/Evictions.h"

#include <algorithm>
#include <set>
#include <utility>

namespace memshape::scheduling {

namespace {

constexpr std::size_t Never = SIZE_MAX;

enum class Rule {
  PartOfLast, ///< what is read last, as much of it as is missing
  Last,       ///< what is read last
  BestFit     ///< what suffices with the least to spare
};

/// Memory while nodes run one after the other.
class Memory {
public:
  Memory(const Graph &Of, std::span<const Node> Order, Bytes Limit, Rule By)
      : Of(Of), Order(Order), Limit(Limit), By(By), Uses(Of.size()), Resident(Of.size(), 0), NextUse(Of.size(), Never) {
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
      drop(Input);
      Uses[Input].pop_back();
      if (Uses[Input].empty())
        Held -= Of[Input].Output;
      else
        keep(Input);
    }
    keep(Now);
    return true;
  }

private:
  /// All of an output is there from now on.
  void keep(Node Each) {
    if ((Resident[Each] = Of[Each].Output) == 0)
      return;
    NextUse[Each] = Uses[Each].empty() ? Never : Uses[Each].back();
    ByUse.emplace(NextUse[Each], Each);
    if (By == Rule::BestFit)
      Sizes.emplace(Resident[Each], Each);
  }

  void drop(Node Each) {
    if (Resident[Each] == 0)
      return;
    ByUse.erase({NextUse[Each], Each});
    if (By == Rule::BestFit)
      Sizes.erase({Resident[Each], Each});
    Resident[Each] = 0;
  }

  /// What leaves; what the next node reads is used first of all, and does not. None where nothing else is there.
  std::optional<Node> leaving(Bytes Missing, std::size_t At) const {
    if (ByUse.empty() || ByUse.rbegin()->first == At)
      return std::nullopt;
    if (By == Rule::BestFit)
      for (auto Each = Sizes.lower_bound({Missing, 0}); Each != Sizes.end(); ++Each)
        if (NextUse[Each->second] != At)
          return Each->second;
    return ByUse.rbegin()->second;
  }

  bool makeRoom(Bytes Missing, std::size_t At, EvictionPlan &Into) {
    while (Missing > 0) {
      const std::optional<Node> Each = leaving(Missing, At);
      if (!Each)
        return false;
      const Bytes Written = By == Rule::PartOfLast ? std::min(Missing, Resident[*Each]) : Resident[*Each];
      Into.Evictions.push_back({*Each, Order[At - 1], Written});
      Into.Written += Written;
      Held -= Written;
      Missing -= Written;
      if (Written == Resident[*Each])
        drop(*Each);
      else
        Resident[*Each] -= Written;
    }
    return true;
  }

  const Graph &Of;
  std::span<const Node> Order;
  Bytes Limit, Held = 0;
  Rule By;
  std::vector<std::vector<std::size_t>> Uses; ///< places of consumers that have not run, the next one last
  std::vector<Bytes> Resident;
  std::vector<std::size_t> NextUse;
  std::set<std::pair<std::size_t, Node>> ByUse; ///< what is there, by the place of its next consumer
  std::set<std::pair<Bytes, Node>> Sizes;
};

std::optional<EvictionPlan> planned(const Graph &Of, std::span<const Node> Order, Bytes Limit, Rule By) {
  EvictionPlan Plan;
  Memory Now(Of, Order, Limit, By);
  for (std::size_t At = 0; At < Order.size(); ++At)
    if (!Now.run(At, Plan))
      return std::nullopt;
  return Plan;
}

} // namespace

std::optional<EvictionPlan> evictions(const Graph &Of, std::span<const Node> Order, Bytes Limit) {
  return planned(Of, Order, Limit, Rule::PartOfLast);
}

std::optional<EvictionPlan> wholeEvictions(const Graph &Of, std::span<const Node> Order, Bytes Limit) {
  std::optional<EvictionPlan> Best = planned(Of, Order, Limit, Rule::Last);
  if (std::optional<EvictionPlan> Other = planned(Of, Order, Limit, Rule::BestFit);
      Best && Other && Other->Written < Best->Written)
    Best = std::move(Other);
  return Best;
}

} // namespace memshape::scheduling
