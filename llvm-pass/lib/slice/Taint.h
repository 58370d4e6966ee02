// Numbers that lie in memory beside data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data flow tells objects apart, not the bytes of one. In an arena, or in a block that begins with a header, extents
// lie beside data: each extent that is read there is data. Which bytes are written is known when the skeleton runs:
//
//   memshape_sk_taint(p, 4 * n)       in front of all iterations that write data to p[0 ... n - 1]
//   memshape_sk_untainted(&t->ne, 8)  in front of the number that is read: the run ends where its bytes are tainted
//
// Bytes are tainted before data can be written there, and stay so for as long as their block lives. So a run that comes
// to its end has read no data, and what it read follows from what the skeleton has written.

#pragma once

#include "memory/PointsTo.h"
#include "slice/Slice.h"
#include "llvm/IR/PassManager.h"

namespace memshape {

/// A number that Path shows V to come from, which is read where data may lie, too, in blocks or variables on the stack.
/// Path: how data came to V, as DataFlow tells it. Null where there is none.
llvm::LoadInst *numberBesideData(llvm::ArrayRef<const llvm::Value *> Path, const PointsTo &Memory);

/// Taints the bytes that data is written to, where decisions come from numbers beside it. False where there is nothing
/// to do; otherwise M has new instructions, which Memory does not know.
bool taintWrites(llvm::Module &M, llvm::Function &Root, const PointsTo &Memory, llvm::FunctionAnalysisManager &FAM);

/// Puts the question in front of each of these numbers that M still reads.
void askForTaint(llvm::Module &M);

} // namespace memshape
