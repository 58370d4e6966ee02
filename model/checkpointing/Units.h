// Slots of one level from bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/checkpointing/Chain.h"

namespace memshape::checkpointing {

/// A chain with one level, and slots for its states and tapes, in the place of memory_bytes, state_bytes and tape_bytes.
struct ChainInUnits {
  Chain Of;
  bool IsExact = true; ///< otherwise states and tapes were rounded up to so many slots as a table can have
};

/// A slot is what divides both sizes. All three sizes are 1 or more.
ChainInUnits inUnits(const Chain &Bytes);

} // namespace memshape::checkpointing
