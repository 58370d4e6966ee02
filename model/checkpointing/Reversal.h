// The cheapest way to reverse a chain.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/checkpointing/Chain.h"

namespace memshape::checkpointing {

enum class Outcome { Solved, NoSlot, TooLarge };

/// The least cost over all sequences of actions, by what programs include to reverse a chain. NoSlot: the initial state
/// can be stored nowhere. TooLarge: Levels refuses the table. Levels that cost nothing, one at most, are solved at any
/// size.
Outcome reverse(const Chain &C, Reversal &Into);

} // namespace memshape::checkpointing
