//===- ChildWatch.h - The memory that an evaluation fills ----------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SKELETON_CHILDWATCH_H
#define MEMSHAPE_SKELETON_CHILDWATCH_H

#include <cstdint>
#include <sys/types.h>

namespace memshape {

/// Waits for Child, as waitpid does. False where it came to hold more than ResidentBytes (0: no limit), or sleeps for
/// too long (Asleep). It lives then: who sends no signals ends, and a child that asked for it ends with its parent.
bool waitWithin(pid_t Child, std::uint64_t ResidentBytes, int &Status, bool &Asleep);

} // namespace memshape

#endif // MEMSHAPE_SKELETON_CHILDWATCH_H
