// Operators of a front end that has no plugin.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/IR/Module.h"

namespace memshape {

/// Makes operators of the functions of M that MEMSHAPE_OPERATORS in the environment names, or that are annotated. A name
/// that fits no function, though one is called much the same, is warned of.
void addNamedOperators(llvm::Module &M);

} // namespace memshape
