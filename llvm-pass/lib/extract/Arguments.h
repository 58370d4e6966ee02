// What an operator does with one object.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function that builds arguments makes one object for a pointer to a structure. An operator that goes on to the
// next one would read what nobody built, and LLVM may take that for anything.

#pragma once

#include "llvm/IR/Function.h"

namespace memshape {

/// Whether a function that Builder calls, and that has a body, leaves one of the objects that Builder makes on its
/// stack and hands to it: by an offset beyond it, or by an index that steps over whole objects. Where the pointer is kept
/// in memory, any step over objects of its size from a pointer that was in memory counts.
bool leavesArguments(const llvm::Function &Builder);

} // namespace memshape
