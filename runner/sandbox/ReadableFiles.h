//===- ReadableFiles.h - The files that a box shows ----------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SANDBOX_READABLEFILES_H
#define MEMSHAPE_SANDBOX_READABLEFILES_H

#include "runner/sandbox/Box.h"

namespace memshape {

/// By Landlock: nothing is written, made, removed or executed as a program, no socket is named or reached, and what is
/// read lies where libraries and their data do. A descriptor of the rules, to be closed; -1 where this kernel has no
/// Landlock.
int makeFileRules(Box Which);

/// From now on, and for children, they hold for this thread.
bool restrictFiles(int Rules);

} // namespace memshape

#endif // MEMSHAPE_SANDBOX_READABLEFILES_H
