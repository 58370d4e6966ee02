//===- DownSetSearch.cpp --------------------------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/scheduling/DownSetSearch.h"

#include <algorithm>
#include <optional>
#include <queue>
#include <unordered_set>

namespace memshape::scheduling {

namespace {

using Word = DownSets::Word;
using StateNumber = std::uint32_t;
constexpr StateNumber None = UINT32_MAX;

/// How a set was reached: the nodes that ran after those of the set before, in their order.
struct State {
  Bytes Live = 0;
  StateNumber Before = None;
  std::uint32_t FirstRan = 0, EndRan = 0; ///< in Sets::Ran
};

/// Sets that were reached, each once.
class Sets {
public:
  explicit Sets(const DownSets &Of) : Of(Of), Known(64, Hash{this}, Same{this}) {}

  /// Nothing where the set is known.
  std::optional<StateNumber> add(const std::vector<Word> &Set, Bytes Live, StateNumber Before,
                                 const std::vector<Node> &Nodes) {
    Words.insert(Words.end(), Set.begin(), Set.end());
    const auto Number = static_cast<StateNumber>(States.size());
    States.push_back({Live, Before, static_cast<std::uint32_t>(Ran.size()), 0});
    if (!Known.insert(Number).second) {
      States.pop_back();
      Words.resize(Words.size() - Set.size());
      return std::nullopt;
    }
    Ran.insert(Ran.end(), Nodes.begin(), Nodes.end());
    States.back().EndRan = static_cast<std::uint32_t>(Ran.size());
    return Number;
  }

  const Word *words(StateNumber Number) const { return &Words[Number * Of.words()]; }
  const State &operator[](StateNumber Number) const { return States[Number]; }
  std::size_t size() const { return States.size(); }

  std::vector<Node> orderTo(StateNumber Number) const {
    std::vector<Node> Order;
    for (; Number != None; Number = States[Number].Before)
      for (std::uint32_t I = States[Number].EndRan; I > States[Number].FirstRan; --I)
        Order.push_back(Ran[I - 1]);
    std::reverse(Order.begin(), Order.end());
    return Order;
  }

private:
  struct Hash {
    const Sets *In;
    std::size_t operator()(StateNumber Number) const { return In->Of.hash(In->words(Number)); }
  };
  struct Same {
    const Sets *In;
    bool operator()(StateNumber Left, StateNumber Right) const {
      return std::equal(In->words(Left), In->words(Left) + In->Of.words(), In->words(Right));
    }
  };

  const DownSets &Of;
  std::vector<Word> Words;
  std::vector<State> States;
  std::vector<Node> Ran;
  std::unordered_set<StateNumber, Hash, Same> Known;
};

/// Visits sets with a threshold that rises from the lower bound: within it every reachable set is visited.
class Search {
public:
  Search(const Graph &Of, Bytes Below, Bytes Lower, std::size_t MostWork)
      : Lattice(Of), Reached(Lattice), Below(Below), Threshold(Lower),
        MostLooks(MostWork / (Of.size() * Lattice.words() + Of.edges() + 1) + 1), Set(Lattice.words()) {}

  SearchResult run() {
    reach(std::vector<Word>(Lattice.words(), 0), 0, None, {});
    SearchResult Result;
    while (Goal == None && (!Open.empty() || !Blocked.empty())) {
      if (Looks >= MostLooks) {
        Result.LowerBound = Threshold;
        return Result;
      }
      if (Open.empty()) {
        Threshold = Blocked.top().Needs;
        for (; !Blocked.empty() && Blocked.top().Needs <= Threshold; Blocked.pop())
          Open.push_back(Blocked.top().Of);
        continue;
      }
      const StateNumber Now = Open.back();
      Open.pop_back();
      expand(Now);
    }
    Result.Ended = true;
    Result.LowerBound = Goal == None ? Below : Threshold;
    if (Goal != None)
      Result.Order = Reached.orderTo(Goal);
    return Result;
  }

private:
  struct Waiting {
    Bytes Needs;
    StateNumber Of;
    bool operator<(const Waiting &Other) const { return Needs > Other.Needs; }
  };

  void reach(std::vector<Word> At, Bytes Live, StateNumber Before, std::vector<Node> Nodes) {
    Bytes Peak = 0;
    Looks += 2;
    Lattice.runFreeSteps(At.data(), Live, Threshold, Peak, &Nodes);
    const std::optional<StateNumber> Number = Reached.add(At, Live, Before, Nodes);
    if (!Number)
      return;
    Open.push_back(*Number);
    if (Lattice.isFull(At.data()))
      Goal = *Number;
  }

