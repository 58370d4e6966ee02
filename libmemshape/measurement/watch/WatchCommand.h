// memshape watch, as a function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/measurement/forecast/Forecast.h"

#include <ostream>
#include <string>

namespace memshape {

struct WatchOptions {
  std::string Target;                  ///< a process id, the path of a record, or a folder of stores
  double Interval = 1;                 ///< seconds between two observations
  std::uint64_t Limit = 0;             ///< bytes; 0 for none
  std::uint64_t Times = 0;             ///< observations; 0: until the process ends
  bool Json = false;                   ///< one line of memshape.watch/1 per observation
  bool Screen = false;                 ///< redraw in place: Out is a terminal
  ForecastOf Forecast;                 ///< may be empty
  double Confidence = AlarmConfidence; ///< of the forecast's bound of resident memory
  bool UntilAlarm = false;             ///< end with status 1 when the limit is reached or foreseen
};

/// Prints what a counted process holds, and what stores of <memshape/out_of_core.h> do, until the process ends. If a limit is reached, or foreseen to be, one line on Err says
/// so, once. Returns the exit status: 0; 1 if UntilAlarm ended it; or 2 with one line on Err.
int watchCommand(const WatchOptions &Options, std::ostream &Out, std::ostream &Err);

} // namespace memshape
