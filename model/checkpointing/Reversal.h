// The cheapest way to reverse a chain.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/checkpointing/Chain.h"

namespace memshape::checkpointing {

enum class Outcome { Solved, NoSlot, TooLarge };

/// Comparisons, of which each takes some nanoseconds, and bytes of the table.
inline constexpr double MostWork = 4e9, MostBytes = 1e9;

/// The least cost over all sequences of actions. NoSlot: the initial state can be stored nowhere. TooLarge: exact costs
/// would take more than MostWork comparisons or MostBytes. Levels that cost nothing, one at most, are solved at any size.
Outcome reverse(const Chain &C, Reversal &Into);

} // namespace memshape::checkpointing
