// One level whose slots cost nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/checkpointing/Revolve.h"

#include <algorithm>
#include <limits>

namespace memshape::checkpointing {

/// The longest chain in which no step runs forward more than Repetitions times with that many slots: the binomial
/// (Slots + Repetitions over Slots). Numbers beyond 2^62 count as that.
static std::int64_t longest(std::int64_t Slots, std::int64_t Repetitions) {
  constexpr std::int64_t Most = std::int64_t(1) << 62;
  if (Slots < 0 || Repetitions < 0)
    return 0;
  const std::int64_t Few = std::min(Slots, Repetitions), Many = std::max(Slots, Repetitions);
  __int128 Product = 1;
  for (std::int64_t I = 1; I <= Few; ++I) {
    Product = Product * (Many + I) / I;
    if (Product > Most)
      return Most;
  }
  return std::int64_t(Product);
}

static std::int64_t repetitions(std::int64_t Steps, std::int64_t Slots) {
  std::int64_t Repetitions = 0;
  if (Slots == 1)
    return Steps - 1;
  while (longest(Slots, Repetitions) < Steps)
    ++Repetitions;
  return Repetitions;
}

std::int64_t revolveSteps(std::int64_t Steps, std::int64_t Slots) {
  Slots = std::min(Slots, Steps); // more states than that there are not
  const std::int64_t Repetitions = repetitions(Steps, Slots);
  return Repetitions * Steps - longest(Slots + 1, Repetitions - 1);
}

std::int64_t revolveSplit(std::int64_t Steps, std::int64_t Slots) {
  Slots = std::min(Slots, Steps);
  const std::int64_t Repetitions = repetitions(Steps, Slots);
  // The steps in front have all slots and one repetition less, those behind one slot less.
  const std::int64_t Least = std::max(longest(Slots, Repetitions - 2), Steps - longest(Slots - 1, Repetitions));
  const std::int64_t Most = std::min(longest(Slots, Repetitions - 1), Steps - longest(Slots - 1, Repetitions - 1));
  return std::clamp(Most, std::max<std::int64_t>(Least, 1), Steps - 1);
}

} // namespace memshape::checkpointing
