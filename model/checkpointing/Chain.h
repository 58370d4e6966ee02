// A chain of steps that is reversed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/include/memshape/checkpointing.h"

namespace memshape::checkpointing {

/// Steps 0 to steps - 1, of which step i takes state i to state i + 1. They are reversed from the last to the first; to
/// reverse step i, state i is needed.
using Chain = v1::ChainRequest;
using Level = v1::ChainLevel;
using Action = v1::ChainAction;
using Do = v1::ChainAction::Kind;
using Reversal = v1::ChainReversal;

} // namespace memshape::checkpointing
