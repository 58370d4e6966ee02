// What bodies of libraries ask of arrays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   memshape_overlap(a, bytes, b, least, most)   do the bytes behind a meet those of b, from least to most?
//   memshape_rank(d, rank)                       how many dimensions has the descriptor d, which says rank?
//
// Objects that are told apart by what makes them share no memory, wherever they lie. So the first answer does not depend
// on addresses, unless a and b may point into one object, or nobody knows into which. A descriptor that is a variable
// of flang's has the type { ptr, i64, i32, i8, i8, i8, i8, [rank x [3 x i64]], ... }: its rank never changes, which
// cannot be seen in a loop that hands it on from one iteration to the next.

#pragma once

#include "llvm/IR/Module.h"

namespace memshape {

enum class Questions {
  Known, ///< whose answers follow from objects and types
  All
};

/// Whether there are such questions.
bool asksOfArrays(const llvm::Module &M);

/// Answers them, once functions are inlined into Root. True where there were any.
bool answerArrayQuestions(llvm::Function &Root, Questions Which);

} // namespace memshape
