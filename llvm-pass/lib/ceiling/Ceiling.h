// What an operator can need at most, whatever data is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An upper bound by counting, for operators whose runs are too many to follow: tables of chains, lists, buckets,
// exceptions. For each call that allocates, it takes
//
//     the greatest size, times the most blocks of it that are live at one time
//
// (ShapeRanges.h, Lifetimes.h). The bound is the sum over calls whose blocks are live together. Counts are amortised:
// in a loop of n iterations a call makes at most n blocks, whichever iterations data picks.

#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include <string>

namespace memshape {

class PointsTo;
class ModRefIndex;

/// Replaces calls that throw or make exceptions by allocations of what these take. Runs before functions are inlined.
void lowerExceptions(llvm::Module &M);

/// Deletes blocks of F from which it never returns; catching of exceptions stays.
void dropWaysWithoutReturn(llvm::Function &F);

/// A function like F that allocates one block, of the most bytes that F's blocks hold at any time in any call. Null if
/// there is no such bound: Why then names the place without one.
llvm::Function *buildCeiling(llvm::Function &F, const PointsTo &Memory, ModRefIndex &Accesses,
                             llvm::FunctionAnalysisManager &FAM, std::string &Why);

} // namespace memshape
