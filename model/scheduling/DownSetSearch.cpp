// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/scheduling/DownSetSearch.h"
#include "model/scheduling/DownSets.h"

#include <algorithm>
#include <optional>
#include <queue>

namespace memshape::scheduling {

namespace {

/// Sets, each once, and how they were reached.
class ReachedSets {
public:
  using Word = DownSets::Word;
  using Number = std::uint32_t;
  static constexpr Number None = UINT32_MAX;

  explicit ReachedSets(const DownSets &Of) : Of(Of), Slots(64, None) {}

  /// Nodes: what was put into the set after those of Before, in their order. Nothing where the set is known.
  std::optional<Number> add(const Word *Set, Bytes Live, Number Before, const std::vector<Node> &Nodes) {
    std::size_t Slot = slotOf(Set);
    if (Slots[Slot] != None)
      return std::nullopt;
    const auto Now = static_cast<Number>(States.size());
    Slots[Slot] = Now;
    Words.insert(Words.end(), Set, Set + 2 * Of.words());
    Ran.insert(Ran.end(), Nodes.begin(), Nodes.end());
    States.push_back({Live, Before, Ran.size()});
    if (States.size() * 2 > Slots.size()) {
      Slots.assign(Slots.size() * 2, None);
      for (Number Each = 0; Each < States.size(); ++Each)
        Slots[slotOf(words(Each))] = Each;
    }
    return Now;
  }

  /// Of DownSets: two times words().
  const Word *words(Number Which) const { return &Words[Which * 2 * Of.words()]; }
  Bytes live(Number Which) const { return States[Which].Live; }

  std::vector<Node> orderTo(Number Which) const {
    std::vector<Node> Order;
    for (; Which != None; Which = States[Which].Before)
      for (std::size_t I = States[Which].EndRan; I > (Which ? States[Which - 1].EndRan : 0); --I)
        Order.push_back(Ran[I - 1]);
    std::reverse(Order.begin(), Order.end());
    return Order;
  }

private:
  struct State {
    Bytes Live = 0;
    Number Before = None;
    std::size_t EndRan = 0; ///< in Ran, where those of the next state begin
  };

  /// Where the set is, or would be.
  std::size_t slotOf(const Word *Set) const {
    std::size_t Slot = Of.hash(Set) & (Slots.size() - 1);
    while (Slots[Slot] != None && !std::equal(Set, Set + Of.words(), words(Slots[Slot])))
      Slot = (Slot + 1) & (Slots.size() - 1);
    return Slot;
  }

  const DownSets &Of;
  std::vector<Word> Words;
  std::vector<State> States;
  std::vector<Node> Ran;
  std::vector<Number> Slots; ///< a hash table, open, of twice the sets or more
};

using Word = DownSets::Word;
using StateNumber = ReachedSets::Number;
constexpr StateNumber None = ReachedSets::None;

std::size_t workOfSteps(const DownSets &Of, const std::vector<DownSets::Step> &Found) {
  return Of.words() + 2 * Found.size();
}

std::size_t workOfReaching(const DownSets &Of, const std::vector<Node> &Ran) { return 8 * Of.words() + 4 * Ran.size(); }

/// From the beginning to the end.
std::vector<Node> orderOf(const ReachedSets &Reached, StateNumber Full, Direction Going) {
  std::vector<Node> Order = Reached.orderTo(Full);
  if (Going == Direction::Backward)
    std::reverse(Order.begin(), Order.end());
  return Order;
}

/// Searches from one end, within a threshold that rises: every set that can be reached within it is visited.
class Side {
public:
  Side(const Graph &Of, Direction Going, Bytes Threshold)
      : Going(Going), Lattice(Of, Going), Reached(Lattice), Threshold(Threshold), Set(Lattice.empty()) {
    reach(Lattice.liveAtFirst() + 1, Lattice.liveAtFirst(), None);
  }

  bool isFull() const { return Goal != None; }
  /// No set is left to visit within the threshold: no order keeps it.
  bool isExhausted() const { return Open.empty(); }
  /// Of an exhausted side, the least threshold within which there is more to visit.
  Bytes next() const { return Blocked.top().Needs; }
  std::size_t work() const { return Work; }

  void raise(Bytes To) {
    Threshold = To;
    for (; !Blocked.empty() && Blocked.top().Needs <= Threshold; Blocked.pop())
      Open.push_back(Blocked.top().Of);
  }

