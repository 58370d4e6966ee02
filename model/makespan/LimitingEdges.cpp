// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/makespan/LimitingEdges.h"
#include "model/graph/Graph.h"
#include "model/makespan/ListSchedule.h"
#include "model/scheduling/ParallelPeak.h"

#include <algorithm>

namespace memshape::scheduling {

namespace {

constexpr std::size_t SearchShare = 200; // a search for one set takes no more than this part of the work

/// When nodes run, within the memory.
struct Guide {
  std::vector<Node> Order; ///< by start; one at a time they fit as well
  std::vector<double> Start, End;
};

Guide oneByOne(const Graph &Of, std::span<const Node> Order) {
  Guide Made = {{Order.begin(), Order.end()}, std::vector<double>(Of.size()), std::vector<double>(Of.size())};
  for (std::size_t At = 0; At < Order.size(); ++At) {
    Made.Start[Order[At]] = static_cast<double>(At);
    Made.End[Order[At]] = static_cast<double>(At + 1);
  }
  return Made;
}

/// As many at a time as fit.
Guide sideBySide(const Graph &Of, std::span<const Node> Order, Bytes Memory) {
  TimedSchedule Found = listSchedule(Of, Order, Of.size(), Memory, Priority::LongestPath);
  Guide Made = {std::move(Found.Order), Found.Start, std::move(Found.Start)};
  for (Node Each = 0; Each < Of.size(); ++Each)
    Made.End[Each] += Of[Each].Time;
  return Made;
}

/// Adds edges from nodes of an order to later ones: that never makes a cycle.
class Limiter {
public:
  Limiter(const Graph &Of, const Guide &By, Bytes Memory)
      : Of(Of), By(By), Order(By.Order), Memory(Memory), Place(Of.size()), Before(Of.size()), After(Of.size()),
        Until(Of.size()), From(Of.size()) {
    for (std::size_t At = 0; At < Order.size(); ++At)
      Place[Order[At]] = At;
    for (Node Each = 0; Each < Of.size(); ++Each) {
      Before[Each].assign(Of.before(Each).begin(), Of.before(Each).end());
      After[Each].assign(Of.after(Each).begin(), Of.after(Each).end());
    }
    measure();
  }

  /// Within MostWork vertices and arcs of cuts, or one node after the other.
  void find(std::size_t MostWork) {
    WorkLeft = MostWork;
    MostOfSearch = MostWork / SearchShare;
    while (true) {
      dropImplied(); // most are, after a while, and cuts would count them
      const SetAbove Found = look();
      if (Found.None)
        break;
      if (WorkLeft == 0) {
        inTurn({Order.begin(), Order.end()});
        dropImplied();
        break;
      }
      if (!Found.Ended.empty())
        prevent(Found.Ended);
      else if (const Edge Doubted = along(holders(Found.Doubtful), Found.Doubtful); Doubted.From != Doubted.To)
        addAndMeasure(Doubted);
      else
        inTurn(Found.Open);
    }
  }

  /// Leaves out edges that are not needed, as far as MostWork goes.
  LimitingEdges thinned(std::size_t MostWork) {
    WorkLeft = MostWork;
    dropNeedless();
    const ParallelPeak Most = mostInParallel(*Of.withEdges(Added), MostWork);
    measure();
    return {Added, std::min(Most.Bound, Memory), Longest};
  }

  bool hasEdges() const { return !Added.empty(); }
  bool isBetterThan(const Limiter &Other) const {
    return Longest != Other.Longest ? Longest < Other.Longest : Added.size() < Other.Added.size();
  }

private:
  SetAbove look() {
    SetAbove Found = setAbove(*Of.withEdges(Added), Memory, std::min(WorkLeft, MostOfSearch));
    WorkLeft -= std::min(WorkLeft, Found.Work);
    return Found;
  }

  /// Longest paths: Until each node, and From it to the end, its own time in both.
  void measure() {
    Longest = 0;
    for (Node Each : Order) {
      double Begin = 0;
      for (Node Earlier : Before[Each])
        Begin = std::max(Begin, Until[Earlier]);
      Until[Each] = Begin + Of[Each].Time;
      Longest = std::max(Longest, Until[Each]);
    }
    for (std::size_t At = Order.size(); At-- > 0;) {
      const Node Each = Order[At];
      double Rest = 0;
      for (Node Later : After[Each])
        Rest = std::max(Rest, From[Later]);
      From[Each] = Rest + Of[Each].Time;
    }
  }

