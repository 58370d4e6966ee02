// Functions of libraries that are given bodies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function of a library allocates often follows from what it is given, and can be said in a few lines of C
// (libraries/*/bodies, docs/libraries.md). With such a body it is sliced like the operator's own functions, so that what
// data decides in it (whether a file opens, in which order things are sorted) is a decision like any other.
//
// A constant of a body's file stands for the variable of that name, with the value that it has while nobody watches (a
// table that a profiler fills in).

#pragma once

#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace memshape {

/// Gives bodies to functions that M calls, before its allocations are lowered; for a Ceiling, to more of them. True
/// where buffers of files are among what they allocate. Adds what the bodies take for granted to Assumed.
bool giveLibraryBodies(llvm::Module &M, std::vector<std::string> &Assumed, bool Ceiling = false);

} // namespace memshape
