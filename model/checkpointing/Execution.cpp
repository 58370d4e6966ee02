// What a sequence of actions costs and holds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/checkpointing/Execution.h"

#include <algorithm>

namespace memshape::checkpointing {

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
