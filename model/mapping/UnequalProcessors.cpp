// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/mapping/UnequalProcessors.h"
#include "model/makespan/ListSchedule.h"
#include "model/mapping/TreeMapping.h"

#include <algorithm>
#include <limits>

namespace memshape::scheduling {

namespace {

constexpr double Never = std::numeric_limits<double>::infinity();

/// Nodes one after the other in an order, each behind all that its processor runs already.
class Placement {
public:
  Placement(const Graph &Of, std::span<const UnequalProcessor> Processors)
      : Of(Of), Processors(Processors), Kept(Processors.size(), 0), Leaving(Processors.size()),
        Free(Processors.size(), 0), Waiting(Of.size()) {
    for (Node Each = 0; Each < Of.size(); ++Each)
      Waiting[Each] = Of.consumers(Each).size();
    Done.On.resize(Of.size());
    Done.Start.resize(Of.size());
    Done.End.resize(Of.size());
    Done.PeakOfEach.resize(Processors.size());
  }

  /// Only: the one processor that may run them.
  bool place(Node Each, std::optional<std::uint32_t> Only) {
    double Best = Never, Start = 0;
    std::uint32_t Chosen = 0;
    for (std::uint32_t On = 0; On < Processors.size(); ++On)
      if (!Only || On == *Only)
        if (const double At = earliest(Each, On); At + timeOn(Each, On) < Best) {
          Best = At + timeOn(Each, On);
          Start = At;
          Chosen = On;
        }
    if (Best == Never)
      return false;
    run(Each, Chosen, Start);
    return true;
  }

  PlacedGraph done() {
    setPeaks();
    Done.sortByStart();
    return std::move(Done);
  }

private:
  double timeOn(Node Each, std::uint32_t On) const { return Of[Each].Time / Processors[On].Speed; }

  /// Its output and its work, and copies of inputs that lie elsewhere, if it runs there.
  Bytes needOn(Node Each, std::uint32_t On) {
    Done.On[Each] = {On, 1};
    return Bytes(Of[Each].Output) + workOn(Of, Done.On, Each) + copiesOf(Of, Done.On, Each);
  }

  /// The first time from which on it fits there; Never where it never does.
  double earliest(Node Each, std::uint32_t On) {
    double At = Free[On];
    for (Node Input : Of.inputs(Each))
      At = std::max(At, Done.End[Input]);
    const Bytes Room = Processors[On].Memory - needOn(Each, On);
    Bytes Held = Kept[On];
    if (Held > Room)
      return Never;
    std::vector<std::pair<double, Bytes>> Later;
    for (const auto &[Time, Size] : Leaving[On])
      if (Time > At) {
        Held += Size;
        Later.push_back({Time, Size});
      }
    std::sort(Later.begin(), Later.end());
    for (auto Next = Later.begin(); Held > Room; ++Next) {
      At = Next->first;
      Held -= Next->second;
    }
    return At;
  }

  void run(Node Each, std::uint32_t On, double Start) {
    std::erase_if(Leaving[On], [&](const auto &Other) { return Other.first <= Start; });
    if (Of[Each].Time == 0) { // what it holds is seen here alone
      Bytes Held = Kept[On] + needOn(Each, On);
      for (const auto &[Time, Size] : Leaving[On])
        Held += Size;
      Done.PeakOfEach[On] = std::max(Done.PeakOfEach[On], Held);
    }
    Done.On[Each] = {On, 1};
    Done.Start[Each] = Start;
    Free[On] = Done.End[Each] = Start + timeOn(Each, On);
    Done.Makespan = std::max(Done.Makespan, Done.End[Each]);
    Done.Order.push_back(Each);
    Kept[On] += Of[Each].Output;
    for (Node Input : Of.inputs(Each))
      if (--Waiting[Input] == 0) {
        const std::uint32_t There = Done.On[Input].First;
        Kept[There] -= Of[Input].Output;
        Leaving[There].push_back({leaves(Input), Of[Input].Output});
      }
  }

