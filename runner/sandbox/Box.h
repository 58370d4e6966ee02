//===- Box.h - What foreign code may ask of the kernel -------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A skeleton is native code from a file that somebody was given, perhaps as root. Around the process that executes it
// stand, from the moment before it reads the first byte of that file: a list of the system calls that it may make
// (Calls.cpp), the files that it may read (ReadableFiles.cpp), and no privileges (Capabilities.cpp). Nothing of it can
// be opened again; a box can be shut inside another one.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SANDBOX_BOX_H
#define MEMSHAPE_SANDBOX_BOX_H

#include <optional>
#include <string>

namespace memshape {

/// What a process is for.
enum class Box {
  Loading,    ///< opens libraries, makes code, and starts children for evaluations
  Evaluating, ///< runs a skeleton and the libraries that it calls: memory, threads, files for reading
  Replaying,  ///< as Evaluating, without any file that is not open yet
  Slicing     ///< computes on what it has read: no threads, no files
};

/// Makes what shutBox() needs, so that children of this process need not; after the libraries are loaded, whose folders
/// stay readable.
void prepareBox(Box Which);

/// Nothing once this process and all its threads are in the box. Otherwise why it cannot be had: then nobody may go on
/// but by the user's word.
std::optional<std::string> shutBox(Box Which);

} // namespace memshape

#endif // MEMSHAPE_SANDBOX_BOX_H
