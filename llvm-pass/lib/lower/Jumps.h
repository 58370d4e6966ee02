//===- Jumps.h - setjmp and longjmp ---------------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     if (setjmp(out) == 0) work(); else clean();        becomes        work();
//     longjmp(out, 1);                                    becomes        the evaluation ends, for reason "caught"
//
// A jump is followed no more than an exception that is caught: the way without one is sliced, and where a shape jumps
// it says so. Without setjmp a jump leaves the operator, as a throw does.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_JUMPS_H
#define MEMSHAPE_JUMPS_H

#include "llvm/IR/Module.h"

namespace memshape {

/// Lowers the jumps of a module that is to be sliced.
void lowerJumps(llvm::Module &M);

} // namespace memshape

#endif // MEMSHAPE_JUMPS_H
