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
  std::vector<Part> Pending = {{0, C.Steps, C.Levels.empty() ? 0 : C.Levels[0].Slots, false, true}};
  while (!Pending.empty()) {
    const Part P = Pending.back();
    Pending.pop_back();
    if (!P.IsCurrent)
      Written.push_back({Do::Restore, P.Begin, 0, 0});
    if (P.Steps == 1) {
      if (P.IsStored)
        Written.push_back({Do::Discard, P.Begin, 0, 0});
      Written.push_back({Do::Backward, P.Begin, 0, 0});
      continue;
    }
    if (!P.IsStored)
      Written.push_back({Do::Store, P.Begin, 0, 0});
    const std::int64_t Front = P.Slots > 1 ? revolveSplit(P.Steps, P.Slots) : P.Steps - 1;
    Written.push_back({Do::Forward, P.Begin, P.Begin + Front, 0});
    Pending.push_back({P.Begin, Front, P.Slots, true, false});
    Pending.push_back({P.Begin + Front, P.Steps - Front, P.Slots - 1, false, true});
  }
  return Written;
}

/// A level that is never full costs no more, to write and to read; of several such levels that cost the same the first
/// is used.
static bool isNeverBest(const Chain &C, std::size_t Level) {
  const auto &Of = C.Levels[Level];
  for (std::size_t I = 0; I != C.Levels.size(); ++I)
    if (const auto &Other = C.Levels[I];
        I != Level && Other.Slots >= C.Steps && Other.Write <= Of.Write && Other.Read <= Of.Read)
      if (I < Level || Of.Slots < C.Steps || Other.Write < Of.Write || Other.Read < Of.Read)
        return true;
  return false;
}

Outcome reverse(const Chain &C, Reversal &Into) {
  Chain Used = C;
  std::vector<std::size_t> Number; // of the used levels among all
  Used.Levels.clear();
  for (std::size_t I = 0; I != C.Levels.size(); ++I)
    if (C.Levels[I].Slots > 0 && !isNeverBest(C, I)) {
      Used.Levels.push_back(C.Levels[I]);
      Number.push_back(I);
    }
  if (Used.Levels.empty() && C.Steps > 1)
    return Outcome::NoSlot;
  const bool IsFree =
      Used.Levels.size() <= 1 && (Used.Levels.empty() || Used.Levels[0].Write + Used.Levels[0].Read == 0);
  if (!IsFree && (LevelTable::work(Used) > MostWork || LevelTable::bytes(Used) > MostBytes))
    return Outcome::TooLarge;
  Into.Actions = IsFree ? revolve(Used) : LevelTable(Used).actions();
  Execution Run(Used);
  for (Action &A : Into.Actions) {
    if (!Run.run(A))
      std::abort(); // a mistake in this room
    if (A.What != Do::Forward && A.What != Do::Backward)
      A.At = Number[A.At];
  }
  Into.RecomputedSteps = Run.forwardSteps() - (C.Steps - 1);
  Into.Cost = Run.cost();
  Into.PeakSlots = Run.peakSlots();
  return Outcome::Solved;
}

} // namespace memshape::checkpointing
