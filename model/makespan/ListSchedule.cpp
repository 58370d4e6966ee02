// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/makespan/ListSchedule.h"
#include "model/graph/Graph.h"
#include "model/makespan/Ranges.h"
#include "model/makespan/RunningTasks.h"

#include <algorithm>
#include <queue>
#include <set>

namespace memshape::scheduling {

namespace {

constexpr int MostTries = 16;
/// What the nodes that have not started hold when they run one by one in an order, after all others have ended.
class Remainder {
public:
  Remainder(const Graph &Of, std::span<const Node> Order)
      : Of(Of), Place(Of.size()), StartedAt(Order.size(), false), Uses(Of.size()), Held(heldDuring(Of, Order)) {
    for (std::size_t At = 0; At < Order.size(); ++At) {
      Place[Order[At]] = At;
      for (Node Input : Of.inputs(Order[At]))
        Uses[Input].push_back(At);
    }
  }

  /// Whether the rest stays within Memory when Each starts now. Then it counts as started.
  bool start(Node Each, Bytes Memory) {
    StartedAt[Place[Each]] = true;
    change(Each, 1);
    if (Held.most() <= Memory)
      return true;
    change(Each, -1);
    StartedAt[Place[Each]] = false;
    return false;
  }

private:
  void change(Node Each, int Sign) {
    const std::size_t At = Place[Each];
    Held.add(At, At + 1, Sign * -Beyond);
    Held.add(0, At, Sign * Bytes(Of[Each].Output));
    for (Node Input : Of.inputs(Each)) {
      // Uses that have started for good are dropped; this one may be taken back.
      std::vector<std::size_t> &Later = Uses[Input];
      while (Later.back() != At && StartedAt[Later.back()])
        Later.pop_back();
      if (Later.back() != At)
        continue; // another consumer runs after it
      std::size_t Before = Later.size() - 1;
      while (Before > 0 && StartedAt[Later[Before - 1]])
        --Before;
      Held.add(Before > 0 ? Later[Before - 1] + 1 : 0, At + 1, Sign * -Bytes(Of[Input].Output));
    }
  }

  const Graph &Of;
  std::vector<std::size_t> Place;
  std::vector<bool> StartedAt;                ///< of places in the order
  std::vector<std::vector<std::size_t>> Uses; ///< of each output, places of consumers
  Ranges Held;
};

class Simulation {
public:
  Simulation(const Graph &Of, std::span<const Node> Order, std::uint32_t Processors, Bytes Memory, Priority By,
             std::size_t Ahead)
      : Of(Of), Order(Order), Memory(Memory), Ahead(Ahead), Rest(Of, Order), Place(Of.size()), Rank(Of.size()),
        Inputs(Of.size()), Waiting(Of.size()), Started(Of.size(), false) {
    for (std::size_t At = 0; At < Order.size(); ++At)
      Place[Order[At]] = At;
    for (std::uint32_t Each = 0; Each < std::min<std::size_t>(Processors, Of.size()); ++Each)
      Idle.push(Each);
    Done.Start.resize(Of.size());
    Done.Processor.resize(Of.size());
    if (By == Priority::LongestPath) {
      const std::vector<double> Longest = longestPaths(Of);
      for (Node Each = 0; Each < Of.size(); ++Each)
        Rank[Each] = -Longest[Each];
    } else {
      std::copy(Place.begin(), Place.end(), Rank.begin());
    }
    for (Node Each = 0; Each < Of.size(); ++Each) {
      Waiting[Each] = Of.consumers(Each).size();
      if ((Inputs[Each] = Of.inputs(Each).size()) == 0)
        Ready.insert({Rank[Each], Each});
    }
  }

