// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/scheduling/ParallelPeak.h"
#include "model/scheduling/MaximumClosure.h"

#include <algorithm>

namespace memshape::scheduling {

namespace {

Bytes ownOf(const Graph &Of, Node Each) { return Bytes(Of[Each].Output) + Of[Each].Work; }

/// Each subtree has ended, or its root can run, or neither.
Bytes mostInForest(const Graph &Forest) {
  std::vector<Bytes> Most(Forest.size());
  Bytes Sum = 0;
  for (Node Each : Forest.topological()) {
    Bytes Below = 0;
    for (Node Input : Forest.inputs(Each))
      Below += Most[Input];
    Most[Each] = std::max(Below, Forest.need(Each));
    if (Forest.consumers(Each).empty())
      Sum += Most[Each];
  }
  return Sum;
}

/// Below each node that can run: it has not ended, or it has, and then some consumer keeps it live or all have ended.
Bytes mostInOutForest(const Graph &Forest) {
  std::vector<Bytes> Most(Forest.size()), Ended(Forest.size());
  Bytes Sum = 0;
  const std::vector<Node> &Order = Forest.topological();
  for (auto Each = Order.rbegin(); Each != Order.rend(); ++Each) {
    Bytes AllEnded = 0, Any = 0, Least = -1; // Least: that is lost if one consumer has not ended
    for (Node Consumer : Forest.consumers(*Each)) {
      AllEnded += Ended[Consumer];
      Any += Most[Consumer];
      const Bytes Lost = Most[Consumer] - ownOf(Forest, Consumer);
      Least = Least < 0 ? Lost : std::min(Least, Lost);
    }
    const Bytes Live = Forest[*Each].Output;
    Ended[*Each] = Least < 0 ? Live : std::max(AllEnded, Live + Any - Least);
    Most[*Each] = std::max(ownOf(Forest, *Each), Ended[*Each]);
    if (Forest.inputs(*Each).empty())
      Sum += Most[*Each];
  }
  return Sum;
}

/// Sets of nodes as bits: what comes after each node.
class Descendants {
public:
  explicit Descendants(const Graph &Of) : Words((Of.size() + std::size_t(63)) / 64), Bits(Words * Of.size()) {
    const std::vector<Node> &Order = Of.topological();
    for (auto Each = Order.rbegin(); Each != Order.rend(); ++Each)
      for (Node Later : Of.after(*Each)) {
        Bits[*Each * Words + Later / 64] |= std::uint64_t(1) << (Later % 64);
        for (std::size_t I = 0; I < Words; ++I)
          Bits[*Each * Words + I] |= Bits[Later * Words + I];
      }
  }
  bool operator()(Node Of, Node Later) const { return Bits[Of * Words + Later / 64] >> (Later % 64) & 1; }

private:
  std::size_t Words;
  std::vector<std::uint64_t> Bits;
};

/// An output whose end several consumers decide.
struct Shared {
  Node Of;
  std::vector<Node> Last; ///< consumers that no other consumer comes after
  std::vector<Node> Then; ///< the first nodes that come after all of these
};

/// What a part of the search knows of nodes.
struct Decision {
  Node Of;
  bool Ended;
};

class Search {
public:
  Search(const Graph &Of, std::size_t MostWork) : Of(Of), LastConsumer(Of.size(), None) {
    const Descendants After(Of);
    std::size_t Shares = 0;
    for (Node Each = 0; Each < Of.size(); ++Each) {
      All += (Bytes(Of[Each].Output) + std::max<std::int64_t>(Of[Each].Work, 0)) * 2;
      std::vector<Node> Last;
      for (Node Consumer : Of.consumers(Each))
        if (std::none_of(Of.consumers(Each).begin(), Of.consumers(Each).end(),
                         [&](Node Other) { return After(Consumer, Other); }))
          Last.push_back(Consumer);
      if (Last.size() == 1)
        LastConsumer[Each] = Last.front();
      if (Last.size() < 2 || Of[Each].Output == 0)
        continue;
      const auto Common = [&](Node Later) {
        return std::all_of(Last.begin(), Last.end(), [&](Node Each) { return After(Each, Later); });
      };
      std::vector<Node> Then;
      for (Node Later = 0; Later < Of.size(); ++Later)
        if (Common(Later) && std::none_of(Of.before(Later).begin(), Of.before(Later).end(), Common))
          Then.push_back(Later);
      Shares += Last.size() + Then.size();
      SharedOutputs.push_back({Each, std::move(Last), std::move(Then)});
    }
    OfCut = Of.size() * 2 + Of.edges() + Shares + 1;
    MostCuts = MostWork / OfCut + 1;
  }

