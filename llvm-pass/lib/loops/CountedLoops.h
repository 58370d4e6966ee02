// Loops whose iterations are all alike.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After slicing, a loop over traces often only allocates and frees, perhaps 10^9 times. If nothing in an iteration
// depends on which iteration it is, and no value is carried from one to the next, the runner may run one iteration and
// count it for all:
//
//     before the loop          turns_begin()
//     end of an iteration      leave the loop when it is over, or when turns(trip count) returns 1
//     after the loop           turns_end()
//
// turns() returns 1 after the first iteration, if that has left live what it found.

#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace memshape {

/// For all loops of M, inner ones first.
void countAlikeIterations(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

} // namespace memshape
