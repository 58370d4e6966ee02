/* Chains of steps, reversed.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   An adjoint runs a chain of steps forward and then needs their states in the
   opposite order. reverse() drives the callables of the program so that some
   states are stored and the others are computed again, as few as can be. For
   C++17 and later; nothing has to be linked.

     #include <memshape/checkpoint.h>
     namespace checkpoint = memshape::checkpoint;

     Field field = start();
     const auto memory = checkpoint::available_memory();            // bytes; or any number
     const auto slots = checkpoint::slots_within(memory.value(), state_bytes, step_bytes);
     checkpoint::reverse(
         steps, slots,
         [&](auto i, auto j) { for (; i < j; ++i) advance(field, i); },      // state i -> j
         [&](auto) { return field; },                                        // a copy
         [&](const Field &copy, auto) { field = copy; },
         [&](auto k) { backpropagate(field, k); });                          // k = steps - 1 .. 0

   State i is the state after i steps; state 0 is current at the beginning. The
   callables:

     forward(i, j)      takes the current state from i to j; i < j
     store(i)           returns a copy of the current state, i, as an object that
                        can be moved and that frees the copy in its destructor:
                        a std::vector, a Pool's or a DiskPool's, a std::variant;
                        store(i, level) where there are several levels
     restore(copy, i)   makes the copy of state i the current state again
     backward(k)        reverses the step from state k, which is current, to
                        k + 1: runs it once more with what its reversal needs,
                        and reverses it. No state is current afterwards

   What a callable throws passes through; all copies are freed then. A number of
   steps or slots that makes no sense is a std::invalid_argument, before any call.
   `memshape checkpoint` writes the same actions out; docs/checkpoints.md. */

#pragma once

#include <memshape/checkpoint/disk_copy.h>
#include <memshape/checkpoint/disk_pool.h>
#include <memshape/checkpoint/levels.h>
#include <memshape/checkpoint/memory.h>
#include <memshape/checkpoint/online.h>
#include <memshape/checkpoint/pool.h>
#include <memshape/checkpoint/revolve.h>

#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace memshape::checkpoint {

/// What was done.
struct Work {
  std::int64_t steps = 0;         ///< reversed
  std::int64_t forward_steps = 0; ///< that forward() ran; those within backward() and tape() are left out
  std::int64_t stores = 0, restores = 0, tapes = 0;
  std::int64_t peak_slots = 0; ///< copies held at once
  std::int64_t peak_tapes = 0; ///< tapes held at once
};

/// Of programs that keep no tapes.
struct NoTapes {
  struct Tape {};
  Tape operator()(std::int64_t) const { return {}; }
  void operator()(const Tape &, std::int64_t) const {}
};

/// Carries out actions with the callables of the program, and owns the copies and the tapes.
template <class Forward, class Store, class Restore, class Backward, class Tape = const NoTapes,
          class Rewind = const NoTapes>
class Driver {
public:
  Driver(Forward &forward, Store &store, Restore &restore, Backward &backward, Tape &tape = none(),
         Rewind &rewind = none())
      : forward_(forward), store_(store), restore_(restore), backward_(backward), tape_(tape), rewind_(rewind) {}

  void run(const Action &action) {
    switch (action.what) {
    case Do::forward:
      forward_(action.from, action.to);
      work_.forward_steps += action.to - action.from;
      break;
    case Do::store:
      held_.push_back({action.from, action.level, copy_of(store_, action)});
      ++work_.stores;
      work_.peak_slots = std::max(work_.peak_slots, std::int64_t(held_.size()));
      break;
    case Do::restore:
      restore_(std::as_const(find(action)->copy), action.from);
      ++work_.restores;
      break;
    case Do::discard: held_.erase(find(action)); break;
    case Do::backward:
      backward_(action.from);
      ++work_.steps;
      break;
    case Do::tape:
      tapes_.push_back(copy_of(tape_, action));
      ++work_.tapes;
      work_.peak_tapes = std::max(work_.peak_tapes, std::int64_t(tapes_.size()));
      break;
    case Do::rewind:
      if (tapes_.empty())
        throw std::logic_error("a schedule asks for a tape that is not kept");
      rewind_(tapes_.back(), action.from); // steps are reversed from the last one on
      tapes_.pop_back();
      ++work_.steps;
      break;
    }
  }

