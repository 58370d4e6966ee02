// Loops whose iterations need not all be run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace memshape {

/// Has the runner run one iteration of a loop whose iterations are all alike, and count it for all: of all loops of M,
/// inner ones first.
void countAlikeIterations(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

/// Replaces loops of M that only ask decisions by one question per exit and per truth value that is used afterwards.
/// All outcomes of the loop remain possible. Removes decisions whose answers are unused. True if M has changed.
bool askOnceForIdleLoops(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

/// Moves calls of the runner's check out of the loops of M.
void moveChecksOutOfLoops(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

/// Writes loops of M that grow something twice: without growth, for where there is room for all that the loop appends,
/// which is known in front of it, and as they are.
void excludeGrowthWithRoom(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

} // namespace memshape
