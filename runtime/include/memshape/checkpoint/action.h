/* What a reversal is made of.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   State i is the state after i steps. docs/checkpoints.md has the rules. */

#pragma once

#include <cstddef>
#include <cstdint>

namespace memshape::checkpoint {

enum class Do : std::uint8_t {
  forward,  ///< state `from` becomes state `to`
  store,    ///< a copy of the current state, `from`, goes to `level`
  restore,  ///< the copy of state `from` in `level` becomes the current state and stays there
  discard,  ///< the copy of state `from` leaves `level`
  backward, ///< step `from` is run with a tape and reversed; no state is current afterwards
  tape,     ///< step `from` is run with a tape, which goes to `level`; state `from` + 1 is current afterwards
  rewind,   ///< step `from` is reversed by its tape in `level`, which leaves it; no state is current afterwards
};

struct Action {
  Do what = Do::forward;
  std::int64_t from = 0;
  std::int64_t to = 0;   ///< of forward
  std::size_t level = 0; ///< of store, restore, discard, tape and rewind
};

} // namespace memshape::checkpoint
