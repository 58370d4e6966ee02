// What foreign code may ask of the kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A skeleton is native code from a file that somebody received, and it may run as root. The process that executes it is
// restricted before it reads the first byte of that file: to a list of system calls (Calls.cpp), to some readable files
// (ReadableFiles.cpp), and to no privileges (Capabilities.cpp). None of this can be undone; a smaller box can be shut
// inside a larger one.

#pragma once

#include <optional>
#include <string>

namespace memshape {

/// What a process does.
enum class Box {
  Loading,    ///< opens libraries, makes code, and starts children for evaluations
  Evaluating, ///< runs a skeleton and the libraries that it calls: memory, threads, files for reading
  Replaying,  ///< as Evaluating, but may not open files
  Slicing     ///< computes on what it has read: no threads, no files
};

/// Makes what shutBox() needs, so that children need not. Called after the libraries are loaded, because their folders
/// stay readable.
void prepareBox(Box Which);

/// Nothing once this process and all its threads are in the box. Otherwise the reason; then foreign code may only run
/// if the user has allowed it.
std::optional<std::string> shutBox(Box Which);

} // namespace memshape
