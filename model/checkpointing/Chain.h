// A chain of steps that is reversed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace memshape::checkpointing {

/// A place for states: memory, a disk.
struct Level {
  std::string Name;
  std::int64_t Slots = 0; ///< states that it holds at most
  double Write = 0;       ///< cost of storing one
  double Read = 0;        ///< cost of restoring one
};

/// Steps 0 to Steps - 1, of which step i takes state i to state i + 1. They are reversed from the last to the first; to
/// reverse step i, state i is needed.
struct Chain {
  std::int64_t Steps = 1;
  std::vector<Level> Levels;
  double Forward = 1;  ///< cost of a step, also of the taped one that belongs to its reversal
  double Backward = 1; ///< cost of a reversal beyond that step
};

enum class Do : std::uint8_t {
  Forward,  ///< state From becomes state To
  Store,    ///< a copy of the current state, From, goes to At
  Restore,  ///< the copy of state From in At becomes the current state and stays there
  Discard,  ///< the copy of state From leaves At
  Backward, ///< step From is run with a tape and reversed; no state is current afterwards
};

struct Action {
  Do What = Do::Forward;
  std::int64_t From = 0;
  std::int64_t To = 0; ///< of Forward
  std::size_t At = 0;  ///< the number of a level

  bool operator==(const Action &) const = default;
};

} // namespace memshape::checkpointing
