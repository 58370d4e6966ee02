/* Places that cost something.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Memory and disk, or any other levels, of which none needs to be faster than
   the next. After J. Herrmann, G. Pallez: H-Revolve, ACM Transactions on
   Mathematical Software 46 (2020), whose levels are ordered. Where tapes are
   kept: after J. R. Maddison: On the implementation of checkpointing with
   high-level algorithmic differentiation (2023), whose states and tapes take a
   slot of one level each. */

#pragma once

#include <memshape/checkpoint/action.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

namespace memshape::checkpoint {

/// A place for states. Costs are in the unit of a step's.
struct Level {
  std::int64_t slots = 0;
  double write = 0, read = 0;
};

/// Slots of a level that a state and the tape of a step take. Tapes are not kept where theirs is 0.
struct Sizes {
  std::int64_t state = 1, tape = 0;

  std::int64_t largest() const { return std::max(state, tape); }
};

/// The actions of the least cost of forward steps, stores and restores. Makes a table first: steps^2 / 2 comparisons
/// for each level and each combination of free slots, of which there is one for each level that is never full. A tape
/// costs as much more than a state as it is larger. Throws std::length_error where they are more than most_comparisons, or the table is larger than most_bytes.
class Levels {
public:
  static constexpr double most_comparisons = 4e9, most_bytes = 1e9;

  Levels(std::int64_t steps, std::vector<Level> levels, double forward = 1, Sizes sizes = {})
      : levels_(std::move(levels)), forward_(forward), sizes_(sizes), row_(std::size_t(steps) + std::size_t(together)) {
    if (steps < 0 || !is_cost(forward))
      throw std::invalid_argument("a chain has 0 steps or more, of a cost from 0");
    if (sizes.state < 1 || sizes.tape < 0 || sizes.largest() > most_size)
      throw std::invalid_argument("a state takes 1 slot or more, a tape 0 or more, and both at most 10^9");
    double combinations = 1;
    const std::int64_t all = std::min(steps, most_size) * sizes.largest(); // of a level that is never full
    for (Level &level : levels_) {
      if (level.slots < 0 || !is_cost(level.write) || !is_cost(level.read))
        throw std::invalid_argument("slots and costs of a level are numbers from 0");
      level.slots = std::min(level.slots, all);
      combinations *= level.slots == all ? 1 : double(level.slots + 1);
    }
    if (!fit(steps, levels_, sizes))
      throw std::invalid_argument("more than one step needs a slot for the initial state");
    const double comparisons = combinations * double(levels_.size()) * double(steps) * double(steps) / 2;
    if (comparisons > most_comparisons ||
        combinations * double(levels_.size() + 1) * double(row_) * sizeof(double) > most_bytes)
      throw std::length_error("so many steps on these levels take too long to plan");
    std::size_t full = 0;
    for (const Level &level : levels_) {
      const bool is_endless = level.slots == all;
      stride_.push_back(is_endless ? 0 : combinations_);
      if (!is_endless) {
        full += combinations_ * std::size_t(level.slots);
        combinations_ *= std::size_t(level.slots) + 1;
      }
    }
    fill(steps);
    cost_ = steps > 0 ? open_[full * row_ + std::size_t(steps)] : 0;
    if (steps > 0)
      left_.push_back({Piece::open, 0, steps, full, 0});
  }

  /// Whether the initial state, or otherwise the tapes of all steps but the last, can be kept. Calls of levels with
  /// costs, slots and sizes that make sense.
  template <class Places> static bool fit(std::int64_t steps, const Places &levels, Sizes sizes) {
    std::int64_t tapes = 0;
    for (const auto &level : levels) {
      if (level.slots >= sizes.state)
        return true;
      tapes += sizes.tape > 0 ? level.slots / sizes.tape : 0; // fewer than a state's slots, which are 10^9 at most
    }
    return tapes >= steps - 1;
  }

  static constexpr std::int64_t most_size = 1'000'000'000;

  /// Of forward steps - those with a tape left out -, stores and restores.
  double cost() const { return cost_; }

  bool next(Action &into) {
    if (written_ == done_ && !expand())
      return false;
    into = actions_[done_++];
    return true;
  }

private:
  static constexpr double never = std::numeric_limits<double>::infinity();
  static constexpr std::int64_t together = 16; ///< lengths whose costs are found at a time

