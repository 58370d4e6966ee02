// What an operator keeps on the stack.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable of fixed size takes its bytes once: its function has one frame at a time. Besides, there are
//
//     arrays whose length is a number    its greatest value, as a ceiling's sizes have (ShapeRanges.h), and as often as
//                                        the loop that makes them goes round without giving them back
//     functions that call themselves     a frame for each open call: a number that is handed on gets smaller each time,
//                                        and no call follows once it is used up
//
// What the code generator adds to a frame is counted at a flat rate.

#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace memshape {

class ShapeRanges;

struct Frames {
  llvm::Value *Most = nullptr;               ///< bytes, as arithmetic on the shape; null: not known
  const llvm::Instruction *Array = nullptr;  ///< whose length may have no bound
  const llvm::Function *Recursive = nullptr; ///< whose number of calls may have none
};

/// Less is in the pages that every thread's stack begins with, and not worth a word.
inline constexpr uint64_t OrdinaryFrames = 65536;

/// Whether M's functions may take more than that. Those of threads lie on stacks of their own: they do not count.
bool haveLargeFrames(llvm::Module &M);

/// The bytes of F, a copy of Root that nothing calls, and of all that it calls. Emits arithmetic where Ranges does.
Frames framesOf(llvm::Function &F, const llvm::Function &Root, ShapeRanges &Ranges, llvm::FunctionAnalysisManager &FAM);

} // namespace memshape
