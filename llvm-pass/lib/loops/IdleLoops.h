// Loops that only ask decisions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace memshape {

/// Replaces loops of M that only ask decisions by one question per exit and per truth value that is used afterwards.
/// All outcomes of the loop remain possible. Removes decisions whose answers are unused. True if M has changed.
bool askOnceForIdleLoops(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

} // namespace memshape
