//===- Lower.h - Allocations become runner calls, exceptions vanish -------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_LOWER_H
#define MEMSHAPE_LOWER_H

#include "llvm/IR/Module.h"

namespace memshape {

/// Replaces allocation calls by calls of the runner, with the sizes that reach the heap (operator new(0) asks for one
/// byte, aligned operator new for a multiple of the alignment), and memshape_data by its mark.
void lowerAllocations(llvm::Module &M);

/// Replaces calls that execute a plan, once the slice is made. Each allocates alike: the runner computes once and
/// counts ever after.
void lowerRepeats(llvm::Module &M);

/// Takes out what lowerAllocations put in to tell the classes of objects that libraries build: they do so themselves,
/// and need not let others have their tables.
void forgetClasses(llvm::Module &M);

/// Iterations invokes into calls and deletes every block from which F cannot return: an operator that throws or aborts
/// has no footprint to predict.
void dropExceptionalPaths(llvm::Function &F);

/// Ends the evaluation before I, with the given reason of memshape/SkeletonAbi.h.
void leaveBefore(llvm::Instruction *I, uint32_t Reason);

/// Before that: a test of the shape at F's start that ends in a throw or an abort stays, as a call of the runner's
/// leave, so that a shape which the operator refuses is refused here too. Only tests that are plain arithmetic on
/// arguments.
void keepShapeChecks(llvm::Function &F);

} // namespace memshape

#endif // MEMSHAPE_LOWER_H
