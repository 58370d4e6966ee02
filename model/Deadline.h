//===- Deadline.h - A moment that a busy machine puts off -----------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is found within some time should not depend on what else the machine does: where the work has got less of the
// processor than time has passed, the deadline moves on, up to four times the allowed time.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_MODEL_DEADLINE_H
#define MEMSHAPE_MODEL_DEADLINE_H

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>

namespace memshape {

/// Processor time that the work has taken so far; nothing where that cannot be told, and all time counts.
using BusyClock = std::function<std::optional<std::chrono::nanoseconds>()>;

class Deadline {
public:
  using Clock = std::chrono::steady_clock;

  Deadline() = default;
  explicit Deadline(Clock::time_point Moment) : Moment(Moment), Last(Moment) {}
  /// From now on; never after Latest.
  Deadline(Clock::duration Allowed, BusyClock Busy, Clock::time_point Latest = Clock::time_point::max())
      : Moment(std::min(Latest, Clock::now() + Allowed)), Last(Moment), Allowed(Allowed), Busy(std::move(Busy)) {
    if (std::optional<std::chrono::nanoseconds> Start = this->Busy ? this->Busy() : std::nullopt) {
      BusyAtStart = *Start;
      Last = std::min(Latest, Clock::now() + PutOff * Allowed);
    }
  }

  Clock::time_point moment() const { return Moment; }
  bool passed() {
    Clock::time_point Now = Clock::now();
    if (Now < Moment)
      return false;
    if (Now >= Last)
      return true;
    std::optional<std::chrono::nanoseconds> Spent = Busy();
    if (!Spent || *Spent - BusyAtStart >= Allowed)
      return true;
    Moment = std::min(Last, Now + std::chrono::duration_cast<Clock::duration>(Allowed - (*Spent - BusyAtStart)));
    return false;
  }

private:
  static constexpr int PutOff = 4;

  Clock::time_point Moment, Last;
  Clock::duration Allowed{};
  BusyClock Busy;
  std::chrono::nanoseconds BusyAtStart{};
};

} // namespace memshape

#endif // MEMSHAPE_MODEL_DEADLINE_H