  /// Sums of costs stay below infinity.
  static bool is_cost(double number) { return number >= 0 && number < 1e200; }

  /// Of the chain. Its first state is current: stored nowhere, or in a level; or it is in that level, and not current; or
  /// its first step's tape is in that level, and the others are reversed.
  struct Piece {
    enum { open, kept, returns, rewinds } what;
    std::int64_t begin, steps;
    std::size_t free, at;
  };

  std::int64_t free_slots(std::size_t free, std::size_t at) const {
    return std::int64_t(free / stride_[at] % std::size_t(levels_[at].slots + 1));
  }
  bool has_free(std::size_t free, std::size_t at, std::int64_t size) const {
    return stride_[at] == 0 || free_slots(free, at) >= size;
  }
  bool has_used(std::size_t free, std::size_t at) const {
    return stride_[at] == 0 || levels_[at].slots - free_slots(free, at) >= sizes_.state;
  }
  std::size_t of_state(std::size_t at) const { return stride_[at] * std::size_t(sizes_.state); }
  std::size_t of_tape(std::size_t at) const { return stride_[at] * std::size_t(sizes_.tape); }

  /// With `n` steps in front of the cut: up to there, and then those steps.
  double &front(std::size_t free, std::size_t at, std::int64_t n) {
    return front_[(free * levels_.size() + at) * row_ + std::size_t(n)];
  }
  double &open(std::size_t free, std::int64_t n) { return open_[free * row_ + std::size_t(n)]; }

  /// The cost of a piece whose state is in a level, and the steps in front of its cut.
  std::pair<double, std::int64_t> kept(std::size_t free, std::size_t at, std::int64_t steps) {
    if (steps == 1)
      return {0, 0};
    std::pair<double, std::int64_t> best = {never, 1};
    for (std::int64_t n = 1; n < steps; ++n)
      best = std::min(best, {front(free, at, n) + open(free, steps - n), n});
    return {best.first + levels_[at].read, best.second};
  }

  /// Calls each(free * number of levels + at, free, at) where the state of a piece can be in a level.
  template <class Each> void for_used(const Each &each) {
    for (std::size_t free = 0, i = 0; free != combinations_; ++free)
      for (std::size_t at = 0; at != levels_.size(); ++at, ++i)
        if (has_used_[i])
          each(i, free, at);
  }

  /// Cuts into pieces that are all shorter than `first` come at once for the lengths from there on; what is longer costs
  /// `never` until it is known. Then those into a piece of each length that is found.
  void fill(std::int64_t steps) {
    open_.assign(combinations_ * row_, never);
    front_.assign(combinations_ * levels_.size() * row_, never);
    for (std::size_t free = 0; free != combinations_; ++free)
      for (std::size_t at = 0; at != levels_.size(); ++at)
        has_used_.push_back(has_used(free, at));
    std::vector<double> kept_now(has_used_.size(), never);
    std::vector<std::array<double, together>> least(has_used_.size());
    for (std::int64_t first = 1; first <= steps; first += together) {
      for_used([&](std::size_t i, std::size_t free, std::size_t at) {
        std::array<double, together> found;
        found.fill(never);
        for (std::int64_t n = 1; n < first; ++n) {
          const double in_front = front(free, at, n), *behind = &open(free, first - n);
          for (std::size_t more = 0; more != found.size(); ++more)
            found[more] = in_front + behind[more] < found[more] ? in_front + behind[more] : found[more];
        }
        least[i] = found;
      });
      for (std::int64_t n = first; n <= steps && n < first + together; ++n) {
        for_used([&](std::size_t i, std::size_t, std::size_t at) {
          kept_now[i] = n == 1 ? 0 : levels_[at].read + least[i][std::size_t(n - first)];
        });
        fill_length(n, kept_now);
        for_used([&](std::size_t i, std::size_t free, std::size_t at) {
          for (std::int64_t next = n + 1; next < first + together; ++next) {
            double &cost = least[i][std::size_t(next - first)];
            cost =
                std::min({cost, front(free, at, n) + open(free, next - n), front(free, at, next - n) + open(free, n)});
          }
        });
      }
    }
  }

