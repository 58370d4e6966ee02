// Variables that only grow.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The capacity of a kept buffer - a number, or the distance of two pointers, as in a vector - is compared with what is
// needed, and raised to at least that if it is too small. Whatever other calls need, a capacity that was sufficient
// stays sufficient. If every test finds it so, nothing depends on what the variables hold.
//
// This is proven by regarding the operator as a function from what its variables hold before a call to what they hold
// after it.

#pragma once

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace memshape {

class Simplifier;

struct GrowingVariables {
  /// A test whether a capacity is too small for the shape. After any call at this shape it is not.
  struct Test {
    llvm::BranchInst *Branch;
    unsigned TooSmall; ///< the successor that is taken if it is too small
    const llvm::GlobalVariable *Of;
  };
  llvm::SmallVector<Test, 4> Tests;
  /// Reads of variables that have no effect if no test finds a capacity too small.
  llvm::DenseSet<const llvm::Instruction *> Settled;
};

/// Finds the growing variables of Root, which must be the only function that uses them.
GrowingVariables findGrowingVariables(llvm::Function &Root, Simplifier &Simplify);

} // namespace memshape
