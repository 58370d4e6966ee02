// Memory of this process's control group.
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

} // namespace memshape
