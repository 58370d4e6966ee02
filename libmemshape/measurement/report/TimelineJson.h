//===- TimelineJson.h - memshape.timeline/1 ------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_RUN_TIMELINEJSON_H
#define MEMSHAPE_RUN_TIMELINEJSON_H

#include "libmemshape/measurement/forecast/Monitor.h"
#include "libmemshape/measurement/report/RunReport.h"

namespace memshape {

/// Live bytes over time of every process of a run, with the peaks that their records know and the spans of operator
/// calls and phases; see docs/timeline.md.
nlohmann::ordered_json timelineJson(const Run &R, const std::vector<ProcessTimeline> &Timelines);

} // namespace memshape

#endif // MEMSHAPE_RUN_TIMELINEJSON_H
