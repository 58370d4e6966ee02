// Which values are live at a decision.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/IR/Function.h"

namespace memshape {

/// Makes each decision in Root pass the values that are live after it, and each call of Root declare its variables. The
/// runner then sees when two runs are in the same state. Only the skeleton's entry may call Root; decisions in other
/// functions are unchanged. The module must not be changed afterwards.
void exposeStates(llvm::Function &Root);

} // namespace memshape
