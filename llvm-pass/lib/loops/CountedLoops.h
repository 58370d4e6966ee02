//===- CountedLoops.h - Loops whose turns are all alike -------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After slicing a loop over traces often is: allocate, free, a thousand million times. Where nothing in a turn depends
// on which turn it is, and nothing is remembered from turn to turn, the runner may count one turn for all:
//
//   before the loop   turns_begin()
//   end of a turn     leave the loop when it is over, or when turns(how many in all) says so
//   after the loop    turns_end()
//
// The runner says so after the first turn, if that has left live what it found.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_COUNTEDLOOPS_H
#define MEMSHAPE_COUNTEDLOOPS_H

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace memshape {

/// For all loops of M, inner ones first.
void countAlikeTurns(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

} // namespace memshape

#endif // MEMSHAPE_COUNTEDLOOPS_H
