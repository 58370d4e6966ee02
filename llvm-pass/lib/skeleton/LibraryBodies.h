//===- LibraryBodies.h - Functions of the C library that allocate ---------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a function of the C library allocates follows from what it is given, and can be said in a few lines of IR:
// strdup, qsort, streams and directories, and those of the C++ library that rest on them. With such a body it is sliced
// like the operator's own functions, so that what data decides in it (whether a file opens, in which order things are
// sorted) is a decision like any other.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_LIBRARYBODIES_H
#define MEMSHAPE_LIBRARYBODIES_H

#include "llvm/IR/Module.h"
#include <string>

namespace memshape {

/// Gives bodies to functions of the C library that M calls, before its allocations are lowered. True where buffers of
/// files are among what they allocate.
bool giveLibraryBodies(llvm::Module &M);

/// The bodies of file streams of the C++ library, for a module with those of the C library.
std::string bodiesOfFileStreams();

} // namespace memshape

#endif // MEMSHAPE_LIBRARYBODIES_H
