// How much a skeleton has done.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A prediction must end, and its result must not depend on the load of the machine. So the code itself counts its
// instructions, one loop iteration at a time, and calls the runner when its limit is reached.
//
//     memshape_sk_work -= instructions of an iteration;
//     if (memshape_sk_work < 0)
//       memshape_sk_tired();

#pragma once

#include "llvm/IR/Module.h"

namespace memshape {

/// Counts at the entry of each function, at the head of each loop and before each copy of memory. Does nothing in a
/// module that already counts.
void countWork(llvm::Module &Code);

} // namespace memshape
