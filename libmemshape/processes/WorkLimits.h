// What memshape and its processes may take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace memshape {

struct WorkLimits {
  /// Of memory that is resident, for each of our processes with all that it starts.
  std::uint64_t Bytes = usualBytes();
  /// Environment variables that a skeleton may see, beside those that libraries need.
  std::vector<std::string> Variables = {};

  /// A quarter of the machine, at most 4 GiB.
  static std::uint64_t usualBytes();
};

/// Those of this program. They are set before it starts anything.
WorkLimits &workLimits();

/// Limits what this process allocates: beyond that std::bad_alloc is thrown. What it starts has to lift it.
void limitOwnMemory();

/// What a child process sees of the environment. The answer of foreign code is a channel: it could tell the rest.
std::vector<std::string> childEnvironment();

/// Whether a variable is set here and not seen there.
bool isWithheld(const std::string &Variable);

} // namespace memshape
