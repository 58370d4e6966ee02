// Allocations become runner calls, exceptions vanish.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/IR/Module.h"

namespace memshape {

/// Replaces allocation calls by calls of the runner, with the sizes that reach the heap (operator new(0) requests one
/// byte, aligned operator new a multiple of the alignment). Replaces memshape_data by its mark.
void lowerAllocations(llvm::Module &M);

/// Replaces calls that execute a plan, once the slice is made. Each call allocates the same, so the runner executes the
/// first one and counts the others.
void lowerRepeats(llvm::Module &M);

/// Removes the stores by which lowerAllocations showed the classes of objects that libraries construct: the libraries
/// do this themselves, and may not export their virtual tables.
void forgetClasses(llvm::Module &M);

/// Turns invokes into calls and deletes every block from which F cannot return: an operator that throws or aborts has
/// no footprint to predict.
void dropExceptionalPaths(llvm::Function &F);

/// Ends the evaluation before I, with the given reason of memshape/SkeletonAbi.h.
void leaveBefore(llvm::Instruction *I, uint32_t Reason);

/// Runs before dropExceptionalPaths. A test of the shape at F's start that ends in a throw or an abort is kept as a
/// call of the runner's leave, so that a shape which the operator refuses is refused here, too. Only tests that are
/// plain arithmetic on arguments.
void keepShapeChecks(llvm::Function &F);

/// Takes sums of two distances apart, which simplification has made of differences of sums:
///     list.insert(list.end(), x, x + n)         (x + n + finish) - (x + start)
/// is (x + n - x) + (finish - start) again, of which each is a distance within one object.
void separateDistances(llvm::Module &M);

} // namespace memshape
