// Memory of this process's control group, and kills by the kernel for lack of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace memshape {

/// Bytes that the kernel charges to the group: resident pages of all its processes, cached pages of their files, and
/// the kernel's own data for them. Nothing if the file does not exist.
struct GroupMemory {
  int Version = 0;                   ///< 1 or 2
  std::optional<std::uint64_t> Peak; ///< since the group was made
  std::optional<std::uint64_t> Current;
  std::optional<std::uint64_t> Limit; ///< nothing for no limit
};

/// The group of this process. Root stands before each path, for tests.
std::optional<GroupMemory> groupMemory(const std::string &Root = "");

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