  void expand(StateNumber Now) {
    ++Looks;
    const Bytes Live = Reached[Now].Live;
    std::copy_n(Reached.words(Now), Set.size(), Set.begin());
    Lattice.steps(Set.data(), Steps);
    std::sort(Steps.begin(), Steps.end(), [](const DownSets::Step &Left, const DownSets::Step &Right) {
      return Left.Leaves > Right.Leaves; // the last one is visited first
    });
    Bytes Least = Below; // of the steps beyond the threshold
    const std::vector<DownSets::Step> Next = Steps;
    for (const DownSets::Step &Each : Next) {
      const Bytes Held = Live + Each.Needs;
      if (Held > Threshold) {
        Least = std::min(Least, Held);
        continue;
      }
      std::vector<Word> After = Set;
      DownSets::insert(After.data(), Each.Of);
      reach(std::move(After), Live + Each.Leaves, Now, {Each.Of});
      if (Goal != None)
        return;
    }
    if (Least < Below)
      Blocked.push({Least, Now});
  }

  DownSets Lattice;
  Sets Reached;
  Bytes Below, Threshold;
  std::size_t MostLooks, Looks = 0; ///< at what can run after a set
  std::vector<Word> Set;
  std::vector<DownSets::Step> Steps;
  std::vector<StateNumber> Open;
  std::priority_queue<Waiting> Blocked;
  StateNumber Goal = None;
};

struct BeamEntry {
  Bytes Peak = 0, Live = 0;
  StateNumber State = None;
  bool operator<(const BeamEntry &Other) const { return Peak != Other.Peak ? Peak < Other.Peak : Live < Other.Live; }
};

} // namespace

SearchResult searchDownSets(const Graph &Of, Bytes Known, Bytes Lower, std::size_t MostWork) {
  if (Known <= Lower)
    return {{}, Lower, true};
  return Search(Of, Known, Lower, MostWork).run();
}

std::vector<Node> beamOrder(const Graph &Of, Bytes Lower, std::size_t Width) {
  const DownSets Lattice(Of);
  Sets Reached(Lattice);
  std::vector<std::vector<BeamEntry>> After(Of.size() + std::size_t(1)); // by the number of ended nodes
  std::vector<DownSets::Step> Steps;
  const auto Reach = [&](std::vector<Word> At, BeamEntry From, StateNumber Before, std::vector<Node> Nodes,
                         std::size_t Count) {
    const std::size_t Chosen = Nodes.size();
    Lattice.runFreeSteps(At.data(), From.Live, std::max(From.Peak, Lower), From.Peak, &Nodes);
    // The same set with a greater peak came before it only if it was reached by fewer steps at a time; that is rare.
    if (const std::optional<StateNumber> Number = Reached.add(At, From.Live, Before, Nodes))
      After[Count + Nodes.size() - Chosen].push_back({From.Peak, From.Live, *Number});
  };
  Reach(std::vector<Word>(Lattice.words(), 0), {}, None, {}, 0);
  struct Candidate {
    BeamEntry Entry;
    Node Next;
    bool operator<(const Candidate &Other) const { return Entry < Other.Entry; }
  };
  for (std::size_t Count = 0; Count < Of.size(); ++Count) {
    std::vector<BeamEntry> &Here = After[Count];
    std::sort(Here.begin(), Here.end());
    if (Here.size() > Width)
      Here.resize(Width);
    std::vector<Candidate> Candidates;
    for (const BeamEntry &Each : Here) {
      Lattice.steps(Reached.words(Each.State), Steps);
      for (const DownSets::Step &Step : Steps)
        Candidates.push_back(
            {{std::max(Each.Peak, Each.Live + Step.Needs), Each.Live + Step.Leaves, Each.State}, Step.Of});
    }
    std::sort(Candidates.begin(), Candidates.end());
    if (Candidates.size() > 2 * Width)
      Candidates.resize(2 * Width);
    for (const Candidate &Each : Candidates) {
      const Word *Words = Reached.words(Each.Entry.State);
      std::vector<Word> At(Words, Words + Lattice.words());
      DownSets::insert(At.data(), Each.Next);
      Reach(std::move(At), Each.Entry, Each.Entry.State, {Each.Next}, Count + 1);
    }
    Here = {};
  }
  const std::vector<BeamEntry> &Full = After.back();
  return Reached.orderTo(std::min_element(Full.begin(), Full.end())->State);
}

} // namespace memshape::scheduling