  /// The end of the last consumer.
  double leaves(Node Output) const {
    double Last = 0;
    for (Node Reader : Of.consumers(Output))
      Last = std::max(Last, Done.End[Reader]);
    return Last;
  }

  /// Of each processor and of all: starts, and ends of works and of outputs, in time. At one instant ends come first.
  void setPeaks() {
    struct Change {
      double Time;
      Bytes Size; ///< less than 0 where something leaves
      std::uint32_t On;
      bool operator<(const Change &Other) const { return Time != Other.Time ? Time < Other.Time : Size < Other.Size; }
    };
    std::vector<Change> Changes;
    for (Node Each = 0; Each < Of.size(); ++Each) {
      const std::uint32_t On = Done.On[Each].First;
      const Bytes Beside = needOn(Each, On) - Of[Each].Output;
      Changes.push_back({Done.Start[Each], Beside + Of[Each].Output, On});
      Changes.push_back({Done.End[Each], -Beside, On});
      if (Waiting[Each] == 0 && !Of.consumers(Each).empty())
        Changes.push_back({leaves(Each), -Bytes(Of[Each].Output), On});
    }
    std::sort(Changes.begin(), Changes.end());
    std::vector<Bytes> Now(Processors.size(), 0);
    Bytes Together = 0;
    for (const Change &Each : Changes) {
      Done.PeakOfEach[Each.On] = std::max(Done.PeakOfEach[Each.On], Now[Each.On] += Each.Size);
      Done.Peak = std::max(Done.Peak, Together += Each.Size);
    }
    for (Bytes Each : Done.PeakOfEach)
      Done.Peak = std::max(Done.Peak, Each);
  }

  const Graph &Of;
  std::span<const UnequalProcessor> Processors;
  std::vector<Bytes> Kept; ///< on each processor: of outputs that wait for consumers, or stay
  std::vector<std::vector<std::pair<double, Bytes>>> Leaving; ///< and of the others, with the times when they leave
  std::vector<double> Free;                                   ///< when a processor has ended all that it runs
  std::vector<std::size_t> Waiting;                           ///< consumers that are not placed
  PlacedGraph Done;
};

/// Longest path to the end first.
std::vector<Node> byLongestPath(const Graph &Of) {
  const std::vector<double> Longest = longestPaths(Of);
  std::vector<Node> Sorted = Of.topological();
  std::stable_sort(Sorted.begin(), Sorted.end(), [&](Node A, Node B) { return Longest[A] > Longest[B]; });
  return Sorted;
}

} // namespace

Bytes copiesOf(const Graph &Of, std::span<const ProcessorRange> On, Node Each) {
  Bytes Copies = 0;
  for (Node Input : Of.inputs(Each))
    if (On[Input] != On[Each])
      Copies += Of[Input].Output;
  return Copies;
}

std::optional<PlacedGraph> placeUnequally(const Graph &Of, std::span<const Node> Order, Bytes LeastPeak,
                                          std::span<const UnequalProcessor> Processors) {
  std::optional<PlacedGraph> Best;
  const auto Try = [&](std::span<const Node> Nodes, std::optional<std::uint32_t> Only, const char *Method) {
    Placement Now(Of, Processors);
    for (Node Each : Nodes)
      if (!Now.place(Each, Only))
        return;
    PlacedGraph Found = Now.done();
    if (Best && Best->Makespan <= Found.Makespan)
      return;
    Best = std::move(Found);
    Best->Method = Method;
  };
  Try(byLongestPath(Of), std::nullopt, "heft-longest-path");
  Try(Order, std::nullopt, "heft-in-order");
  std::optional<std::uint32_t> Fastest;
  for (std::uint32_t Each = 0; Each < Processors.size(); ++Each)
    if (Processors[Each].Memory >= LeastPeak && (!Fastest || Processors[Each].Speed > Processors[*Fastest].Speed))
      Fastest = Each;
  if (Fastest)
    Try(Order, Fastest, "one-processor");
  return Best;
}

} // namespace memshape::scheduling
