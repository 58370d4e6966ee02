// The cheapest way to reverse a chain.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/checkpointing/Reversal.h"
#include "memshape/checkpoint/levels.h"
#include "memshape/checkpoint/revolve.h"
#include "model/checkpointing/Execution.h"

#include <cstdlib>
#include <stdexcept>

namespace memshape::checkpointing {

template <class Schedule> static std::vector<Action> actionsOf(Schedule &&From) {
  static_assert(int(checkpoint::Do::backward) == int(Do::backward), "the same kinds in the same order");
  std::vector<Action> Written;
  for (checkpoint::Action A; From.next(A);)
    Written.push_back({Do(A.what), A.from, A.to, A.level});
  return Written;
}

static std::vector<Action> leastOnLevels(const Chain &C) {
  std::vector<checkpoint::Level> Levels;
  for (const Level &Each : C.levels)
    Levels.push_back({Each.slots, Each.write, Each.read});
  return actionsOf(checkpoint::Levels(C.steps, Levels, C.forward));
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
  Into = {};
  Into.steps = C.steps;
  Into.levels = C.levels;
  try {
    Into.actions = IsFree ? actionsOf(checkpoint::Revolve(C.steps, Used.levels.empty() ? 0 : Used.levels[0].slots))
                          : leastOnLevels(Used);
  } catch (const std::length_error &) {
    return Outcome::TooLarge;
  }
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
