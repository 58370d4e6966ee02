/* An unknown number of steps.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The chain may end after any step. While all slots are taken, each step asks
   anew: would the reversal cost less, were it to begin after this step, if the
   current state took the slot of another one? The cost is that of all steps so
   far, and of each piece between two stored states by Revolve with the slots
   that are free by then.

   Q. Wang, P. Moin, G. Iaccarino: Minimal repetition dynamic checkpointing
   algorithm for unsteady adjoint calculation. SIAM Journal on Scientific
   Computing 31 (2009): forward steps are at most r   L, where r is the number of
   repetitions that Revolve needs. The rule here needs no levels, keeps that
   bound - but for the one step that shows that the chain ends - for all chains
   that the tests try, and is nearer to Revolve's own number: docs/checkpoints.md. */

#pragma once

#include <memshape/checkpoint/revolve.h>

namespace memshape::checkpoint {

/// Actions step by step until end() is called, then those that reverse the steps so far. A step takes a number of
/// operations that grows with the number of slots, not with that of steps.
class Online {
public:
  explicit Online(std::int64_t slots) : slots_(slots) {
    if (slots < 1)
      throw std::invalid_argument("a chain of unknown length needs a slot for the initial state");
  }

  /// The chain ends with the state that the last forward action led to. Called once.
  void end() {
    has_ended_ = true;
    for (std::size_t i = 0; i != stored_.size(); ++i)
      back_.add({stored_[i], behind(i) - stored_[i], free(i), true, false});
  }

  bool next(Action &into) {
    if (has_ended_)
      return back_.next(into);
    if (!is_considered_) {
      is_considered_ = true;
      const std::size_t leaving = is_full() ? to_discard() : 0;
      stores_ = !is_full() || leaving != 0;
      if (leaving != 0) {
        into = {Do::discard, stored_[leaving], 0, 0};
        stored_.erase(stored_.begin() + std::ptrdiff_t(leaving));
        return true;
      }
    }
    if (stores_) {
      stores_ = false;
      stored_.push_back(now_);
      into = {Do::store, now_, 0, 0};
      return true;
    }
    into = {Do::forward, now_, now_ + 1, 0};
    ++now_;
    is_considered_ = false;
    return true;
  }

private:
  bool is_full() const { return std::int64_t(stored_.size()) >= slots_; }

  /// Where the piece that begins with that stored state ends.
  std::int64_t behind(std::size_t i) const { return i + 1 < stored_.size() ? stored_[i + 1] : now_; }

  /// Slots for that piece, its own included.
  std::int64_t free(std::size_t i) const { return slots_ - std::int64_t(i); }

  /// Which stored state, of which all slots are full, the current one is to replace; 0: none.
  std::size_t to_discard() const {
    std::size_t best = 0;
    std::int64_t least = 0, in_front = 0, behind_it = 0;
    for (std::size_t i = 0; i + 1 < stored_.size(); ++i)
      in_front += least_forward_steps(behind(i) - stored_[i], free(i));
    const std::int64_t all_in_front = in_front;
    for (std::size_t i = stored_.size() - 1; i > 0; --i) {
      in_front -= least_forward_steps(stored_[i] - stored_[i - 1], free(i - 1));
      const std::int64_t without = in_front + least_forward_steps(behind(i) - stored_[i - 1], free(i - 1)) + behind_it;
      if (best == 0 || without <= least) {
        best = i;
        least = without;
      }
      behind_it += least_forward_steps(behind(i) - stored_[i], free(i - 1));
    }
    // Equal after one step: then after two, where the current state, stored, would be a step in front of the last.
    const auto as_it_is = [&](std::int64_t more) {
      return all_in_front + least_forward_steps(now_ + more - stored_.back(), free(stored_.size() - 1));
    };
    return as_it_is(1) < least || (as_it_is(1) == least && as_it_is(2) <= least + 1) ? 0 : best;
  }

  std::int64_t slots_, now_ = 0;
  std::vector<std::int64_t> stored_;
  bool is_considered_ = false, stores_ = false, has_ended_ = false; ///< the first two: of the current state
  Revolve back_;
};

} // namespace memshape::checkpoint
