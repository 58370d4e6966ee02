// A skeleton as machine code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler of the program also compiles its skeletons, so that a prediction only has to place code in memory:
// starting a code generator takes longer than all the rest of a prediction.

#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

namespace memshape {

/// A relocatable object of the skeleton, which is trimmed first. Empty if the runner would not place it (machines other
/// than x86-64) or if code generation fails; the runner then compiles the bitcode.
llvm::SmallVector<char, 0> machineCode(llvm::Module &Skeleton);

} // namespace memshape