  void add(Node Earlier, Node Later) {
    Added.push_back({Earlier, Later});
    After[Earlier].push_back(Later);
    Before[Later].push_back(Earlier);
  }

  void addAndMeasure(const Edge &Each) {
    add(Each.From, Each.To);
    measure();
  }

  void remove(Edge Each) {
    std::erase(After[Each.From], Each.To);
    std::erase(Before[Each.To], Each.From);
  }

  void inTurn(std::vector<Node> Nodes) {
    std::sort(Nodes.begin(), Nodes.end(), [&](Node Left, Node Right) { return Place[Left] < Place[Right]; });
    for (std::size_t I = 1; I < Nodes.size(); ++I)
      if (std::find(After[Nodes[I - 1]].begin(), After[Nodes[I - 1]].end(), Nodes[I]) == After[Nodes[I - 1]].end())
        add(Nodes[I - 1], Nodes[I]);
    measure();
  }

  bool areAll(const std::vector<bool> &Ended, std::span<const Node> Some) const {
    return std::all_of(Some.begin(), Some.end(), [&](Node Each) { return Ended[Each]; });
  }

  /// What makes a set hold as much as it does.
  struct Holders {
    std::vector<Node> Ready, Live; ///< in the order
    Bytes Held = 0;
  };
  Holders holders(const std::vector<bool> &Ended) const {
    Holders Found;
    for (Node Each : Order) {
      const auto Consumers = Of.consumers(Each);
      if (Ended[Each] && (Consumers.empty() || !areAll(Ended, Consumers))) {
        Found.Live.push_back(Each);
        Found.Held += Of[Each].Output;
      } else if (!Ended[Each] && areAll(Ended, Before[Each])) {
        Found.Ready.push_back(Each);
        Found.Held += ownOf(Each);
      }
    }
    return Found;
  }
  Bytes ownOf(Node Each) const { return Bytes(Of[Each].Output) + Of[Each].Work; }

  /// Adds edges until neither the set nor what is left of it holds more than the memory, nor what comes of that where
  /// nodes end as long as more is held then: much cheaper than a cut.
  void prevent(std::vector<bool> Ended) {
    for (Holders Now = holders(Ended); Now.Held > Memory || climbs(Ended, Now); Now = holders(Ended)) {
      if (Now.Held <= Memory)
        continue;
      Edge Best = along(Now, Ended);
      if (Best.From == Best.To) // one at a time the order fits, so that something else comes after the first ready node
        Best = {Now.Ready.front(), Now.Live.empty() || Place[Now.Live.back()] < Place[Now.Ready.back()]
                                       ? Now.Ready.back()
                                       : Now.Live.back()};
      addAndMeasure(Best);
      Ended[Best.To] = false;
      for (std::size_t At = Place[Best.To]; At < Order.size(); ++At)
        if (Ended[Order[At]] && !areAll(Ended, Before[Order[At]]))
          Ended[Order[At]] = false;
    }
  }

  /// Ends nodes that can run as long as more is held then. Whether any did.
  bool climbs(std::vector<bool> &Ended, const Holders &Now) const {
    bool Any = false;
    for (Node Each : Now.Ready) {
      Ended[Each] = true;
      Bytes Gain = -Bytes(Of[Each].Work);
      for (Node Later : After[Each])
        Gain += areAll(Ended, Before[Later]) ? ownOf(Later) : 0;
      for (Node Input : Of.inputs(Each))
        Gain -= areAll(Ended, Of.consumers(Input)) ? Of[Input].Output : 0;
      Ended[Each] = Gain > 0;
      Any |= Gain > 0;
    }
    return Any;
  }

