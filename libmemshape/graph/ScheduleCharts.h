// Drawings of a schedule.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/graph/Course.h"
#include "libmemshape/pictures/Chart.h"

namespace memshape {

/// What is held over the course as steps, with the peak, the memory, and what every order holds.
Chart memoryChart(const Course &In, const ScheduleAnswer &Answer, std::optional<std::uint64_t> Memory,
                  const std::vector<std::string> &Ids);

/// A bar for each output, from its birth to its death.
Chart livesChart(const Course &In, const ScheduleAnswer &Answer, const std::vector<std::string> &Ids);

/// A row for each processor. Answer has times.
Chart ganttChart(const ScheduleAnswer &Answer, const std::vector<std::string> &Ids);

} // namespace memshape
