// What a sequence of actions costs and holds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/checkpointing/Chain.h"

#include <optional>
#include <set>

namespace memshape::checkpointing {

/// Runs actions on paper: each may only do what the state before it allows.
class Execution {
public:
  explicit Execution(const Chain &C);

  /// False where the action is not possible now; then nothing has changed.
  bool run(const Action &A);

  /// All steps are reversed.
  bool isDone() const { return Left == 0; }

  double cost() const { return Cost; }
  std::int64_t forwardSteps() const { return ForwardSteps; } ///< taped ones left out
  std::int64_t peakSlots() const { return PeakSlots; }       ///< taken at once, on all levels
  std::int64_t peakTapes() const { return PeakTapes; }       ///< held at once

private:
  bool store(const Action &A);
  bool tape(const Action &A);
  bool rewind(const Action &A);
  bool take(std::size_t Level, std::int64_t Size); ///< slots

  const Chain &Of;
  std::vector<std::set<std::int64_t>> Held, Tapes; ///< states and steps by level
  std::vector<std::int64_t> Used;                  ///< slots by level
  std::optional<std::int64_t> Current = 0;
  std::int64_t Left, ForwardSteps = 0, Slots = 0, PeakSlots = 0, Kept = 0, PeakTapes = 0;
  double Cost = 0;
};

} // namespace memshape::checkpointing
