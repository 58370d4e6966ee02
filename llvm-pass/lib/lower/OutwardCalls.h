//===- OutwardCalls.h - Calls on what lies outside the process -*- C++ -*-===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_OUTWARDCALLS_H
#define MEMSHAPE_OUTWARDCALLS_H

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace memshape {

/// Deletes Call; what it would have returned is Result, null for zero. An invoke goes on to where it would have
/// returned.
void takeOut(llvm::CallBase &Call, llvm::Value *Result = nullptr);

/// Takes out calls whose first argument is, by their summary, a way out of the process (Summary::Outside), such as
/// writing to std::cout: the same function on another object stays. Each seems to return its first argument.
void removeOutwardCalls(llvm::Module &M);

} // namespace memshape

#endif // MEMSHAPE_OUTWARDCALLS_H
