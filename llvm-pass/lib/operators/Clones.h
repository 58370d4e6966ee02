// Functions compiled for several processors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __attribute__((target_clones("avx2", "default"))) makes a function's name an ifunc, and clones its body for each
// processor; the program chooses one when it starts. All compute the same, so the default one stands for all. An ifunc
// with a user's own resolver is different: it chooses among functions that may differ.

#pragma once

#include "llvm/IR/Module.h"

namespace memshape {

/// The clones that Chooser chooses from, the default one first; none if they were not made from one body.
llvm::SmallVector<llvm::Function *, 4> clonesOf(const llvm::GlobalIFunc &Chooser);

} // namespace memshape
