// Whether two arrays share memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies of libraries ask memshape_overlap(a, bytes, b, least, most): do the bytes behind a meet those of b, from least to
// most? Objects that are told apart by what makes them share none, wherever they lie. So the answer does not depend on
// addresses, unless a and b may point into one object, or nobody knows into which.

#pragma once

#include "llvm/IR/Module.h"

namespace memshape {

enum class Overlaps {
  Known, ///< of objects that are told apart
  All
};

/// Answers such questions, once functions are inlined into Root. True where there were any.
bool answerOverlaps(llvm::Function &Root, Overlaps Which);

} // namespace memshape
