// Calls that end half-way, or stand still while others run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A caller may catch what the operator throws, or jump to where it came from. Then variables that outlive the call hold
// what the call had stored by then:
//
//     busy = 1;              busy = 1;
//     if (x[0] < 0)          memshape_sk_may_end();
//       throw Negative();    if (x[0] < 0)
//     busy = 0;                throw Negative();
//                            busy = 0;
//
// By these marks the runner can end a call there, and see what later ones do. Each stands behind the last store in front
// of an end: between two stores without an end, no call ends.
//
// Another call may come in between as well: of another thread, where this one writes atomically, or takes or gives back
// a lock, or of a function that the program has passed or set. It finds what it would find if this one had ended there.

#pragma once

#include "llvm/IR/Module.h"

namespace memshape {

/// Marks these places in M.
void markEnds(llvm::Module &M);

} // namespace memshape
