// From limits and pressure to a budget.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the store holds and what the process may still take are what the store
// could have. Head room is left for the program, which takes memory between two
// looks as well:
//
//   most      = held + room left
//   head room = most / 16, within 16 MiB and 1 GiB, and no more than most / 2
//   budget    = most - head room - withheld
//
// Withheld is 0, until there is pressure: then a sixteenth of the most, doubled
// with each further half second of pressure, up to a half of the most. Two
// seconds after the last sign it is halved each second.
//
// Memory that is being filled is held, but may not be in pages yet, and the
// store goes on between the moments at which its own bytes and the kernel's
// numbers are read. So the budget is known to lie between two bounds only. It
// changes where it is outside of them by more than a part of the head room.

#pragma once

#include <chrono>
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

/// Bytes that a store has in memory.
struct Holding {
  std::uint64_t Touched = 0; ///< in pages of memory for sure
  std::uint64_t All = 0;     ///< with those that are being filled
};

class BudgetRule {
public:
  using Time = std::chrono::steady_clock::time_point;

  /// The budget from now on. Before and After: what the store held when the room was looked at.
  std::uint64_t next(const Room &Left, const Holding &Before, const Holding &After, bool IsPressed, Time Now);

  /// What the store could have as of the last look, without head room.
  std::uint64_t most() const { return Most; }

private:
  /// Whether some of what was withheld comes back.
  bool press(bool IsPressed, Time Now);

  std::optional<std::uint64_t> Budget;
  std::uint64_t Most = 0;
  std::uint64_t Withheld = 0;
  Time LastSign, LastStep;
};

} // namespace memshape::out_of_core
