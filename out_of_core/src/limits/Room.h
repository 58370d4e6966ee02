// What the process may still take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace memshape::out_of_core {

/// Bytes that this process may still take; absent: nothing limits them.
struct Room {
  std::optional<std::uint64_t> Resident; ///< in pages of memory: control groups, and the machine
  std::optional<std::uint64_t> Mapped;   ///< in addresses, touched or not: RLIMIT_DATA and RLIMIT_AS
};

/// Limits of the process itself, in bytes; RLIM_INFINITY is none.
struct ProcessLimits {
  std::uint64_t Data, AddressSpace;
};
ProcessLimits processLimits();

/// As files of the kernel below Root say now. What cannot be read limits nothing.
Room roomLeft(const std::string &Root = "", const ProcessLimits &Limits = processLimits());

} // namespace memshape::out_of_core