  /// No more than Known is not looked for.
  ParallelPeak run(Bytes Known = 0, bool First = false) {
    ParallelPeak Peak = {Known, Known};
    std::vector<Part> Open = {{}};
    Open.front().Bound = All;
    while (!Open.empty()) {
      const Part Now = std::move(Open.back());
      Open.pop_back();
      if (Now.Bound <= Peak.Found)
        continue;
      if (Cuts >= MostCuts) {
        Peak.Bound = std::max(Peak.Bound, Now.Bound);
        continue;
      }
      const Node Free = cut(Now.Known, Peak.Found);
      if (First && Peak.Found > Known)
        return Peak;
      if (Bound <= Peak.Found || Free == None)
        continue;
      // One of the consumers has not ended, the ones before it have; or all have.
      const Shared &Split = SharedOutputs[Free];
      std::vector<Decision> Known = Now.Known;
      for (Node Each : Split.Last) {
        Known.push_back({Each, false});
        Open.push_back({Known, Bound});
        Known.back().Ended = true;
      }
      Open.push_back({std::move(Known), Bound});
    }
    Peak.Bound = std::max(Peak.Bound, Peak.Found);
    return Peak;
  }

  std::size_t work() const { return Cuts * OfCut; }

  /// What has ended in a set that holds what was found, of one that holds more than was known.
  const std::vector<bool> &worst() const { return Worst; }

  /// What has ended in the set of the first cut, which takes some outputs for live that may not be.
  const std::vector<bool> &first() const { return FirstCut; }

  /// The consumers, of which no other comes after, of the greatest output that has several such.
  std::vector<Node> open() const {
    const auto Greatest =
        std::max_element(SharedOutputs.begin(), SharedOutputs.end(), [&](const Shared &Left, const Shared &Right) {
          return Of[Left.Of].Output < Of[Right.Of].Output;
        });
    return Greatest == SharedOutputs.end() ? std::vector<Node>() : Greatest->Last;
  }

private:
  static constexpr Node None = UINT32_MAX;
  struct Part {
    std::vector<Decision> Known;
    Bytes Bound = 0; ///< of the part that it was split from
  };

  /// Sets Bound to what no set that agrees with Known exceeds, and Found to what the cut's set holds if that is more.
  /// Returns the greatest shared output, by its place, that Bound counts as live although all its consumers have ended.
  Node cut(const std::vector<Decision> &Known, Bytes &Found) {
    ++Cuts;
    enum : char { Free, IsEnded, IsNotEnded };
    std::vector<char> State(Of.size(), Free);
    for (const Decision &Each : Known)
      State[Each.Of] = Each.Ended ? IsEnded : IsNotEnded;
    MaximumClosure Most;
    Bytes Sum = 0;
    for (Node Each = 0; Each < Of.size(); ++Each) // ended: no longer ready, but live
      Most.add(-Bytes(Of[Each].Work) + (State[Each] == IsEnded ? All : State[Each] == IsNotEnded ? -All : 0));
    for (Node Each = 0; Each < Of.size(); ++Each) {
      if (Of.before(Each).empty()) {
        Sum += ownOf(Of, Each);
      } else {
        const MaximumClosure::Item Ready = Most.add(ownOf(Of, Each));
        Most.require(Each, Ready);
        for (Node Earlier : Of.before(Each))
          Most.require(Ready, Earlier);
      }
      if (LastConsumer[Each] != None)
        Most.addProfit(LastConsumer[Each], -Bytes(Of[Each].Output));
    }
    std::vector<bool> Decided(SharedOutputs.size(), false); // the bound counts it as it is
    for (std::size_t I = 0; I < SharedOutputs.size(); ++I) {
      const Shared &Each = SharedOutputs[I];
      const bool Live =
          std::any_of(Each.Last.begin(), Each.Last.end(), [&](Node By) { return State[By] == IsNotEnded; });
      const bool Gone = std::all_of(Each.Last.begin(), Each.Last.end(), [&](Node By) { return State[By] == IsEnded; });
      Decided[I] = Live || Gone;
      if (Live)
        continue;
      const MaximumClosure::Item Freed = Most.add(-Bytes(Of[Each.Of].Output));
      for (Node Later : Each.Then)
        Most.require(Later, Freed);
      if (Gone)
        Most.require(Each.Last.front(), Freed);
    }
    const MaximumClosure::Choice Best = Most.best();
    Bound = Sum + Best.Profit;
    for (const Decision &Each : Known) {
      if (Best.Taken[Each.Of] != Each.Ended) {
        Bound = -1; // no set agrees with Known
        return None;
      }
      Bound -= Each.Ended && State[Each.Of] == IsEnded ? All : 0;
      State[Each.Of] = Free; // counted once
    }
    std::vector<bool> Ended(Best.Taken.begin(), Best.Taken.begin() + Of.size());
    if (Cuts == 1)
      FirstCut = Ended;
    if (const Bytes Held = heldAfter(Of, Ended); Held > Found) {
      Found = Held;
      Worst = Ended;
    }
    return overcounted(Ended, Decided);
  }

