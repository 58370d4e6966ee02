// memshape.timeline/1.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/measurement/forecast/Monitor.h"
#include "libmemshape/measurement/report/RunReport.h"

namespace memshape {

/// Live bytes over time of every process of a run, with the peaks that their records know and the spans of operator
/// calls and phases; see docs/formats.md, section 5.
nlohmann::ordered_json timelineJson(const Run &R, const std::vector<ProcessTimeline> &Timelines);

} // namespace memshape
