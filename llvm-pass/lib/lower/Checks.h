// Tests that end in a throw or an abort.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shape at which the operator throws has no footprint. Flattened code is full of tests for that, most of them inside
// arithmetic that the slice deletes. Tests that cost the slice nothing are kept: those that control passes anyway, with
// a condition that follows from what is computed anyway. A test of data is assumed to pass.
//
// A test must not control what follows it: otherwise everything after a loop would depend on each test inside. So each
// becomes a call that control passes.
//
//     br %bad, throws, go_on        call memshape_sk_check(%bad)
//   throws:                   ->    br go_on
//     call memshape_sk_leave

#pragma once

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace memshape {

/// Whether Call ends the evaluation where the operator throws or aborts.
bool isThrow(const llvm::CallBase &Call);

/// Replaces the tests in M by calls of the runner's check.
void straightenThrows(llvm::Module &M);

} // namespace memshape
