// What a box is made of: readable files, system calls, no privileges.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "runner/sandbox/Box.h"

#include <linux/filter.h>
#include <vector>

namespace memshape {

/// Rules of Landlock: no writing, creating, removing or executing of files, no sockets, and reading only where
/// libraries and their data are. A descriptor of the rules, to be closed; -1 if this kernel has no Landlock.
int makeFileRules(Box Which);

/// Applies the rules to this thread and its children, for good.
bool restrictFiles(int Rules);

/// A program that the kernel runs at each system call.
using CallFilter = std::vector<sock_filter>;

/// Allows what Which needs. A call that is on no list fails with ENOSYS, as on a kernel that does not have it, so that
/// libraries use another way or report an error. Calls of other instruction sets and ABIs (32 bit, x32), and calls that
/// send signals, raise SIGSYS instead. Empty if libseccomp fails.
CallFilter makeFilter(Box Which);

/// Drops all capabilities, in every set. One exception: a process that opens libraries keeps the right to read files of
/// others if it has it, because root predicts for libraries in users' folders. False if some capabilities are left.
bool dropCapabilities(Box Which);

} // namespace memshape
