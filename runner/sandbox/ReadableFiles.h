//===- ReadableFiles.h - Restricts files with Landlock --------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SANDBOX_READABLEFILES_H
#define MEMSHAPE_SANDBOX_READABLEFILES_H

#include "runner/sandbox/Box.h"

namespace memshape {

/// Rules of Landlock: no writing, creating, removing or executing of files, no sockets, and reading only where
/// libraries and their data are. A descriptor of the rules, to be closed; -1 if this kernel has no Landlock.
int makeFileRules(Box Which);

/// Applies the rules to this thread and its children, for good.
bool restrictFiles(int Rules);

} // namespace memshape

#endif // MEMSHAPE_SANDBOX_READABLEFILES_H
