// The list of system calls of each box.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "runner/sandbox/Box.h"

#include <linux/filter.h>
#include <vector>

namespace memshape {

/// A program that the kernel runs at each system call.
using CallFilter = std::vector<sock_filter>;

/// Allows what Which needs. A call that is on no list fails with ENOSYS, as on a kernel that does not have it, so that
/// libraries use another way or report an error. Calls of other instruction sets and ABIs (32 bit, x32), and calls that
/// send signals, raise SIGSYS instead. Empty if libseccomp fails.
CallFilter makeFilter(Box Which);

} // namespace memshape
