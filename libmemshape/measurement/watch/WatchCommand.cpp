//===- WatchCommand.cpp - memshape watch, as a function ------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libmemshape/measurement/watch/WatchCommand.h"

#include "libmemshape/measurement/forecast/GrowthTrend.h"
#include "libmemshape/measurement/record/LiveRecord.h"
#include "libmemshape/measurement/watch/Moment.h"

#include "record/record.h"

#include <algorithm>
#include <chrono>
#include <sys/ioctl.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace memshape {
namespace {

Result<LiveRecord> recordOf(const std::string &Target) {
  bool IsNumber = !Target.empty() && Target.size() < 10 && Target.find_first_not_of("0123456789") == std::string::npos;
  return IsNumber ? LiveRecord::ofProcess(std::stoi(Target)) : LiveRecord::open(Target);
}

class Watch {
public:
  Watch(const WatchOptions &Options, LiveRecord Record)
      : Options(Options), Record(std::move(Record)), Forecasts(Options.Forecast, Options.Confidence) {}

  Result<Moment> look();
  std::string text(const Moment &Now) const;

private:
  const WatchOptions &Options;
  LiveRecord Record;
  GrowthTrend Trend{10};
  Forecaster Forecasts;
};

Result<Moment> Watch::look() {
  Moment Now;
  ResidentFigures Resident = residentFigures(Record.pid());
  LiveFigures Counted = Record.figures();
  Now.Alive = isAlive(Record.pid());
  Result<RunRecord> Process = Record.read();
  if (!Process)
    return Process.failure();
  Now.Process = std::move(*Process);
  Now.Alive = Now.Alive && (Now.Process.State == MEMSHAPE_RECORD_RUNNING);
  Now.Resident = Now.Alive ? Resident.Bytes : 0;
  std::uint64_t Time = unixTime();
  Now.Seconds = Time > Record.started() ? static_cast<double>(Time - Record.started()) / 1e9 : 0;
  Now.Limit = Options.Limit;
  Trend.add(Now.Seconds, heldBytes(Now));
  if (Now.Alive) {
    Now.Rate = Trend.rate();
    if (Resident.Bytes)
      Forecasts.see(Now.Process.Pid, lookOf(Counted, Resident));
    Now.Forecast = Forecasts.of(Now.Process);
    if (Options.Limit)
      Now.SecondsLeft = Trend.secondsUntil(static_cast<double>(Options.Limit));
    Now.Alarm = meetsLimit(Now);
  }
  return Now;
}

std::string Watch::text(const Moment &Now) const {
  if (Options.Json) // names from a measured program may be invalid UTF-8
    return momentJson(Now).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  if (!Options.Screen)
    return momentLine(Now) + "\n";
  winsize Size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &Size) != 0 || !Size.ws_col || !Size.ws_row)
    Size = {24, 80, 0, 0};
  return momentScreen(Now, Size.ws_col, Size.ws_row);
}

} // namespace

int watchCommand(const WatchOptions &Options, std::ostream &Out, std::ostream &Err) {
  Result<LiveRecord> Record = recordOf(Options.Target);
  if (!Record) {
    Err << "memshape: " << Record.failure().Message << "\n";
    return 2;
  }
  Watch Watching(Options, std::move(*Record));
  bool Raised = false;
  for (std::uint64_t Round = 1;; ++Round) {
    Result<Moment> Now = Watching.look();
    if (!Now) {
      Err << "memshape: " << Now.failure().Message << "\n";
      return 2;
    }
    Out << Watching.text(*Now) << std::flush;
    if (Now->Alarm && !std::exchange(Raised, true))
      Err << "memshape: " + alarmLine(*Now) + "\n" << std::flush;
    if (Raised && Options.UntilAlarm)
      return 1;
    if (!Now->Alive || Round == Options.Times || !Out)
      return 0;
    // In steps, so that the end of the process is noticed soon.
    for (double Left = Options.Interval; Left > 0 && isAlive(static_cast<int>(Now->Process.Pid)); Left -= 0.1)
      std::this_thread::sleep_for(std::chrono::duration<double>(std::min(Left, 0.1)));
  }
}

} // namespace memshape
