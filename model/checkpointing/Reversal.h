// The cheapest way to reverse a chain.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/include/memshape/checkpointing.h"

#include <optional>
#include <set>

namespace memshape::checkpointing {

/// Steps 0 to steps - 1, of which step i takes state i to state i + 1. They are reversed from the last to the first; to
/// reverse step i, state i is needed.
using Chain = v1::ChainRequest;
using Level = v1::ChainLevel;
using Action = v1::ChainAction;
using Do = v1::ChainAction::Kind;
using Reversal = v1::ChainReversal;

enum class Outcome { Solved, NoSlot, TooLarge };

/// The least cost over all sequences of actions, by what programs include to reverse a chain. NoSlot: the initial state
/// can be stored nowhere. TooLarge: Levels refuses the table. Levels that cost nothing, one at most, are solved at any
/// size.
Outcome reverse(const Chain &C, Reversal &Into);

/// A chain with one level, and slots for its states and tapes, in the place of memory_bytes, state_bytes and tape_bytes.
struct ChainInUnits {
  Chain Of;
  bool IsExact = true; ///< otherwise states and tapes were rounded up to so many slots as a table can have
};

/// A slot is what divides both sizes. All three sizes are 1 or more.
ChainInUnits inUnits(const Chain &Bytes);

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