  /// From a node that can run to one that can, or has ended, and begins after its end in the guide. There is one: when
  /// the first of the nodes that can run is about to end in the guide, all of them run there or a later node has begun;
  /// were there no later one, the guide would hold then what the set holds. From a node to itself where there is none:
  /// nodes take no time, or the set holds less.
  Edge along(const Holders &Now, const std::vector<bool> &Ended) const {
    std::vector<Node> Later = Now.Ready;
    Later.insert(Later.end(), Now.Live.begin(), Now.Live.end());
    std::sort(Later.begin(), Later.end(), [&](Node Left, Node Right) { return Place[Left] < Place[Right]; });
    Edge Best;
    double BestPath = -1, BestThrough = 0;
    Bytes BestGain = 0;
    std::vector<Node> Ends = Now.Ready;
    std::sort(Ends.begin(), Ends.end(), [&](Node Left, Node Right) {
      return By.End[Left] != By.End[Right] ? By.End[Left] < By.End[Right] : Place[Left] < Place[Right];
    });
    auto Next = Ends.begin();
    const Node *First = nullptr; // of the ready nodes that have ended in the guide, the one that can end first
    for (Node To : Later) {
      for (; Next != Ends.end() && By.End[*Next] <= By.Start[To] && Place[*Next] < Place[To]; ++Next)
        if (!First || Until[*Next] < Until[*First])
          First = &*Next;
      if (First) {
        const double Through = Until[*First] + From[To], Path = std::max(Through, Longest);
        const Bytes Gain = Ended[To] ? gainOf(To, Ended) : ownOf(To);
        if (BestPath < 0 || Path < BestPath ||
            (Path == BestPath && (Gain > BestGain || (Gain == BestGain && Through < BestThrough)))) {
          Best = {*First, To};
          BestPath = Path;
          BestThrough = Through;
          BestGain = Gain;
        }
      }
    }
    return Best;
  }

  /// What is held less if a node that has ended had not begun, as far as it and its inputs are concerned.
  Bytes gainOf(Node Each, const std::vector<bool> &Ended) const {
    Bytes Gain = Of[Each].Output;
    for (Node Input : Of.inputs(Each))
      if (areAll(Ended, Of.consumers(Input)))
        Gain -= Of[Input].Output;
    return Gain;
  }

  /// Edges that follow from others.
  void dropImplied() {
    std::vector<bool> Reached(Of.size());
    std::erase_if(Added, [&](const Edge &Each) {
      remove(Each);
      std::fill(Reached.begin(), Reached.end(), false);
      Reached[Each.From] = true;
      for (std::size_t At = Place[Each.From]; At <= Place[Each.To]; ++At)
        if (Reached[Order[At]])
          for (Node Later : After[Order[At]])
            Reached[Later] = true;
      if (!Reached[Each.To]) {
        After[Each.From].push_back(Each.To);
        Before[Each.To].push_back(Each.From);
      }
      return bool(Reached[Each.To]);
    });
  }

  /// Edges without which no set holds more than the memory either; those first that are in long paths.
  void dropNeedless() {
    measure();
    std::sort(Added.begin(), Added.end(), [&](const Edge &Left, const Edge &Right) {
      const double Through = Until[Left.From] + From[Left.To], Other = Until[Right.From] + From[Right.To];
      return Through != Other                        ? Through > Other
             : Place[Left.From] != Place[Right.From] ? Place[Left.From] < Place[Right.From]
                                                     : Place[Left.To] < Place[Right.To];
    });
    for (std::size_t I = 0; I < Added.size() && WorkLeft > 0;) {
      const Edge Each = Added[I];
      Added.erase(Added.begin() + static_cast<std::ptrdiff_t>(I));
      if (look().None) {
        remove(Each);
      } else {
        Added.insert(Added.begin() + static_cast<std::ptrdiff_t>(I), Each);
        ++I;
      }
    }
  }

  const Graph &Of;
  const Guide &By;
  std::span<const Node> Order;
  Bytes Memory;
  std::size_t WorkLeft = 0, MostOfSearch = 0;
  std::vector<std::size_t> Place;
  std::vector<std::vector<Node>> Before, After;
  std::vector<Edge> Added;
  std::vector<double> Until, From;
  double Longest = 0;
};

} // namespace

LimitingEdges limitingEdges(const Graph &Of, std::span<const Node> Order, Bytes Memory, std::size_t MostWork) {
  const std::size_t Third = MostWork / 3;
  const Guide One = oneByOne(Of, Order), Timed = sideBySide(Of, Order, Memory);
  Limiter Best(Of, One, Memory), Other(Of, Timed, Memory);
  Best.find(Third);
  if (Best.hasEdges() && peakOf(Of, Timed.Order) <= Memory)
    Other.find(Third);
  return Other.hasEdges() && Other.isBetterThan(Best) ? Other.thinned(Third) : Best.thinned(Third);
}

} // namespace memshape::scheduling