  Node overcounted(const std::vector<bool> &Ended, const std::vector<bool> &Decided) const {
    Node Greatest = None;
    for (Node I = 0; I < SharedOutputs.size(); ++I) {
      const Shared &Each = SharedOutputs[I];
      if (!Decided[I] && std::all_of(Each.Last.begin(), Each.Last.end(), [&](Node By) { return Ended[By]; }) &&
          std::none_of(Each.Then.begin(), Each.Then.end(), [&](Node Later) { return Ended[Later]; }) &&
          (Greatest == None || Of[Each.Of].Output > Of[SharedOutputs[Greatest].Of].Output))
        Greatest = I;
    }
    return Greatest;
  }

  const Graph &Of;
  std::vector<Node> LastConsumer; ///< that ends after all others; none where there is no such
  std::vector<Shared> SharedOutputs;
  std::vector<bool> Worst, FirstCut;
  Bytes All = 1, Bound = 0;                      ///< All is more than all profits of a cut come to
  std::size_t MostCuts = 0, Cuts = 0, OfCut = 0; ///< OfCut: vertices and arcs of one
};

} // namespace

Bytes heldAfter(const Graph &Of, const std::vector<bool> &Ended) {
  Bytes Held = 0;
  const auto HasEnded = [&](Node Each) { return Ended[Each]; };
  for (Node Each = 0; Each < Of.size(); ++Each) {
    const auto Before = Of.before(Each), Consumers = Of.consumers(Each);
    if (Ended[Each])
      Held += Consumers.empty() || !std::all_of(Consumers.begin(), Consumers.end(), HasEnded) ? Of[Each].Output : 0;
    else if (std::all_of(Before.begin(), Before.end(), HasEnded))
      Held += ownOf(Of, Each);
  }
  return Held;
}

ParallelPeak mostInParallel(const Graph &Of, std::size_t MostWork) {
  if (Of.isInForest() || Of.isOutForest()) {
    const Bytes Most = Of.isInForest() ? mostInForest(Of) : mostInOutForest(Of);
    return {Most, Most};
  }
  return Search(Of, MostWork).run();
}

SetAbove setAbove(const Graph &Of, Bytes Limit, std::size_t MostWork) {
  Search Trying(Of, MostWork);
  const ParallelPeak Peak = Trying.run(Limit, true);
  SetAbove Found;
  Found.Work = Trying.work();
  Found.None = std::max(Peak.Found, Peak.Bound) <= Limit;
  if (Peak.Found > Limit)
    Found.Ended = Trying.worst();
  else if (!Found.None) {
    Found.Doubtful = Trying.first();
    Found.Open = Trying.open();
  }
  return Found;
}

} // namespace memshape::scheduling
