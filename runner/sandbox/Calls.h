//===- Calls.h - The list of system calls of each box --------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SANDBOX_CALLS_H
#define MEMSHAPE_SANDBOX_CALLS_H

#include "runner/sandbox/Box.h"

#include <linux/filter.h>
#include <vector>

namespace memshape {

/// A program that the kernel runs at each system call.
using CallFilter = std::vector<sock_filter>;

/// Lets pass what Which needs. What is on no list answers ENOSYS, as a kernel does that does not know it: libraries
/// have another way then, or say that they have none. Calls of other instruction sets and ABIs (32 bit, x32), and those
/// that send signals, are not made and raise SIGSYS. Empty where libseccomp fails.
CallFilter makeFilter(Box Which);

} // namespace memshape

#endif // MEMSHAPE_SANDBOX_CALLS_H
