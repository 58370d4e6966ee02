// What a sequence of actions costs and holds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/checkpointing/Execution.h"

#include <algorithm>

namespace memshape::checkpointing {

Execution::Execution(const Chain &C) : Of(C), Held(C.Levels.size()), Left(C.Steps) {}

bool Execution::store(const Action &A) {
  const Level &At = Of.Levels[A.At];
  if (Current != A.From || std::int64_t(Held[A.At].size()) >= At.Slots || !Held[A.At].insert(A.From).second)
    return false;
  PeakSlots = std::max(PeakSlots, ++Slots);
  Cost += At.Write;
  return true;
}

bool Execution::run(const Action &A) {
  if (A.What != Do::Forward && A.What != Do::Backward && A.At >= Held.size())
    return false;
  switch (A.What) {
  case Do::Forward:
    if (Current != A.From || A.To <= A.From || A.To > Of.Steps)
      return false;
    Current = A.To;
    ForwardSteps += A.To - A.From;
    Cost += Of.Forward * double(A.To - A.From);
    return true;
  case Do::Store:
    return store(A);
  case Do::Restore:
    if (!Held[A.At].contains(A.From))
      return false;
    Current = A.From;
    Cost += Of.Levels[A.At].Read;
    return true;
  case Do::Discard:
    Slots -= std::int64_t(Held[A.At].count(A.From));
    return Held[A.At].erase(A.From) != 0;
  case Do::Backward:
    if (Current != A.From || A.From != Left - 1)
      return false;
    Current.reset();
    --Left;
    Cost += Of.Forward + Of.Backward;
    return true;
  }
  return false;
}

} // namespace memshape::checkpointing
