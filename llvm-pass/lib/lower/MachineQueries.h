// Questions to the processor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library that adapts its blocks to the caches queries the processor by cpuid. The runner answers instead: it can
// report what was asked, simulate another machine, and it avoids the trap that cpuid causes on virtual machines.

#pragma once

#include "llvm/IR/Module.h"

namespace memshape {

/// Replaces inline assembly that executes cpuid, in the forms of compilers' headers, by calls of the runner. Other
/// forms stay.
void askRunnerForProcessor(llvm::Module &Skeleton);

} // namespace memshape