  const Work &work() const { return work_; }

private:
  static const NoTapes &none() {
    static const NoTapes one;
    return one;
  }

  /// What is kept: of a state, or of a step.
  template <class Callable> static auto copy_of(Callable &keep, const Action &action) {
    if constexpr (std::is_invocable_v<Callable &, std::int64_t, std::size_t>)
      return keep(action.from, action.level);
    else
      return keep(action.from);
  }

  struct Held {
    std::int64_t state;
    std::size_t level;
    decltype(copy_of(std::declval<Store &>(), Action())) copy;
  };

  /// The latest states are asked for most often.
  typename std::vector<Held>::iterator find(const Action &action) {
    for (auto at = held_.end(); at != held_.begin();)
      if (--at; at->state == action.from && at->level == action.level)
        return at;
    throw std::logic_error("a schedule asks for a state that is not stored");
  }

  Forward &forward_;
  Store &store_;
  Restore &restore_;
  Backward &backward_;
  Tape &tape_;
  Rewind &rewind_;
  std::vector<Held> held_;
  std::vector<decltype(copy_of(std::declval<Tape &>(), Action()))> tapes_; ///< in the order of their steps
  Work work_;
};

/// Along a schedule: an object whose next(action) writes the next action and returns true, or returns false at the end.
template <class Schedule, class Forward, class Store, class Restore, class Backward>
Work reverse_along(Schedule &&schedule, Forward &&forward, Store &&store, Restore &&restore, Backward &&backward) {
  Driver driver(forward, store, restore, backward);
  for (Action action; schedule.next(action);)
    driver.run(action);
  return driver.work();
}

/// With at most that many copies at a time, that of state 0 included: forward() runs t(steps, slots) steps in all, the
/// least possible (Griewank, Walther: Algorithm 799, 2000). One slot at least where there is more than one step.
template <class Forward, class Store, class Restore, class Backward>
Work reverse(std::int64_t steps, std::int64_t slots, Forward &&forward, Store &&store, Restore &&restore,
             Backward &&backward) {
  return reverse_along(Revolve(steps, slots), forward, store, restore, backward);
}

/// With several levels, which store(i, level) tells apart: the least cost, where a step costs `cost_of_step`.
template <class Forward, class Store, class Restore, class Backward>
Work reverse(std::int64_t steps, std::vector<Level> levels, double cost_of_step, Forward &&forward, Store &&store,
             Restore &&restore, Backward &&backward) {
  return reverse_along(Levels(steps, std::move(levels), cost_of_step), forward, store, restore, backward);
}

/// The same where tapes of steps may be kept as well, in slots of the levels: each step whose tape is kept is run once less.
/// tape(k), or tape(k, level), takes the current state from k to k + 1 and returns what the reversal of step k needs, as an
/// object that can be moved; rewind(tape, k) reverses step k by it, and no state is current afterwards.
template <class Forward, class Store, class Restore, class Backward, class Tape, class Rewind>
Work reverse(std::int64_t steps, std::vector<Level> levels, double cost_of_step, Sizes sizes, Forward &&forward,
             Store &&store, Restore &&restore, Backward &&backward, Tape &&tape, Rewind &&rewind) {
  Driver driver(forward, store, restore, backward, tape, rewind);
  Levels schedule(steps, std::move(levels), cost_of_step, sizes);
  for (Action action; schedule.next(action);)
    driver.run(action);
  return driver.work();
}

/// The same as with slots where the number of steps is not known: the chain goes on from state i while goes_on(i), which
/// is asked once for each i from 0 on, when state i is current. forward() takes one step at a time until goes_on() is
/// false, and the last state is not current then. One slot at least.
template <class GoesOn, class Forward, class Store, class Restore, class Backward>
Work reverse_while(GoesOn &&goes_on, std::int64_t slots, Forward &&forward, Store &&store, Restore &&restore,
                   Backward &&backward) {
  Online schedule(slots);
  Driver driver(forward, store, restore, backward);
  bool goes = goes_on(std::int64_t(0));
  if (!goes)
    schedule.end();
  for (Action action; schedule.next(action);) {
    driver.run(action);
    if (goes && action.what == Do::forward && !(goes = goes_on(action.to)))
      schedule.end();
  }
  return driver.work();
}

} // namespace memshape::checkpoint
