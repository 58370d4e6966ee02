// A schedule as a page, a chart, a graph.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/graph/Course.h"
#include "libmemshape/pictures/Chart.h"

namespace memshape {

/// A page for browsers: what is held, what runs where, what is live when. Of a feasible answer, here and below; Memory
/// is what was asked for. A large graph is drawn in part, and the page says so.
std::string scheduleHtml(const graph::Graph &Of, const ScheduleAnswer &Answer, std::optional<std::uint64_t> Memory,
                         const std::vector<std::string> &Ids);

/// What is held, as an SVG file.
std::string scheduleSvg(const graph::Graph &Of, const ScheduleAnswer &Answer, std::optional<std::uint64_t> Memory,
                        const std::vector<std::string> &Ids);

/// The whole graph in the language DOT: nodes go by their ids, with bytes, place in the order, and those marked during
/// which most is held.
std::string scheduleDot(const graph::Graph &Of, const ScheduleAnswer &Answer, const std::vector<std::string> &Ids);

/// What is held over the course as steps, with the peak, the memory, and what every order holds.
Chart memoryChart(const Course &In, const ScheduleAnswer &Answer, std::optional<std::uint64_t> Memory,
                  const std::vector<std::string> &Ids);

/// A bar for each output, from its birth to its death.
Chart livesChart(const Course &In, const ScheduleAnswer &Answer, const std::vector<std::string> &Ids);

/// A row for each processor. Answer has times.
Chart ganttChart(const ScheduleAnswer &Answer, const std::vector<std::string> &Ids);

} // namespace memshape
