/* Reversals of chains.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What the command `memshape checkpoint` prints, as values: which states of a
   chain of steps to store, where, and which to compute again, so that reversing
   all steps costs least. docs/checkpoints.md says what an action is. */

#pragma once

#include "expected.h"

#include <cstdint>
#include <string>
#include <vector>

namespace memshape::v1 {

/// A place for states: memory, a disk.
struct ChainLevel {
  std::string name = "ram";
  std::int64_t slots = 0;     ///< states that it holds at most, from 0
  double write = 0, read = 0; ///< cost of storing and of restoring one, from 0
};

struct ChainRequest {
  std::int64_t steps = 1; ///< from 1 to 10^8
  std::vector<ChainLevel> levels = {};
  double forward = 1;  ///< cost of a step, also of the taped one that belongs to its reversal
  double backward = 1; ///< cost of a reversal beyond that step
};

struct ChainAction {
  enum Kind { forward, store, restore, discard, backward } kind = forward;
  std::int64_t from = 0; ///< the state, or the step that is reversed
  std::int64_t to = 0;   ///< of forward: the state behind
  std::size_t level = 0; ///< of store, restore and discard: its number in the request
};

/// Members have the names of memshape.checkpoint/1.
struct ChainReversal {
  std::vector<ChainAction> actions;
  std::int64_t recomputed_steps = 0; ///< forward steps, taped ones left out, beyond the steps - 1 of a single sweep
  double cost = 0;
  std::int64_t peak_slots = 0; ///< states held at once, on all levels
};

/// The least cost over all sequences of actions. Errors: arguments; no_answer, where there is no slot for the initial
/// state; too_large, where the least cost takes too long to find.
MEMSHAPE_API Expected<ChainReversal> reverse_chain(const ChainRequest &request);

} // namespace memshape::v1

#ifndef MEMSHAPE_INSIDE
namespace memshape {
using namespace v1;
}
#endif
