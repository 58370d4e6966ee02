// setjmp and longjmp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     if (setjmp(out) == 0) work(); else clean();        becomes        work();
//     longjmp(out, 1);                                    becomes        the evaluation ends, for reason "caught"
//
// Jumps are treated like exceptions that are caught: the path without a jump is sliced, and a shape at which a jump
// happens is reported. Without setjmp, a jump leaves the operator as a throw does.

#pragma once

#include "llvm/IR/Module.h"

namespace memshape {

/// Lowers the jumps of a module that is to be sliced.
void lowerJumps(llvm::Module &M);

} // namespace memshape
