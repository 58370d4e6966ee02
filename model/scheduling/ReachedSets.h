// Sets that a search has reached.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/scheduling/DownSets.h"

#include <algorithm>
#include <optional>

namespace memshape::scheduling {

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
  std::size_t size() const { return States.size(); }

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

} // namespace memshape::scheduling
