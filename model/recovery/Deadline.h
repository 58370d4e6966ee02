// An end that a busy machine does not bring nearer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is found within some time must not depend on what else the machine does, nor on how fast it is: time is told by
// a clock that counts work (evaluations, and the instructions in them; BusyClock), and passes alike everywhere. Real
// time is a last resort, far away.

#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>

namespace memshape {

/// Time that the work so far takes on a usual processor; nothing where that cannot be told, and real time counts.
using BusyClock = std::function<std::optional<std::chrono::nanoseconds>()>;

class Deadline {
public:
  using Clock = std::chrono::steady_clock;

  Deadline() = default;
  explicit Deadline(Clock::time_point Moment) : Last(Moment) {}
  /// From now on.
  Deadline(Clock::duration Allowed, BusyClock Busy) : Allowed(Allowed), Busy(std::move(Busy)) {
    if (std::optional<std::chrono::nanoseconds> Start = this->Busy ? this->Busy() : std::nullopt) {
      BusyAtStart = *Start;
      Last = Clock::now() + std::max<Clock::duration>(LastResort * Allowed, std::chrono::seconds(10));
    } else {
      this->Busy = {};
      Last = Clock::now() + Allowed;
    }
  }

  bool passed() const { return left() <= Clock::duration::zero(); }
  Clock::duration left() const {
    const Clock::duration InFact = Last - Clock::now();
    const std::optional<std::chrono::nanoseconds> Spent = Busy ? Busy() : std::nullopt;
    return Spent ? std::min<Clock::duration>(InFact, Allowed - (*Spent - BusyAtStart)) : InFact;
  }

private:
  static constexpr int LastResort = 40;

  Clock::time_point Last;
  Clock::duration Allowed{};
  BusyClock Busy;
  std::chrono::nanoseconds BusyAtStart{};
};

} // namespace memshape
