//===- Ceiling.h - What an operator can need at most, whatever data is ----===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An upper bound by counting, for operators whose runs nobody can follow: tables of chains, lists, buckets, exceptions.
// For each call that allocates
//
//     the greatest size, times the most blocks of it that live at a time
//
// (ShapeRanges.h, Lifetimes.h); the sum over those that live together is the bound. Amortised: in a loop of n
// iterations a call makes no more than n blocks, whichever iterations data picks.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_CEILING_H
#define MEMSHAPE_CEILING_H

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include <string>

namespace memshape {

class PointsTo;
class ModRefIndex;

/// Calls that throw, and those that make exceptions, become allocations of what these take: before functions are
/// inlined.
void lowerExceptions(llvm::Module &M);

/// Deletes what F does on ways from which it never returns; what it catches stays.
void dropWaysWithoutReturn(llvm::Function &F);

/// A function like F that allocates one block, of the bytes that F's blocks take at most at any time in any call. Null
/// where there is no such bound: then Why says which place has none.
llvm::Function *buildCeiling(llvm::Function &F, const PointsTo &Memory, ModRefIndex &Accesses,
                             llvm::FunctionAnalysisManager &FAM, std::string &Why);

} // namespace memshape

#endif // MEMSHAPE_CEILING_H
