// The operator itself, made fit for the sandbox.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where slicing gives up, the operator can still be executed as it is, on zeros: slow, and one of many possible runs.

#pragma once

#include "skeleton/SkeletonFacts.h"

namespace memshape {

/// Calls of M that no prediction may make - input and output, processes, signals, the network - are taken out: a mark
/// counts them, their result is zero. Functions that no library here defines are treated so when it comes to that.
void confineCalls(llvm::Module &M, SkeletonFacts &Facts);

/// An exception that leaves the operator Root, which Entry calls, leaves the evaluation.
void catchAll(llvm::Function &Entry, const llvm::Function &Root);

} // namespace memshape
