// Live bytes over time in bounded memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <vector>

namespace memshape {

/// Observations between two moments.
struct TimelineBucket {
  std::uint64_t Samples = 0; ///< 0: no observation
  std::int64_t Least = 0;
  std::int64_t Most = 0;
  std::int64_t Last = 0;
  std::uint64_t ResidentMost = 0;
};

/// A fixed number of buckets of equal width. When time exceeds the last one, neighbours are merged in pairs and the
/// width doubles. Minima and maxima are kept, so that a peak stays visible at every resolution.
class Timeline {
public:
  /// Even number of buckets, the first width in ns.
  Timeline(std::size_t Buckets, std::uint64_t Width) : Buckets(Buckets), Width(Width) {}

  /// At `Time` ns after the start, Live bytes were live, and Peak was the maximum so far. A peak between two
  /// observations is assigned to this bucket.
  void add(std::uint64_t Time, std::int64_t Live, std::int64_t Peak, std::uint64_t Resident);

  const std::vector<TimelineBucket> &buckets() const { return Buckets; }
  std::uint64_t width() const { return Width; }
  std::int64_t peak() const { return Peak; }
  std::uint64_t peakSeen() const { return PeakTime; } ///< when the peak was first observed, ns

private:
  std::vector<TimelineBucket> Buckets;
  std::uint64_t Width;
  std::int64_t Peak = 0;
  std::uint64_t PeakTime = 0;
};

} // namespace memshape