  void fill_length(std::int64_t n, const std::vector<double> &kept_now) {
    for (std::size_t free = 0; free != combinations_; ++free) {
      open(free, n) = n == 1 ? 0 : never;
      for (std::size_t at = 0; n > 1 && at != levels_.size(); ++at)
        if (has_free(free, at, sizes_.state))
          open(free, n) =
              std::min(open(free, n), levels_[at].write + kept_now[(free - of_state(at)) * levels_.size() + at]);
      if (n > 1)
        open(free, n) = std::min(open(free, n), taped(free, n).first);
    }
    for_used([&](std::size_t i, std::size_t free, std::size_t at) {
      front(free, at, n) = double(n) * forward_ + std::min(kept_now[i], open(free + of_state(at), n));
    });
  }

  /// The cost of a piece whose first state is stored, and the level for it.
  std::pair<double, std::size_t> stored(std::size_t free, std::int64_t steps) {
    std::pair<double, std::size_t> best = {never, 0};
    for (std::size_t at = 0; at != levels_.size(); ++at)
      if (has_free(free, at, sizes_.state))
        best = std::min(best, {levels_[at].write + kept(free - of_state(at), at, steps).first, at});
    return best;
  }

  /// The same where the tape of its first step is kept.
  std::pair<double, std::size_t> taped(std::size_t free, std::int64_t steps) {
    std::pair<double, std::size_t> best = {never, 0};
    for (std::size_t at = 0; sizes_.tape > 0 && at != levels_.size(); ++at)
      if (has_free(free, at, sizes_.tape))
        best = std::min(best, {(levels_[at].write + levels_[at].read) * double(sizes_.tape) / double(sizes_.state) +
                                   open(free - of_tape(at), steps - 1),
                               at});
    return best;
  }

  void write(Do what, std::int64_t from, std::int64_t to, std::size_t at) {
    actions_[written_++] = {what, from, to, at};
  }

  /// Writes the first actions of the next piece and leaves what follows them.
  bool expand() {
    if (left_.empty())
      return false;
    Piece p = left_.back();
    left_.pop_back();
    written_ = done_ = 0;
    if (p.what == Piece::rewinds) {
      write(Do::rewind, p.begin, 0, p.at);
      return true;
    }
    if (p.what == Piece::returns) {
      write(Do::restore, p.begin, 0, p.at);
      p.what = Piece::kept;
      // Given up: the state is then stored elsewhere, or reversed from.
      if (open(p.free + of_state(p.at), p.steps) < kept(p.free, p.at, p.steps).first || p.steps == 1) {
        write(Do::discard, p.begin, 0, p.at);
        p.what = Piece::open;
        p.free += of_state(p.at);
      }
    }
    if (p.what == Piece::open && p.steps == 1) {
      write(Do::backward, p.begin, 0, 0);
      return true;
    }
    if (p.what == Piece::open) {
      const auto by_state = stored(p.free, p.steps), by_tape = taped(p.free, p.steps);
      if (by_tape.first < never && by_tape.first <= by_state.first) {
        write(Do::tape, p.begin, 0, by_tape.second);
        left_.push_back({Piece::rewinds, p.begin, 1, 0, by_tape.second});
        left_.push_back({Piece::open, p.begin + 1, p.steps - 1, p.free - of_tape(by_tape.second), 0});
        return true;
      }
      p.at = by_state.second;
      p.free -= of_state(p.at);
      write(Do::store, p.begin, 0, p.at);
    }
    const std::int64_t cut = kept(p.free, p.at, p.steps).second;
    write(Do::forward, p.begin, p.begin + cut, 0);
    left_.push_back({Piece::returns, p.begin, cut, p.free, p.at});
    left_.push_back({Piece::open, p.begin + cut, p.steps - cut, p.free, 0});
    return true;
  }

  std::vector<Level> levels_;
  double forward_, cost_ = 0;
  Sizes sizes_;
  std::size_t row_, combinations_ = 1;
  std::vector<std::size_t> stride_; ///< of numbers of free slots; 0 for a level that is never full
  std::vector<double> open_, front_;
  std::vector<char> has_used_; ///< of each combination of free slots: of each level
  std::vector<Piece> left_;    ///< the next one last
  std::array<Action, 4> actions_;
  std::size_t written_ = 0, done_ = 0;
};

} // namespace memshape::checkpoint
