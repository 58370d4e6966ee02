// The trend of memory over the last seconds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <deque>
#include <optional>

namespace memshape {

/// The trend of the last seconds.
class GrowthTrend {
public:
  explicit GrowthTrend(double Seconds = 3) : Window(Seconds) {}

  /// At `Seconds` after some start, Bytes were held.
  void add(double Seconds, double Bytes);

  /// Bytes per second: the slope of a least-squares line. 0 before there are enough observations.
  double rate() const;

  /// Seconds from the last observation until Limit is reached at this rate; 0 if it is already reached, nothing if
  /// memory does not grow.
  std::optional<double> secondsUntil(double Limit) const;

private:
  struct Observation {
    double Seconds;
    double Bytes;
  };
  double Window;
  std::deque<Observation> Seen;
};

/// Whether to warn that a limit will be reached: half of it is held and the trend reaches it within a minute, or a
/// tenth is left.
bool isWorthAWarning(double Held, double Limit, const std::optional<double> &SecondsLeft);

} // namespace memshape
