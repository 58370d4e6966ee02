// Observes the processes of a run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/measurement/forecast/Forecast.h"
#include "libmemshape/measurement/forecast/GrowthTrend.h"
#include "libmemshape/measurement/forecast/Timeline.h"
#include "libmemshape/measurement/record/LiveRecord.h"

#include <atomic>
#include <filesystem>
#include <memory>
#include <thread>

namespace memshape {

struct ProcessTimeline {
  int Pid = 0;
  std::uint64_t Started = 0; ///< Unix time, ns
  Timeline Line;
};

/// What happened with a limit. Times are seconds since the start of the run.
struct LimitOutcome {
  std::uint64_t Bytes = 0; ///< 0: none was asked for
  std::optional<double> WarnedAt;
  std::optional<double> MetAt;
  std::uint64_t MostHeld = 0;              ///< among the observations
  std::optional<ProcessForecast> Foreseen; ///< of the process that caused the warning, else the last forecast
};

struct MonitorOptions {
  std::filesystem::path Folder; ///< where the records of the run appear
  bool Timeline = false;
  std::uint64_t Limit = 0; ///< bytes; 0 for none
  ForecastOf Forecast;
  double Confidence = AlarmConfidence;           ///< of the bound of resident memory, for the warning
  std::function<void(const std::string &)> Warn; ///< called at most once, from the monitor's thread
};

/// Reads the records of a run while they are written, in a thread of its own. The only cost to the measured program is
/// processor time.
class Monitor {
public:
  explicit Monitor(MonitorOptions Options);
  ~Monitor();
  Monitor(const Monitor &) = delete;
  Monitor &operator=(const Monitor &) = delete;

  /// Stops after a last observation.
  void stop();

  // Only after stop.
  std::vector<ProcessTimeline> &timelines() { return Timelines; }
  const LimitOutcome &limit() const { return Outcome; }

private:
  struct Watched {
    LiveRecord Record;
    std::size_t Timeline; ///< index; the number of timelines stands for none
  };
  void work();
  void findRecords();
  void look(bool WithResident);
  void checkLimit(double Seconds, std::uint64_t Held);
  void warnOfCall(double Seconds, const RunRecord &Process, const ProcessForecast &Coming, double Likely);
  bool foresee(double Seconds);
  void warn(double Seconds, const std::string &Text);
  double seconds() const;
  std::chrono::microseconds pause() const;

  MonitorOptions Options;
  std::uint64_t Start = unixTime();
  std::vector<Watched> Records;
  std::vector<std::string> Known; ///< names of files that were read
  std::vector<ProcessTimeline> Timelines;
  LimitOutcome Outcome;
  GrowthTrend Trend;
  Forecaster Forecasts;
  double NextForecast = 0;
  bool Foreseen = false; ///< the calls in flight are known to stay below the limit
  std::atomic<bool> Stopping = false;
  std::thread Worker;
};

} // namespace memshape