  TimedSchedule run() {
    for (startWhatFits(); Done.Order.size() < Of.size() || !Running.empty(); startWhatFits()) {
      if (Running.empty())
        continue; // what ran took no time: the next node of the order fits
      Now = Running.goOn([&](Node Ended) { end(Ended); });
    }
    Done.Makespan = Now;
    return std::move(Done);
  }

private:
  void startWhatFits() {
    int Refused = 0;
    for (auto Each = Ready.begin(); Each != Ready.end() && !Idle.empty() && Refused < MostTries;) {
      const Node Next = Each->second;
      if (Place[Next] - first() >= Ahead)
        break;
      if (!start(Next)) {
        ++Refused;
        ++Each;
        continue;
      }
      // A node that takes no time ends before others start: nodes become ready, and memory becomes free.
      Each = Of[Next].Time == 0 ? Ready.begin() : Ready.upper_bound({Rank[Next], Next});
    }
    // Where many are refused the next one of the order is among those that were not tried.
    if (Refused == MostTries && first() < Order.size() && !Idle.empty() && Inputs[Order[First]] == 0)
      start(Order[First]);
  }

  std::size_t first() {
    while (First < Order.size() && Started[Order[First]])
      ++First;
    return First;
  }

  bool start(Node Each) {
    const Bytes Needs = Bytes(Of[Each].Output) + Of[Each].Work;
    if (Held + Needs > Memory || !Rest.start(Each, Memory))
      return false;
    Ready.erase({Rank[Each], Each});
    Started[Each] = true;
    Held += Needs;
    Done.Peak = std::max(Done.Peak, Held);
    Done.Order.push_back(Each);
    Done.Start[Each] = Now;
    Done.Processor[Each] = Idle.top();
    Idle.pop();
    if (Of[Each].Time == 0)
      end(Each);
    else
      Running.start(Each, Now + Of[Each].Time);
    return true;
  }

  void end(Node Each) {
    Idle.push(Done.Processor[Each]);
    Held -= Of[Each].Work;
    for (Node Input : Of.inputs(Each))
      if (--Waiting[Input] == 0)
        Held -= Of[Input].Output;
    for (Node Consumer : Of.consumers(Each))
      if (--Inputs[Consumer] == 0)
        Ready.insert({Rank[Consumer], Consumer});
  }

  const Graph &Of;
  std::span<const Node> Order;
  Bytes Memory, Held = 0;
  std::size_t Ahead;
  Remainder Rest;
  std::vector<std::size_t> Place;           ///< in the order
  std::vector<double> Rank;                 ///< the least one first
  std::vector<std::size_t> Inputs, Waiting; ///< inputs and consumers that have not ended
  std::vector<bool> Started;
  std::set<std::pair<double, Node>> Ready;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> Idle;
  RunningTasks Running;
  std::size_t First = 0; ///< place of the first node that has not started
  double Now = 0;
  TimedSchedule Done;
};

} // namespace

std::vector<double> longestPaths(const Graph &Of) {
  std::vector<double> Longest(Of.size());
  const std::vector<Node> &Order = Of.topological();
  for (auto Each = Order.rbegin(); Each != Order.rend(); ++Each) {
    for (Node Consumer : Of.consumers(*Each))
      Longest[*Each] = std::max(Longest[*Each], Longest[Consumer]);
    Longest[*Each] += Of[*Each].Time;
  }
  return Longest;
}

TimedSchedule listSchedule(const Graph &Of, std::span<const Node> Order, std::uint32_t Processors, Bytes Memory,
                           Priority By) {
  return Simulation(Of, Order, Processors, std::min(Memory, Beyond / 2), By, Order.size()).run();
}

TimedSchedule shortestAhead(const Graph &Of, std::span<const Node> Order, std::uint32_t Processors, Bytes Memory,
                            std::size_t MostNodes, double Enough) {
  std::optional<TimedSchedule> Best;
  std::size_t Placed = 0;
  for (std::size_t Ahead = 1; !Best || Ahead < Of.size(); Ahead += 1 + Ahead / 32 * 4) {
    TimedSchedule Found = Simulation(Of, Order, Processors, std::min(Memory, Beyond / 2), Priority::Order, Ahead).run();
    if (!Best || Found.Makespan < Best->Makespan)
      Best = std::move(Found);
    Placed += Of.size();
    if (Best->Makespan <= Enough || Placed + Of.size() > MostNodes)
      break;
  }
  return std::move(*Best);
}

} // namespace memshape::scheduling
