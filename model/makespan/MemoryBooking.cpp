// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/makespan/MemoryBooking.h"
#include "model/makespan/RunningTasks.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace memshape::scheduling {

namespace {

class Bookings {
public:
  Bookings(const Graph &Forest, Bytes Memory, Booking By)
      : Forest(Forest), Memory(Memory), By(By), Of(Forest.size(), 0), OfSubtree(Forest.size(), 0),
        Active(Forest.size(), false) {}

  bool isActive(Node Each) const { return Active[Each]; }
  std::size_t moves() const { return Moves; }

  /// Whether what the node books fits.
  bool activate(Node Each) {
    Bytes There = Of[Each]; // outputs of inputs that have ended
    for (Node Input : Forest.inputs(Each))
      There += OfSubtree[Input];
    const Bytes Needs = By == Booking::Missing ? std::max<Bytes>(0, Forest.need(Each) - There)
                                               : Bytes(Forest[Each].Output) + Forest[Each].Work;
    if (All + Needs > Memory)
      return false;
    All += Needs;
    Of[Each] += Needs;
    OfSubtree[Each] = There + Needs;
    Active[Each] = true;
    return true;
  }

  /// Hands on what the node had booked: its output to its consumer, the rest to nodes above that will lack it.
  void end(Node Each) {
    Bytes Rest = std::exchange(Of[Each], 0) - Forest[Each].Output;
    OfSubtree[Each] = 0;
    if (Forest.consumers(Each).empty()) {
      All -= Rest; // the output stays
      return;
    }
    Of[Forest.consumers(Each).front()] += Forest[Each].Output;
    for (Node Above = Each; Rest > 0 && !Forest.consumers(Above).empty();) {
      Above = Forest.consumers(Above).front();
      if (!Active[Above])
        break;
      ++Moves;
      const Bytes Lacks = By == Booking::Missing ? Forest.need(Above) - (OfSubtree[Above] - Rest) : 0;
      const Bytes Given = std::clamp<Bytes>(Lacks, 0, Rest);
      Of[Above] += Given;
      OfSubtree[Above] -= Rest - Given;
      Rest -= Given;
    }
    All -= Rest;
  }

private:
  const Graph &Forest;
  Bytes Memory, All = 0;
  Booking By;
  std::vector<Bytes> Of;        ///< each node; outputs of inputs that have ended are among it
  std::vector<Bytes> OfSubtree; ///< of active nodes: what is booked for them and the nodes below
  std::vector<bool> Active;
  std::size_t Moves = 0;
};

class Simulation {
public:
  Simulation(const Graph &Forest, std::span<const Node> Order, std::uint32_t Processors, Bytes Memory, Booking By)
      : Forest(Forest), Order(Order), Booked(Forest, Memory, By), Longest(Forest.size(), 0), Inputs(Forest.size()) {
    for (std::uint32_t Each = 0; Each < std::min<std::size_t>(Processors, Forest.size()); ++Each)
      Idle.push(Each);
    Done.Start.resize(Forest.size());
    Done.Processor.resize(Forest.size());
    const std::vector<Node> &Topological = Forest.topological();
    for (auto Each = Topological.rbegin(); Each != Topological.rend(); ++Each) {
      Inputs[*Each] = Forest.inputs(*Each).size();
      Longest[*Each] = Forest[*Each].Time;
      if (!Forest.consumers(*Each).empty())
        Longest[*Each] += Longest[Forest.consumers(*Each).front()];
    }
  }

  std::optional<TimedSchedule> run(std::size_t MostWork) {
    for (start(); !Running.empty(); start()) {
      Now = Running.goOn([&](Node Ended) { end(Ended); });
      if (Booked.moves() > MostWork)
        return std::nullopt;
    }
    if (Done.Order.size() < Forest.size())
      return std::nullopt;
    Done.Makespan = Now;
    return std::move(Done);
  }

private:
  void start() {
    while (true) {
      while (Next < Order.size() && Booked.activate(Order[Next])) {
        if (Inputs[Order[Next]] == 0)
          Ready.push({-Longest[Order[Next]], Order[Next]});
        ++Next;
      }
      if (Ready.empty() || Idle.empty())
        return;
      const Node Each = Ready.top().Is;
      Ready.pop();
      Done.Order.push_back(Each);
      Done.Start[Each] = Now;
      Done.Processor[Each] = Idle.top();
      Idle.pop();
      Held += Bytes(Forest[Each].Output) + Forest[Each].Work;
      Done.Peak = std::max(Done.Peak, Held);
      if (Forest[Each].Time == 0)
        end(Each);
      else
        Running.start(Each, Now + Forest[Each].Time);
    }
  }

  void end(Node Each) {
    Idle.push(Done.Processor[Each]);
    Held -= Forest[Each].Work;
    for (Node Input : Forest.inputs(Each))
      Held -= Forest[Input].Output;
    Booked.end(Each);
    for (Node Consumer : Forest.consumers(Each))
      if (--Inputs[Consumer] == 0 && Booked.isActive(Consumer))
        Ready.push({-Longest[Consumer], Consumer});
  }

  const Graph &Forest;
  std::span<const Node> Order;
  Bookings Booked;
  std::vector<double> Longest;          ///< from the start of each node to the end of its tree
  std::vector<std::size_t> Inputs;      ///< that have not ended
  std::priority_queue<TimedNode> Ready; ///< the longest way first
  RunningTasks Running;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> Idle;
  std::size_t Next = 0; ///< place of the first node that is not active
  Bytes Held = 0;
  double Now = 0;
  TimedSchedule Done;
};

} // namespace

std::optional<TimedSchedule> bookedSchedule(const Graph &Forest, std::span<const Node> Order, std::uint32_t Processors,
                                            Bytes Memory, Booking By, std::size_t MostWork) {
  return Simulation(Forest, Order, Processors, Memory, By).run(MostWork);
}

} // namespace memshape::scheduling
