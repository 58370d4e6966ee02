// Functions that keep numbers in fewer bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// uint16_t n = w * h; and n = w * h & 0xffff; are the same once they are optimised. The first wraps where w * h is too
// large, the second is meant. So it is kept, from the start of the pipeline on, which functions convert to how many bits
// and have no such mask.

#pragma once

#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Module.h"

namespace memshape {

/// Remembers it in metadata of M.
void rememberNarrowings(llvm::Module &M);

/// Whether the function that Where stands in, before inlining, converts to so many bits, and masks none.
bool isNarrowing(const llvm::Module &M, const llvm::DebugLoc &Where, unsigned Bits);

void forgetNarrowings(llvm::Module &M);

} // namespace memshape
