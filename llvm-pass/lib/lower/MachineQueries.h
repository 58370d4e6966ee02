//===- MachineQueries.h - Questions to the processor ----------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library that fits its blocks to the caches asks the processor by an instruction. The runner answers instead: it can
// name what was asked, give the sizes of another machine, and saves the trap that the instruction is on virtual ones.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_MACHINEQUERIES_H
#define MEMSHAPE_MACHINEQUERIES_H

#include "llvm/IR/Module.h"

namespace memshape {

/// Replaces assembly that executes cpuid, in the forms of compilers' headers, by calls of the runner. Other forms stay.
void askRunnerForProcessor(llvm::Module &Skeleton);

} // namespace memshape

#endif // MEMSHAPE_MACHINEQUERIES_H
