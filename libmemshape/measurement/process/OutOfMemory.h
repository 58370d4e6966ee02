// Kills by the kernel for lack of memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace memshape {

/// The kernel's counts of processes that it killed for lack of memory; nothing if it keeps no such count.
struct OutOfMemoryKills {
  std::optional<std::uint64_t> Group;  ///< in the control group of this process
  std::optional<std::uint64_t> System; ///< on the whole machine
};

/// The current counts. Root stands before each path, for tests.
OutOfMemoryKills outOfMemoryKills(const std::string &Root = "");

/// Where a process that SIGKILL ended between the two readings ran out of memory: "cgroup", "system" (the kernel may
/// have killed another process), or "" if the kernel killed none.
std::string whereMemoryEnded(const OutOfMemoryKills &Before, const OutOfMemoryKills &After);

} // namespace memshape
