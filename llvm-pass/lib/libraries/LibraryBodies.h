// Functions of libraries that are given bodies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function of a library allocates often follows from what it is given, and can be said in a few lines of IR
// (libraries/*/bodies). With such a body it is sliced like the operator's own functions, so that what data decides in
// it (whether a file opens, in which order things are sorted) is a decision like any other.
//
// A constant of a document stands for the variable of that name, with the value that it has while nobody watches (a
// table that a profiler fills in). Documents say more in comments and attributes:
//
//   ; unless WORD...             not for modules in which a name holds one of these
//   ; for ceilings             where a bound is counted; a skeleton calls the library
//   ; with L=VALUE...            the document once for each such line, with $L written out
//   "memshape-before"="BODY A.." of a declaration: BODY is called before it, with its arguments by number, or =CONSTANT
//   "memshape-throws"            the body may end by an exception
//   "memshape-computes"="N"      the body stands for the function only where what is passed as argument N just computes
//   "memshape-assumes"="TEXT"    what the body takes for granted, to be displayed

#pragma once

#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace memshape {

/// Gives bodies to functions that M calls, before its allocations are lowered; for a Ceiling, to more of them. True
/// where buffers of files are among what they allocate. Adds what the bodies take for granted to Assumed.
bool giveLibraryBodies(llvm::Module &M, std::vector<std::string> &Assumed, bool Ceiling = false);

} // namespace memshape
