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
  static_assert(int(checkpoint::Do::rewind) == int(Do::rewind), "the same kinds in the same order");
  std::vector<Action> Written;
  for (checkpoint::Action A; From.next(A);)
    Written.push_back({Do(A.what), A.from, A.to, A.level});
  return Written;
}

static checkpoint::Sizes sizesOf(const Chain &C) { return {C.state_slots, C.tape_slots}; }

static std::vector<Action> leastOnLevels(const Chain &C) {
  std::vector<checkpoint::Level> Levels;
  for (const Level &Each : C.levels)
    Levels.push_back({Each.slots, Each.write, Each.read});
  return actionsOf(checkpoint::Levels(C.steps, Levels, C.forward, sizesOf(C)));
}

/// A level that is never full costs no more, to write and to read; of several such levels that cost the same the first
/// is used.
static bool isNeverBest(const Chain &C, std::size_t Level) {
  const auto &Of = C.levels[Level];
  const std::int64_t All = C.steps * sizesOf(C).largest();
  for (std::size_t I = 0; I != C.levels.size(); ++I)
    if (const auto &Other = C.levels[I];
        I != Level && Other.slots >= All && Other.write <= Of.write && Other.read <= Of.read)
      if (I < Level || Of.slots < All || Other.write < Of.write || Other.read < Of.read)
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
  if (!checkpoint::Levels::fit(C.steps, Used.levels, sizesOf(C)))
    return Outcome::NoSlot;
  const bool IsFree = C.tape_slots == 0 && Used.levels.size() <= 1 &&
                      (Used.levels.empty() || Used.levels[0].write + Used.levels[0].read == 0);
  Into = {};
  Into.steps = C.steps;
  Into.levels = C.levels;
  try {
    Into.actions =
        IsFree ? actionsOf(checkpoint::Revolve(C.steps, Used.levels.empty() ? 0 : Used.levels[0].slots / C.state_slots))
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
  Into.recomputed_steps = Run.forwardSteps() - (C.tape_slots == 0 ? C.steps - 1 : 0);
  Into.cost = Run.cost();
  Into.peak_slots = Run.peakSlots();
  if (C.tape_slots > 0)
    Into.peak_tapes = Run.peakTapes();
  return Outcome::Solved;
}

} // namespace memshape::checkpointing
