// What part of a block is written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A page that nobody writes takes no memory, however much was requested. So in front of each write that the operator
// makes stands a mark, memshape_sk_touch, with the range that the write covers in all iterations of the loops around
// it. The mark says no more than the write does, and is weak: it keeps nothing alive (see Slice::keepMarks). A block
// all of whose writers are marked in the end is announced; every other one counts whole as soon as it is allocated.

#pragma once

#include "memory/ModRefIndex.h"
#include "memory/PointsTo.h"
#include "llvm/IR/PassManager.h"

namespace memshape {

/// Puts a mark in front of every write of M through a pointer, and announces all blocks.
void markWrites(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

/// Puts memshape_sk_taint in front of every write of M that taints, wherever it goes to: outside all loops that can do
/// without, and in front of branches on what IsData.
void taintRanges(llvm::Module &M, llvm::FunctionAnalysisManager &FAM,
                 llvm::function_ref<bool(const llvm::Value *)> IsData);

/// Takes that back of blocks that someone may write without a mark: a closed function, or the writer of one of Lost,
/// marks that are about to be deleted.
void rememberUnmarked(llvm::Module &M, const PointsTo &Memory, const ModRefIndex &Accesses,
                      llvm::ArrayRef<llvm::CallBase *> Lost);

/// Calls Do for the flags of each allocation.
void forFlags(llvm::Module &M, llvm::function_ref<void(llvm::Use &Flags)> Do);

/// False where a tensor of the caller may be written without a mark.
bool areTensorsMarked(llvm::Module &M);

/// Marks are all that uses the address Tensor.
bool onlyMarked(const llvm::Value &Tensor);

} // namespace memshape
