/* Reversals of chains.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What the command `memshape checkpoint` prints, as values: which states of a
   chain of steps to store, where, and which to compute again, so that reversing
   all steps costs least. docs/checkpoints.md says what an action is. */

#pragma once

#include "expected.h"
#include "names.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memshape::v1 {

/// A place for states: memory, a disk.
struct ChainLevel {
  std::string name = "ram";
  std::int64_t slots = 0;     ///< states that it holds at most, from 0
  double write = 0, read = 0; ///< cost of storing and of restoring one, from 0

  template <class Of, class Visitor> static void members(Of &of, Visitor &&v) {
    v("name", of.name), v("slots", of.slots), v("write", of.write), v("read", of.read);
  }
};

struct ChainRequest {
  std::int64_t steps = 1; ///< from 1 to 10^8
  std::vector<ChainLevel> levels = {};
  double forward = 1;           ///< cost of a step, also of the taped one that belongs to its reversal
  double backward = 1;          ///< cost of a reversal beyond that step
  std::int64_t state_slots = 1; ///< that a state takes, from 1 to 10^9
  std::int64_t tape_slots = 0;  ///< that a tape takes, at as many times the cost of a state; 0: no tape is kept
  /// In the place of levels and slots, where all three are given: memory at no cost, and what a state and a tape take.
  std::uint64_t memory_bytes = 0, state_bytes = 0, tape_bytes = 0;

  template <class Of, class Visitor> static void members(Of &of, Visitor &&v) {
    v("steps", of.steps, "steps of the chain that is reversed");
    v("levels", of.levels);
    v("forward", of.forward, "cost of a step");
    v("backward", of.backward, "cost of a reversal beyond its step");
    v("state_slots", of.state_slots, "slots that a state takes");
    v("tape_slots", of.tape_slots, "slots that the tape of a step takes; where it is not given, no tape is kept");
    v("memory_bytes", of.memory_bytes), v("state_bytes", of.state_bytes), v("tape_bytes", of.tape_bytes);
  }
};

struct ChainAction {
  enum Kind : std::uint8_t {
    forward,  ///< state `from` becomes state `to`
    store,    ///< a copy of the current state, `from`, goes to `level`
    restore,  ///< the copy of state `from` in `level` becomes the current state and stays there
    discard,  ///< the copy of state `from` leaves `level`
    backward, ///< step `from` is run with a tape and reversed; no state is current afterwards
    tape,     ///< step `from` is run with a tape, which goes to `level`; state `from` + 1 is current afterwards
    rewind    ///< step `from` is reversed by its tape in `level`, which leaves it; no state is current afterwards
  } kind = forward;
  std::int64_t from = 0; ///< the state, or the step that is reversed
  std::int64_t to = 0;   ///< of forward: the state behind
  std::size_t level = 0; ///< of all but forward and backward: its number in the request

  bool operator==(const ChainAction &) const = default;
};

struct ChainReversal;

/// The actions of a reversal as JSON and Python have them: ["store", 3, "ram"], ["forward", 3, 5], ["backward", 5].
struct ChainActions {
  const ChainReversal &of;
};

/// Members have the names of memshape.checkpoint/1.
struct ChainReversal {
  std::int64_t steps = 0;
  std::vector<ChainLevel> levels;
  std::vector<ChainAction> actions;
  /// Forward steps, taped ones left out, beyond the steps - 1 of a single sweep; where tapes may be kept, all of them, as
  /// a single sweep with tapes has none.
  std::int64_t recomputed_steps = 0;
  double cost = 0;
  std::int64_t peak_slots = 0;            ///< that are taken at once, on all levels: by states, one each, and by tapes
  std::optional<std::int64_t> peak_tapes; ///< held at once, where they may be kept
  std::optional<std::int64_t> peak_bytes; ///< where each step has its own: the most that are held
  std::optional<bool> optimal;            ///< where bytes are given of tapes, or of each step: none were rounded up

  template <class Visitor> void members(Visitor &&v) const {
    v("schema", "memshape.checkpoint/1");
    v("steps", steps), v("recomputed_steps", recomputed_steps), v("cost", cost), v("peak_slots", peak_slots);
    if (peak_tapes)
      v("peak_tapes", *peak_tapes);
    if (peak_bytes)
      v("peak_bytes", *peak_bytes);
    if (optimal)
      v("optimal", *optimal);
    v("actions", ChainActions{*this});
  }
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
