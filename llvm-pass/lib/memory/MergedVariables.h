// Variables that the optimiser has made one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy from one variable of a function to another goes where both can be one. In units of clang 21 and older each
// access keeps the type that it had: what was written as float and is read as int looks as if it were somewhere else.

#pragma once

#include "llvm/IR/Module.h"

namespace memshape {

/// Takes the types from all accesses to a variable some bytes of which are accessed under different types.
void dropTypesOfMerged(llvm::Module &M);

} // namespace memshape
