// The cheapest way to reverse a chain.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/checkpointing/Reversal.h"
#include "memshape/checkpoint/levels.h"
#include "memshape/checkpoint/revolve.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
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

ChainInUnits inUnits(const Chain &Bytes) {
  constexpr std::uint64_t MostSlots = 2000;
  const std::uint64_t State = Bytes.state_bytes, Tape = Bytes.tape_bytes, Largest = std::max(State, Tape);
  const auto Steps = static_cast<std::uint64_t>(Bytes.steps);
  // No more is ever held.
  const std::uint64_t All = Largest > UINT64_MAX / Steps ? UINT64_MAX : Largest * Steps;
  const std::uint64_t Memory = std::min(Bytes.memory_bytes, All), Divisor = std::gcd(State, Tape);
  ChainInUnits Made = {Bytes};
  Made.IsExact = Memory / Divisor <= MostSlots;
  const std::uint64_t Unit = Memory / Divisor <= MostSlots ? Divisor : Memory / MostSlots + 1, Slots = Memory / Unit;
  // What fits alone still does.
  const auto SlotsOf = [&](std::uint64_t Size) {
    const std::uint64_t RoundedUp = Size / Unit + (Size % Unit != 0);
    return static_cast<std::int64_t>(Size <= Memory ? std::min(RoundedUp, Slots) : Slots + 1);
  };
  Made.Of.state_slots = SlotsOf(State);
  Made.Of.tape_slots = SlotsOf(Tape);
  Made.Of.levels = {{"ram", static_cast<std::int64_t>(Slots), 0, 0}};
  return Made;
}

Execution::Execution(const Chain &C)
    : Of(C), Held(C.levels.size()), Tapes(C.levels.size()), Used(C.levels.size()), Left(C.steps) {}

bool Execution::take(std::size_t Level, std::int64_t Size) {
  if (Size > Of.levels[Level].slots - Used[Level])
    return false;
  Used[Level] += Size;
  Slots += Size;
  PeakSlots = std::max(PeakSlots, Slots);
  return true;
}

bool Execution::store(const Action &A) {
  if (Current != A.from || Held[A.level].contains(A.from) || !take(A.level, Of.state_slots))
    return false;
  Held[A.level].insert(A.from);
  Cost += Of.levels[A.level].write;
  return true;
}

bool Execution::tape(const Action &A) {
  if (Current != A.from || A.from >= Left || Of.tape_slots == 0 || !take(A.level, Of.tape_slots))
    return false;
  Tapes[A.level].insert(A.from);
  PeakTapes = std::max(PeakTapes, ++Kept);
  Current = A.from + 1;
  Cost += Of.forward + Of.levels[A.level].write * double(Of.tape_slots) / double(Of.state_slots);
  return true;
}

bool Execution::rewind(const Action &A) {
  if (A.from != Left - 1 || Tapes[A.level].erase(A.from) == 0)
    return false;
  Used[A.level] -= Of.tape_slots;
  Slots -= Of.tape_slots;
  --Kept;
  Current.reset();
  --Left;
  Cost += Of.backward + Of.levels[A.level].read * double(Of.tape_slots) / double(Of.state_slots);
  return true;
}

bool Execution::run(const Action &A) {
  if (A.kind != Do::forward && A.kind != Do::backward && A.level >= Held.size())
    return false;
  switch (A.kind) {
  case Do::forward:
    if (Current != A.from || A.to <= A.from || A.to > Of.steps)
      return false;
    Current = A.to;
    ForwardSteps += A.to - A.from;
    Cost += Of.forward * double(A.to - A.from);
    return true;
  case Do::store: return store(A);
  case Do::restore:
    if (!Held[A.level].contains(A.from))
      return false;
    Current = A.from;
    Cost += Of.levels[A.level].read;
    return true;
  case Do::discard:
    if (Held[A.level].erase(A.from) == 0)
      return false;
    Used[A.level] -= Of.state_slots;
    Slots -= Of.state_slots;
    return true;
  case Do::backward:
    if (Current != A.from || A.from != Left - 1)
      return false;
    Current.reset();
    --Left;
    Cost += Of.forward + Of.backward;
    return true;
  case Do::tape: return tape(A);
  case Do::rewind: return rewind(A);
  }
  return false;
}

} // namespace memshape::checkpointing
