// The trend of memory over the last seconds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/forecast/GrowthTrend.h"

namespace memshape {

/// A shorter time shows no trend, s.
constexpr double Shortest = 0.25;

void GrowthTrend::add(double Seconds, double Bytes) {
  Seen.push_back({Seconds, Bytes});
  while (Seen.size() > 2 && Seconds - Seen.front().Seconds > Window)
    Seen.pop_front();
}

double GrowthTrend::rate() const {
  if (Seen.empty() || Seen.back().Seconds - Seen.front().Seconds < Shortest)
    return 0;
  double N = static_cast<double>(Seen.size()), MeanT = 0, MeanB = 0, Up = 0, Down = 0;
  for (const Observation &O : Seen) {
    MeanT += O.Seconds / N;
    MeanB += O.Bytes / N;
  }
  for (const Observation &O : Seen) {
    Up += (O.Seconds - MeanT) * (O.Bytes - MeanB);
    Down += (O.Seconds - MeanT) * (O.Seconds - MeanT);
  }
  return Down > 0 ? Up / Down : 0;
}

std::optional<double> GrowthTrend::secondsUntil(double Limit) const {
  if (Seen.empty())
    return std::nullopt;
  double Left = Limit - Seen.back().Bytes, Rate = rate();
  if (Left <= 0)
    return 0;
  if (Rate <= 0 || Left > Rate * 1e7) // more than months
    return std::nullopt;
  return Left / Rate;
}

bool isWorthAWarning(double Held, double Limit, const std::optional<double> &SecondsLeft) {
  return Held >= 0.9 * Limit || (Held >= 0.5 * Limit && SecondsLeft && *SecondsLeft < 60);
}

} // namespace memshape
