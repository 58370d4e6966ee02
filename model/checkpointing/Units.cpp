// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/checkpointing/Units.h"

#include <algorithm>
#include <numeric>

namespace memshape::checkpointing {

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

} // namespace memshape::checkpointing
