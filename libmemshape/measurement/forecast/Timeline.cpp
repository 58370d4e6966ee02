// Live bytes over time in bounded memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/forecast/Timeline.h"

#include <algorithm>

namespace memshape {
static TimelineBucket joined(const TimelineBucket &A, const TimelineBucket &B) {
  if (!A.Samples || !B.Samples)
    return A.Samples ? A : B;
  return {A.Samples + B.Samples, std::min(A.Least, B.Least), std::max(A.Most, B.Most), B.Last,
          std::max(A.ResidentMost, B.ResidentMost)};
}

void Timeline::add(std::uint64_t Time, std::int64_t Live, std::int64_t PeakNow, std::uint64_t Resident) {
  while (Time / Width >= Buckets.size()) {
    for (std::size_t I = 0; I != Buckets.size(); ++I)
      Buckets[I] = 2 * I + 1 < Buckets.size() ? joined(Buckets[2 * I], Buckets[2 * I + 1]) : TimelineBucket();
    Width *= 2;
  }
  std::int64_t Most = Live;
  if (PeakNow > Peak) {
    Peak = Most = PeakNow;
    PeakTime = Time;
  }
  TimelineBucket &To = Buckets[Time / Width];
  To = joined(To, {1, Live, Most, Live, Resident});
}

} // namespace memshape
