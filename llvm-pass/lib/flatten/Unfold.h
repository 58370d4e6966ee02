// Bodies of libraries, made plain where they are called.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A body that is written in C serves arrays of any rank and objects of any type. Where it is called, rank and type are
// constants. So its loops over dimensions and members, which ask for it, are unrolled, and functions of it that are not
// to be inlined everywhere are, where an argument is a constant of the program: a type. Both lead to more constants.

#pragma once

#include "flatten/Flatten.h"

namespace memshape {

/// Unfolds the bodies in Root, and answers what they ask of arrays.
void unfoldBodies(llvm::Function &Root, Simplifier &Simplify);

} // namespace memshape
