// What a schedule holds, from its beginning to its end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/graph/Schedule.h"

namespace memshape {

/// What is held between two instants. Where the nodes run one at a time, While is the one that runs.
struct HeldStep {
  double From = 0, To = 0;
  std::uint64_t Held = 0; ///< bytes
  graph::Node While = 0;  ///< that started or ended last
};

/// What is in memory of an output between two instants.
struct LivePart {
  graph::Node Of = 0;
  double From = 0, To = 0;
  std::uint64_t Held = 0; ///< bytes; less than the output where some of it was evicted
};

/// With times of the schedule, or, where it has none, with places in the order: the first node runs from 0 to 1.
struct Course {
  bool InTime = false;
  double Length = 0;
  std::vector<HeldStep> Steps; ///< one after the other; one of no length is a node that takes no time
  std::vector<LivePart> Parts; ///< in the order in which they end
  std::size_t Peak = 0;        ///< the first step that holds most
};

/// A time that a picture can show: sums of times may leave doubles.
double shownTime(double Time);

/// Of a feasible answer. O((n + m) log n).
Course courseOf(const graph::Graph &Of, const ScheduleAnswer &Answer);

/// Whether it is there when most is held.
bool isLiveAtPeak(const Course &In, const LivePart &Part);

} // namespace memshape
