// Types of the data that a Fortran procedure works on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// flang's types tell a procedure's arguments from its variables. That holds in one call of the procedure: what is a
// variable there may be an argument of the next call, in a recursion as elsewhere. What they tell of descriptors, which
// are no data, holds everywhere.

#pragma once

#include "llvm/IR/Module.h"

namespace memshape {

/// Leaves of the types of data in M, which has all calls in one, that they are data.
void joinDataTypes(llvm::Module &M);

} // namespace memshape
