// Calls on what lies outside the process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace memshape {

/// Deletes Call and replaces its result by Result, null for zero. After an invoke, its normal destination follows.
void takeOut(llvm::CallBase &Call, llvm::Value *Result = nullptr);

/// Removes calls whose first argument, by their summary, leads out of the process (Summary::Outside), such as writing
/// to std::cout. The same function on another object stays. Each call's result becomes its first argument.
void removeOutwardCalls(llvm::Module &M);

} // namespace memshape
