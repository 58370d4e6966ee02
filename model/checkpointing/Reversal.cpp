// The cheapest way to reverse a chain.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/checkpointing/Reversal.h"
#include "model/checkpointing/Execution.h"
#include "model/checkpointing/LevelTable.h"
#include "model/checkpointing/Revolve.h"

#include <algorithm>
#include <cstdlib>

namespace memshape::checkpointing {

/// On the one level of the chain, whose slots cost nothing.
static std::vector<Action> revolve(const Chain &C) {
  /// Steps from a state that is current, and stored where more than one step is left.
  struct Part {
    std::int64_t Begin, Steps, Slots;
    bool IsStored, IsCurrent;
  };
  std::vector<Action> Written;
  std::vector<Part> Pending = {{0, C.steps, C.levels.empty() ? 0 : C.levels[0].slots, false, true}};
  while (!Pending.empty()) {
    const Part P = Pending.back();
    Pending.pop_back();
    if (!P.IsCurrent)
      Written.push_back({Do::restore, P.Begin, 0, 0});
    if (P.Steps == 1) {
      if (P.IsStored)
        Written.push_back({Do::discard, P.Begin, 0, 0});
      Written.push_back({Do::backward, P.Begin, 0, 0});
      continue;
    }
    if (!P.IsStored)
      Written.push_back({Do::store, P.Begin, 0, 0});
    const std::int64_t Front = P.Slots > 1 ? revolveSplit(P.Steps, P.Slots) : P.Steps - 1;
    Written.push_back({Do::forward, P.Begin, P.Begin + Front, 0});
    Pending.push_back({P.Begin, Front, P.Slots, true, false});
    Pending.push_back({P.Begin + Front, P.Steps - Front, P.Slots - 1, false, true});
  }
  return Written;
}

/// A level that is never full costs no more, to write and to read; of several such levels that cost the same the first
/// is used.
static bool isNeverBest(const Chain &C, std::size_t Level) {
  const auto &Of = C.levels[Level];
  for (std::size_t I = 0; I != C.levels.size(); ++I)
    if (const auto &Other = C.levels[I];
        I != Level && Other.slots >= C.steps && Other.write <= Of.write && Other.read <= Of.read)
      if (I < Level || Of.slots < C.steps || Other.write < Of.write || Other.read < Of.read)
        return true;
  return false;
}

Outcome reverse(const Chain &C, Reversal &Into) {
  Chain Used = C;
  std::vector<std::size_t> Number; // of the used levels among all
  Used.levels.clear();
  for (std::size_t I = 0; I != C.levels.size(); ++I)
    if (C.levels[I].slots > 0 && !isNeverBest(C, I)) {
      Used.levels.push_back(C.levels[I]);
      Number.push_back(I);
    }
  if (Used.levels.empty() && C.steps > 1)
    return Outcome::NoSlot;
  const bool IsFree =
      Used.levels.size() <= 1 && (Used.levels.empty() || Used.levels[0].write + Used.levels[0].read == 0);
  if (!IsFree && (LevelTable::work(Used) > MostWork || LevelTable::bytes(Used) > MostBytes))
    return Outcome::TooLarge;
  Into = {};
  Into.steps = C.steps;
  Into.levels = C.levels;
  Into.actions = IsFree ? revolve(Used) : LevelTable(Used).actions();
  Execution Run(Used);
  for (Action &A : Into.actions) {
    if (!Run.run(A))
      std::abort(); // a mistake in this room
    if (A.kind != Do::forward && A.kind != Do::backward)
      A.level = Number[A.level];
  }
  Into.recomputed_steps = Run.forwardSteps() - (C.steps - 1);
  Into.cost = Run.cost();
  Into.peak_slots = Run.peakSlots();
  return Outcome::Solved;
}

} // namespace memshape::checkpointing
