// Observes the processes of a run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/measurement/forecast/Forecast.h"
#include "libmemshape/measurement/forecast/GrowthTrend.h"
#include "libmemshape/measurement/record/LiveRecord.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <thread>
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
