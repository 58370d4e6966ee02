// Which results depend on how floating-point arithmetic rounds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/IR/Module.h"

namespace memshape {

/// I's result depends on how floating-point arithmetic rounds.
bool mayRound(const llvm::Instruction &I);

/// Arithmetic that the program does while it runs is not done while the skeleton is made, where constants meet that lie
/// in different functions: the caller says how it rounds, and whether denormals are zero. What pragmas let the compiler
/// compute in another order is marked as -ffast-math marks it.
void keepRounding(llvm::Module &M);

} // namespace memshape
