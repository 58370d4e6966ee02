//===- CountedLoops.h - Loops whose iterations are all alike -------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After slicing a loop over traces often is: allocate, free, a thousand million times. Where nothing in an iteration
// depends on which iteration it is, and nothing is remembered from iteration to iteration, the runner may count one
// iteration for all:
//
//   before the loop   turns_begin()
//   end of an iteration     leave the loop when it is over, or when iterations(how many in all) says so
//   after the loop    turns_end()
//
// The runner says so after the first iteration, if that has left live what it found.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_COUNTEDLOOPS_H
#define MEMSHAPE_COUNTEDLOOPS_H

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace memshape {

/// For all loops of M, inner ones first.
void countAlikeIterations(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

} // namespace memshape

#endif // MEMSHAPE_COUNTEDLOOPS_H
