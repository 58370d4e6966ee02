// Tests that each iteration of a loop makes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The slice drops loops that only compute, and with them the checks inside. Where the number of iterations can be
// computed, and the condition of a check follows the loop's counter, it is known in front of the loop whether any
// iteration fails it:
//
//     for i from 0 to n - 1                 check(n - 1 >= size)
//       check(i >= size)             ->     for i from 0 to n - 1
//       ...                                   ...
//
// A check of what no iteration changes moves even where that number is not known, if each run of the loop comes to it.

#pragma once

#include "llvm/IR/PassManager.h"

namespace memshape {

/// Moves calls of the runner's check out of the loops of M.
void moveChecksOutOfLoops(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

} // namespace memshape
