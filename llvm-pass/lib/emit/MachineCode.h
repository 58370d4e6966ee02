//===- MachineCode.h - A skeleton as machine code -------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler that made the program also compiles its skeletons, so that a prediction only has to place code in
// memory: starting a code generator takes longer than all the rest of a prediction.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_MACHINECODE_H
#define MEMSHAPE_MACHINECODE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

namespace memshape {

/// A relocatable object of the skeleton, trimmed first. Empty where the runner would not place it (other machines than
/// x86-64) or where the code generator has something to complain about; the bitcode then has to do.
llvm::SmallVector<char, 0> machineCode(llvm::Module &Skeleton);

} // namespace memshape

#endif // MEMSHAPE_MACHINECODE_H
