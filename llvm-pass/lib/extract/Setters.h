// Functions whose callers set a variable.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/GlobalVariable.h"

namespace memshape {

/// Functions that code of other units can call, and that write to G. That an operator calls one of them does not tell
/// who else does, with what. G is a variable of one unit, or of
/// one inline function, as the front end made it.
llvm::SmallVector<const llvm::Function *, 2> settersOf(const llvm::GlobalVariable &G);

} // namespace memshape
