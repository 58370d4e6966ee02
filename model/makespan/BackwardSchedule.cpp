// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/makespan/BackwardSchedule.h"
#include "model/graph/Graph.h"
#include "model/makespan/Ranges.h"
#include "model/makespan/RunningTasks.h"

#include <queue>
#include <set>

namespace memshape::scheduling {

namespace {

constexpr int MostTries = 16;

Bytes inputsOf(const Graph &Forest, Node Each) { return Forest.need(Each) - Forest[Each].Output - Forest[Each].Work; }

/// Starts and ends back in time: a node holds its output and its work, and from its start on its inputs, until they end.
class Simulation {
public:
  struct Event {
    Node Of;
    bool Starts;
  };

  /// Held: while each node of Order runs alone, in Order.
  Simulation(const Graph &Forest, std::span<const Node> Order, const std::vector<Bytes> &Held, std::uint32_t Processors,
             Bytes Memory)
      : Forest(Forest), Order(Order), Memory(Memory), Rest(Held), Place(Forest.size()), Idle(Processors) {
    for (std::size_t At = 0; At < Order.size(); ++At) {
      Place[Order[At]] = At;
      if (Forest.consumers(Order[At]).empty()) {
        Ready.insert(At);
        Now += Forest[Order[At]].Output;
      }
    }
    Log.reserve(2 * Order.size());
  }

  double run() {
    double Time = 0;
    for (placeWhatFits(Time); Log.size() < 2 * Order.size(); placeWhatFits(Time))
      if (!Running.empty())
        Time = Running.goOn([&](Node Ended) { end(Ended); });
    return Time;
  }

  const std::vector<Event> &log() const { return Log; }

private:
  void placeWhatFits(double Time) {
    int Refused = 0;
    for (auto Each = Ready.rbegin(); Each != Ready.rend() && Idle > 0 && Refused < MostTries;) {
      const std::size_t At = *Each;
      if (!start(At, Time)) {
        ++Refused;
        ++Each;
        continue;
      }
      // A node that takes no time ends before others start: nodes become ready, and memory becomes free.
      Each = Forest[Order[At]].Time == 0 ? Ready.rbegin() : std::make_reverse_iterator(Ready.lower_bound(At));
    }
  }

  bool start(std::size_t At, double Time) {
    const Node Each = Order[At];
    const Bytes Inputs = inputsOf(Forest, Each), Needs = Inputs + Forest[Each].Work;
    if (Now + Needs > Memory)
      return false;
    // Nodes of the rest that come after it, back in time, will find its inputs instead of its output.
    Rest.add(At, At + 1, -Beyond);
    Rest.add(At + 1, Order.size(), Inputs - Forest[Each].Output);
    if (Rest.most() > Memory) {
      Rest.add(At + 1, Order.size(), Forest[Each].Output - Inputs);
      Rest.add(At, At + 1, Beyond);
      return false;
    }
    Ready.erase(At);
    Now += Needs;
    --Idle;
    Log.push_back({Each, true});
    if (Forest[Each].Time == 0)
      end(Each);
    else
      Running.start(Each, Time + Forest[Each].Time);
    return true;
  }

  void end(Node Each) {
    ++Idle;
    Now -= Bytes(Forest[Each].Output) + Forest[Each].Work;
    Log.push_back({Each, false});
    for (Node Input : Forest.inputs(Each))
      Ready.insert(Place[Input]);
  }

  const Graph &Forest;
  std::span<const Node> Order;
  Bytes Memory, Now = 0; ///< Now: what is held
  Ranges Rest;           ///< what each node of Order that has not started holds when the rest runs one by one
  std::vector<std::size_t> Place;
  std::set<std::size_t> Ready; ///< places
  RunningTasks Running;
  std::uint32_t Idle;
  std::vector<Event> Log;
};

/// Times, processors and what is held, forward.
TimedSchedule forward(const Graph &Forest, const std::vector<Simulation::Event> &Log, std::uint32_t Processors) {
  TimedSchedule Done;
  Done.Start.resize(Forest.size());
  Done.Processor.resize(Forest.size());
  // What ends in the log before a node starts has ended before it. Other nodes may have ended, too; none starts before it
  // does in the log. So no more is held, and no more nodes run, than there.
  for (auto Each = Log.rbegin(); Each != Log.rend(); ++Each) {
    if (Each->Starts) {
      Done.Makespan = std::max(Done.Makespan, Done.Start[Each->Of] + Forest[Each->Of].Time);
    } else {
      Done.Start[Each->Of] = Done.Makespan;
      Done.Order.push_back(Each->Of);
    }
  }
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> Idle;
  for (std::uint32_t Each = 0; Each < std::min<std::size_t>(Processors, Forest.size()); ++Each)
    Idle.push(Each);
  RunningTasks Running;
  Bytes Held = 0;
  const auto End = [&](Node Each) {
    Idle.push(Done.Processor[Each]);
    Held -= inputsOf(Forest, Each) + Forest[Each].Work;
  };
  for (Node Each : Done.Order) {
    while (!Running.empty() && Running.next() <= Done.Start[Each])
      Running.goOn(End);
    Done.Processor[Each] = Idle.top();
    Idle.pop();
    Held += Bytes(Forest[Each].Output) + Forest[Each].Work;
    Done.Peak = std::max(Done.Peak, Held);
    if (Forest[Each].Time == 0)
      End(Each);
    else
      Running.start(Each, Done.Start[Each] + Forest[Each].Time);
  }
  return Done;
}

template <class Use>
auto simulated(const Graph &Forest, std::span<const Node> Order, std::uint32_t Processors, Bytes Memory, Use &&Of)
    -> std::optional<decltype(Of(std::declval<Simulation &>()))> {
  Memory = std::min(Memory, Beyond / 2);
  const std::vector<Bytes> Held = graph::heldDuring(Forest, Order);
  if (!Held.empty() && *std::max_element(Held.begin(), Held.end()) > Memory)
    return std::nullopt;
  Simulation Runs(Forest, Order, Held, Processors, Memory);
  return Of(Runs);
}

} // namespace

std::optional<double> backwardMakespan(const Graph &Forest, std::span<const Node> Order, std::uint32_t Processors,
                                       Bytes Memory) {
  return simulated(Forest, Order, Processors, Memory, [](Simulation &Runs) { return Runs.run(); });
}

std::optional<TimedSchedule> backwardSchedule(const Graph &Forest, std::span<const Node> Order,
                                              std::uint32_t Processors, Bytes Memory) {
  return simulated(Forest, Order, Processors, Memory, [&](Simulation &Runs) {
    Runs.run();
    return forward(Forest, Runs.log(), Processors);
  });
}

} // namespace memshape::scheduling