  /// Visits one set, of a side that is not exhausted.
  void visit() {
    const StateNumber Now = Open.back();
    Open.pop_back();
    const Bytes Live = Reached.live(Now);
    Lattice.steps(Reached.words(Now), Steps);
    Work += workOfSteps(Lattice, Steps);
    // One that became free when the threshold rose.
    const auto Free = std::find_if(Steps.begin(), Steps.end(), [&](const DownSets::Step &Each) {
      return Each.Leaves <= 0 && Live + Each.Needs <= Threshold;
    });
    if (Free != Steps.end()) {
      std::swap(*Free, Steps.front());
      Steps.resize(1);
    }
    std::sort(Steps.begin(), Steps.end(), [](const DownSets::Step &Left, const DownSets::Step &Right) {
      return Left.Leaves > Right.Leaves; // the last one is visited first
    });
    std::optional<Bytes> Least; // of the steps beyond the threshold
    for (const DownSets::Step &Each : Steps) {
      const Bytes Held = Live + Each.Needs;
      if (Held > Threshold) {
        Least = Least ? std::min(*Least, Held) : Held;
        continue;
      }
      Set.assign(Reached.words(Now), Reached.words(Now) + 2 * Lattice.words());
      Lattice.insert(Set.data(), Each.Of);
      Ran.assign(1, Each.Of);
      reach(Live, Live + Each.Leaves, Now);
      if (isFull())
        return;
    }
    if (Least)
      Blocked.push({*Least, Now});
  }

  /// Of a side that is full.
  std::vector<Node> order() const { return orderOf(Reached, Goal, Going); }

private:
  struct Waiting {
    Bytes Needs;
    StateNumber Of;
    bool operator<(const Waiting &Other) const { return Needs > Other.Needs; }
  };

  /// Set, which Ran made out of that of Before, where Closed was live.
  void reach(Bytes Closed, Bytes Live, StateNumber Before) {
    Bytes Peak = 0;
    Lattice.runFreeSteps(Set.data(), Closed, Live, Threshold, Peak, Ran);
    Work += workOfReaching(Lattice, Ran);
    const std::optional<StateNumber> Number = Reached.add(Set.data(), Live, Before, Ran);
    if (!Number)
      return;
    Open.push_back(*Number);
    if (Lattice.isFull(Set.data()))
      Goal = *Number;
  }

  Direction Going;
  DownSets Lattice;
  ReachedSets Reached;
  Bytes Threshold;
  std::size_t Work = 0;
  std::vector<Word> Set;
  std::vector<Node> Ran;
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
  Side Forward(Of, Direction::Forward, Lower), Backward(Of, Direction::Backward, Lower);
  Bytes Threshold = Lower;
  while (Threshold < Known) {
    Side &Now = Forward.work() <= Backward.work() ? Forward : Backward;
    if (Now.isFull())
      return {Now.order(), Threshold, true};
    if (Now.isExhausted()) {
      Threshold = Now.next();
      Forward.raise(Threshold);
      Backward.raise(Threshold);
    } else if (Forward.work() + Backward.work() >= MostWork) {
      return {{}, Threshold, false};
    } else {
      Now.visit();
    }
  }
  return {{}, Known, true};
}

BeamResult beamOrder(const Graph &Of, Direction Going, Bytes Target, std::size_t Width) {
  const DownSets Lattice(Of, Going);
  ReachedSets Reached(Lattice);
  BeamResult Result;
  std::vector<std::vector<BeamEntry>> After(Of.size() + std::size_t(1)); // by the number of nodes
  std::vector<DownSets::Step> Steps;
  std::vector<Word> Set = Lattice.empty();
  std::vector<Node> Ran;
  const auto Reach = [&](Bytes Closed, BeamEntry From, StateNumber Before, std::size_t Count) {
    Lattice.runFreeSteps(Set.data(), Closed, From.Live, From.Peak, From.Peak, Ran);
    Result.Work += workOfReaching(Lattice, Ran);
    // The same set with a greater peak came before it only if it was reached by fewer steps at a time; that is rare.
    if (const std::optional<StateNumber> Number = Reached.add(Set.data(), From.Live, Before, Ran))
      After[Count + Ran.size()].push_back({From.Peak, From.Live, *Number});
  };
  Reach(Lattice.liveAtFirst() + 1, {Target, Lattice.liveAtFirst(), None}, None, 0);
  struct Candidate {
    BeamEntry Entry;
    Node Next;
    Bytes Closed; ///< as free steps want it
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
      Result.Work += workOfSteps(Lattice, Steps);
      for (const DownSets::Step &Step : Steps) {
        const Bytes Peak = std::max(Each.Peak, Each.Live + Step.Needs), Live = Each.Live + Step.Leaves;
        Candidates.push_back({{Peak, Live, Each.State}, Step.Of, Peak > Each.Peak ? Live + 1 : Each.Live});
      }
    }
    std::sort(Candidates.begin(), Candidates.end());
    if (Candidates.size() > 2 * Width)
      Candidates.resize(2 * Width);
    for (const Candidate &Each : Candidates) {
      const Word *Words = Reached.words(Each.Entry.State);
      Set.assign(Words, Words + 2 * Lattice.words());
      Ran.assign(1, Each.Next);
      Lattice.insert(Set.data(), Each.Next);
      Reach(Each.Closed, Each.Entry, Each.Entry.State, Count);
    }
    Here = {};
  }
  const std::vector<BeamEntry> &Full = After.back();
  Result.Order = orderOf(Reached, std::min_element(Full.begin(), Full.end())->State, Going);
  return Result;
}

} // namespace memshape::scheduling
