// What a process and its descendants take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read from /proc, from outside: nothing that the processes do can change what is found there.

#pragma once

#include <cstdint>
#include <sys/types.h>
#include <vector>

namespace memshape {

struct TreeUse {
  std::uint64_t Bytes = 0; ///< of memory of their own that is resident
  std::uint64_t Processes = 0, Threads = 0;
};
TreeUse useOf(pid_t Root);

struct TreeTime {
  std::int64_t Running = 0; ///< ns of processor time, that of ended children included
  std::int64_t Waiting = 0; ///< ns in which threads that live could have run, and a busy machine did not let them
};
TreeTime timeOf(pid_t Root);

/// Bytes of its own that a process holds: resident less shared pages. 0 where that cannot be read.
std::uint64_t privateBytes(pid_t Process);

/// The processes that Root has started, directly or not.
std::vector<pid_t> descendantsOf(pid_t Root);

} // namespace memshape
