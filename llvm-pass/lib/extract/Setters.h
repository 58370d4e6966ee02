// Functions whose callers set a variable.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/GlobalVariable.h"

namespace memshape {

/// Others may call F: by its name, or because they have found its address.
bool isCalledByOthers(const llvm::Function &F);

/// Functions that others may call, and that write to G. That an operator calls one of them does not tell who else does,
/// with what. G is a variable of one unit, or of one inline function, as the front end made it.
llvm::SmallVector<const llvm::Function *, 2> settersOf(const llvm::GlobalVariable &G);

} // namespace memshape
