// The memory that an evaluation fills.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <sys/types.h>

namespace memshape {

/// Waits for Child, as waitpid does. False if it came to hold more than ResidentBytes (0: no limit), or has slept for
/// too long (Asleep). The child is then still alive: it ends with its parent, if it asked for that.
bool waitWithin(pid_t Child, std::uint64_t ResidentBytes, int &Status, bool &Asleep);

} // namespace memshape
