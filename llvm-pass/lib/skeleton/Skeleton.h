// The allocation skeleton of an operator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What decides an operator's allocations and frees, as a module of its own that can be run at any shape. Each of the
// four builders runs its stages of the list in Stages.cpp, which names them in their order.

#pragma once

#include "memshape/SkeletonKind.h"
#include "skeleton/SkeletonFacts.h"
#include <memory>

namespace llvm {
class PassInstrumentationCallbacks;
}

namespace memshape {

/// How much work the making of a skeleton may be.
struct SlicingLimits {
  unsigned PointerBudget = 1;      ///< times the work of a compilation that pointers may take to be followed
  uint64_t Allowance = UINT64_MAX; ///< work in all, as Effort counts it
  unsigned Reached = 0;            ///< instructions of the operator and of what it reaches, where that is known
};

/// Makes a skeleton of Op, whose module is left as it was. Null when it cannot be made: Facts.Reason says why. Watch is
/// told of each stage, as opt's -print-after wants it; null for nobody.
std::unique_ptr<llvm::Module> buildSkeleton(const Operator &Op, SkeletonKind Kind, SkeletonFacts &Facts,
                                            SlicingLimits Limits = {},
                                            llvm::PassInstrumentationCallbacks *Watch = nullptr);

} // namespace memshape
