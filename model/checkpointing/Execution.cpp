// What a sequence of actions costs and holds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/checkpointing/Execution.h"

#include <algorithm>

namespace memshape::checkpointing {

Execution::Execution(const Chain &C) : Of(C), Held(C.levels.size()), Left(C.steps) {}

bool Execution::store(const Action &A) {
  const Level &At = Of.levels[A.level];
  if (Current != A.from || std::int64_t(Held[A.level].size()) >= At.slots || !Held[A.level].insert(A.from).second)
    return false;
  PeakSlots = std::max(PeakSlots, ++Slots);
  Cost += At.write;
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
  case Do::store:
    return store(A);
  case Do::restore:
    if (!Held[A.level].contains(A.from))
      return false;
    Current = A.from;
    Cost += Of.levels[A.level].read;
    return true;
  case Do::discard:
    Slots -= std::int64_t(Held[A.level].count(A.from));
    return Held[A.level].erase(A.from) != 0;
  case Do::backward:
    if (Current != A.from || A.from != Left - 1)
      return false;
    Current.reset();
    --Left;
    Cost += Of.forward + Of.backward;
    return true;
  }
  return false;
}

} // namespace memshape::checkpointing
