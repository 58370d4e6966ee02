// Restricts files with Landlock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "runner/sandbox/Box.h"

namespace memshape {

/// Rules of Landlock: no writing, creating, removing or executing of files, no sockets, and reading only where
/// libraries and their data are. A descriptor of the rules, to be closed; -1 if this kernel has no Landlock.
int makeFileRules(Box Which);

/// Applies the rules to this thread and its children, for good.
bool restrictFiles(int Rules);

} // namespace memshape
