// Which states are known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of states by their fingerprints, in one open-addressing array: a fingerprint is already a hash, and a state
// needs no allocation of its own.

#pragma once

#include "runner/states/StateHash.h"

#include <utility>
#include <vector>

namespace memshape {

class StateTable {
public:
  /// The number kept for a state; the caller sets it if the state is new. Valid until the next call.
  std::pair<std::uint32_t *, bool> find(const StateHash::Value &State) {
    if ((Used + 1) * 2 > Entries.size())
      grow();
    Entry &Found = Entries[placeOf(State)];
    const bool New = !Found.Taken;
    if (New) {
      Found = {State, 0, true};
      ++Used;
    }
    return {&Found.Number, New};
  }
  std::size_t size() const { return Used; }

private:
  struct Entry {
    StateHash::Value State = {};
    std::uint32_t Number = 0;
    bool Taken = false;
  };

  /// The index of the state, or of the free entry where it would go.
  std::size_t placeOf(const StateHash::Value &State) const {
    std::size_t At = State.First & (Entries.size() - 1);
    while (Entries[At].Taken && !(Entries[At].State == State))
      At = (At + 1) & (Entries.size() - 1);
    return At;
  }

  void grow() {
    std::vector<Entry> Before(Entries.empty() ? 1024 : Entries.size() * 2);
    Before.swap(Entries);
    for (const Entry &Each : Before)
      if (Each.Taken)
        Entries[placeOf(Each.State)] = Each;
  }

  std::vector<Entry> Entries; ///< a power of two, at most half of them taken
  std::size_t Used = 0;
};

} // namespace memshape
