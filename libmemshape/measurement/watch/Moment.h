// What a process holds at one moment.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/measurement/forecast/Forecast.h"
#include "libmemshape/measurement/stores/StoreWatch.h"

#include <nlohmann/json.hpp>

namespace memshape {

struct Moment {
  RunRecord Process;
  bool Counted = true;        ///< the runtime is in the process; else of Process only Pid and Program are known
  double Seconds = 0;         ///< since the start of the record
  std::uint64_t Resident = 0; ///< bytes; 0 when the process is gone
  bool Alive = false;
  double Rate = 0; ///< bytes per second
  std::optional<ProcessForecast> Forecast;
  std::uint64_t Limit = 0;           ///< bytes; 0 for none
  std::optional<double> SecondsLeft; ///< until the limit is reached at this rate
  bool Alarm = false;                ///< it is reached, or the forecast's bound reaches it
  std::vector<StoreLook> Stores;     ///< of <memshape/out_of_core.h>
};

/// Live or resident bytes, whichever are more: the limit applies to these.
double heldBytes(const Moment &Now);

/// Whether the limit is reached, or the calls in flight are expected to reach it.
bool meetsLimit(const Moment &Now);

/// The line that is printed once, when the alarm is raised.
std::string alarmLine(const Moment &Now);

/// One line for a pipe.
std::string momentLine(const Moment &Now);

/// A page for a screen of so many columns and rows.
std::string momentScreen(const Moment &Now, std::size_t Columns, std::size_t Rows);

/// memshape.watch/1; see docs/formats.md, section 5.
nlohmann::ordered_json momentJson(const Moment &Now);

} // namespace memshape
