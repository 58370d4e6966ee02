/* A known number of steps.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   A. Griewank, A. Walther: Algorithm 799: revolve. ACM Transactions on
   Mathematical Software 26 (2000). */

#pragma once

#include <memshape/checkpoint/action.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

namespace memshape::checkpoint {

inline constexpr std::int64_t most_steps = std::int64_t(1) << 31;

/// The longest chain of which no step runs forward more than `times` times with that many slots: the binomial of
/// slots + times over slots. What is beyond 2^56 counts as 2^62.
inline std::int64_t longest_chain(std::int64_t slots, std::int64_t times) {
  constexpr std::int64_t most = std::int64_t(1) << 62;
  if (slots < 0 || times < 0)
    return 0;
  const std::int64_t few = std::min(slots, times), many = std::max(slots, times);
  std::int64_t product = 1;
  for (std::int64_t i = 1; i <= few; ++i) {
    if (product > most / (many + i))
      return most;
    product = product * (many + i) / i;
  }
  return product;
}

/// The most times that a step has to run forward. Steps and slots from 1; slots at most steps.
inline std::int64_t most_repetitions(std::int64_t steps, std::int64_t slots) {
  if (slots == 1)
    return steps - 1;
  std::int64_t times = 0;
  while (longest_chain(slots, times) < steps)
    ++times;
  return times;
}

/// t(steps, slots): the least number of forward steps that reverse a chain, those within reversals left out. Steps and
/// slots from 1, steps to 2^31.
inline std::int64_t least_forward_steps(std::int64_t steps, std::int64_t slots) {
  slots = std::min(slots, steps);
  const std::int64_t times = most_repetitions(steps, slots);
  return times * steps - longest_chain(slots + 1, times - 1);
}

/// The actions with the least number of forward steps, one after the other. Takes the memory of a few numbers per slot.
class Revolve {
public:
  /// A piece of the chain. Its first state is in a slot, which is one of those that it may use, or current, or both.
  struct Piece {
    std::int64_t begin, steps, slots;
    bool is_stored, is_current;
  };

  Revolve() = default; ///< of no steps

  Revolve(std::int64_t steps, std::int64_t slots) {
    if (steps < 0 || steps > most_steps)
      throw std::invalid_argument("a chain has from 0 to 2^31 steps");
    if (slots < 0 || (slots == 0 && steps > 1))
      throw std::invalid_argument("more than one step needs a slot for the initial state");
    if (steps > 0)
      add({0, steps, slots, false, true});
  }

  /// A piece that comes before all that are left.
  void add(const Piece &piece) { left_.push_back(piece); }

  bool next(Action &into) {
    if (written_ == done_ && !open())
      return false;
    into = actions_[done_++];
    return true;
  }

private:
  void write(Do what, std::int64_t from, std::int64_t to = 0) { actions_[written_++] = {what, from, to, 0}; }

  /// Writes the first actions of the next piece and leaves what is behind its first cut, and then what is in front.
  bool open() {
    if (left_.empty())
      return false;
    const Piece p = left_.back();
    left_.pop_back();
    written_ = done_ = 0;
    if (!p.is_current)
      write(Do::restore, p.begin);
    if (p.steps == 1) {
      if (p.is_stored)
        write(Do::discard, p.begin);
      write(Do::backward, p.begin);
      return true;
    }
    if (!p.is_stored)
      write(Do::store, p.begin);
    const std::int64_t front = p.slots > 1 ? cut(p.steps, p.slots) : p.steps - 1;
    write(Do::forward, p.begin, p.begin + front);
    add({p.begin, front, p.slots, true, false});
    add({p.begin + front, p.steps - front, p.slots - 1, false, true});
    return true;
  }

  /// Steps in front of the next state that is stored. Those have all slots and one time less, the others a slot less.
  static std::int64_t cut(std::int64_t steps, std::int64_t slots) {
    slots = std::min(slots, steps);
    const std::int64_t times = most_repetitions(steps, slots);
    const std::int64_t least = std::max(longest_chain(slots, times - 2), steps - longest_chain(slots - 1, times));
    const std::int64_t most = std::min(longest_chain(slots, times - 1), steps - longest_chain(slots - 1, times - 1));
    return std::min(std::max(most, std::max<std::int64_t>(least, 1)), steps - 1);
  }

  std::vector<Piece> left_; ///< the next one last
  std::array<Action, 3> actions_;
  std::size_t written_ = 0, done_ = 0;
};

} // namespace memshape::checkpoint
