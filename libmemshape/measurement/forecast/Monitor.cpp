// Observes the processes of a run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/forecast/Monitor.h"
#include "libmemshape/measurement/record/RunText.h"
#include "record/record.h"

#include <algorithm>
#include <chrono>
#include <csignal>

namespace memshape {

constexpr std::size_t MostTimelines = 64;
constexpr std::size_t Buckets = 1024;
constexpr std::uint64_t FirstWidth = 250000; ///< ns
constexpr double ForecastEvery = 0.1;        ///< s

Monitor::Monitor(MonitorOptions Given) : Options(std::move(Given)), Forecasts(Options.Forecast, Options.Confidence) {
  Outcome.Bytes = Options.Limit;
  // Signals go to the thread that waits for the program.
  sigset_t All, Before;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  Worker = std::thread([this] { work(); });
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
}

Monitor::~Monitor() { stop(); }

void Monitor::stop() {
  if (!Worker.joinable())
    return;
  Stopping = true;
  Worker.join();
  findRecords();
  look(false);
}

double Monitor::seconds() const { return static_cast<double>(unixTime() - Start) / 1e9; }

/// Short at first, because short programs end soon; then a quarter of a bucket's width.
std::chrono::microseconds Monitor::pause() const {
  std::uint64_t Microseconds = seconds() < 0.05 ? 500 : 1000;
  std::uint64_t Width = FirstWidth;
  for (const ProcessTimeline &Process : Timelines)
    Width = std::max(Width, Process.Line.width());
  if (!Options.Timeline)
    Microseconds = 5000;
  else
    Microseconds = std::clamp<std::uint64_t>(Width / 4000, Microseconds, Options.Limit ? 5000 : 100000);
  return std::chrono::microseconds(Microseconds);
}

void Monitor::work() {
  for (unsigned Round = 0; !Stopping; ++Round) {
    if (Round % 8 == 0 || Records.empty())
      findRecords();
    look(Round % 4 == 0);
    std::this_thread::sleep_for(pause());
  }
}

void Monitor::findRecords() {
  std::error_code Ignored;
  for (const auto &Entry : std::filesystem::directory_iterator(Options.Folder, Ignored)) {
    std::string Name = Entry.path().filename().string();
    if (!Name.starts_with("record") || std::find(Known.begin(), Known.end(), Name) != Known.end())
      continue;
    Result<LiveRecord> Record = LiveRecord::open(Entry.path().string());
    if (!Record)
      continue; // its magic is not written yet: tried again later
    Known.push_back(Name);
    std::size_t Index = Timelines.size();
    if (Options.Timeline && Index < MostTimelines)
      Timelines.push_back({Record->pid(), Record->started(), Timeline(Buckets, FirstWidth)});
    else
      Index = MostTimelines;
    Records.push_back({std::move(*Record), Index});
  }
}

void Monitor::look(bool WithResident) {
  std::uint64_t Live = 0, Resident = 0;
  for (std::size_t I = 0; I != Records.size(); ++I) {
    Watched &One = Records[I];
    LiveFigures Now = One.Record.figures();
    std::uint64_t Pages = 0;
    if (Now.State == MEMSHAPE_RECORD_RUNNING && WithResident) {
      ResidentFigures Seen = residentFigures(One.Record.pid());
      Pages = Seen.Bytes;
      Resident += Pages;
      if (Options.Forecast && Pages)
        Forecasts.see(static_cast<std::uint64_t>(One.Record.pid()), lookOf(Now, Seen));
      Live += Pages ? static_cast<std::uint64_t>(std::max<std::int64_t>(Now.Live, 0)) : 0;
    }
    std::uint64_t Time = unixTime(), Begin = One.Record.started();
    if (One.Timeline < Timelines.size())
      Timelines[One.Timeline].Line.add(Time > Begin ? Time - Begin : 0, Now.Live, Now.Peak, Pages);
  }
  if (Options.Limit && WithResident)
    checkLimit(seconds(), std::max(Live, Resident));
}

void Monitor::warn(double Seconds, const std::string &Text) {
  if (Outcome.WarnedAt)
    return;
  Outcome.WarnedAt = Seconds;
  if (Options.Warn)
    Options.Warn(Text);
}

void Monitor::checkLimit(double Seconds, std::uint64_t Held) {
  const std::string Limit = "the limit of " + inUnits(Options.Limit);
  const std::string Now = inUnits(Held);
  Outcome.MostHeld = std::max(Outcome.MostHeld, Held);
  if (Held >= Options.Limit && !Outcome.MetAt) {
    Outcome.MetAt = Seconds;
    warn(Seconds, Limit + " is met after " + format("%.1f s: ", Seconds) + Now + " held");
  }
  if (Outcome.WarnedAt)
    return;
  Trend.add(Seconds, static_cast<double>(Held));
  if (Options.Forecast && Seconds >= NextForecast) {
    NextForecast = Seconds + ForecastEvery;
    Foreseen = foresee(Seconds);
  }
  std::optional<double> Left = Trend.secondsUntil(static_cast<double>(Options.Limit));
  if (!Foreseen && isWorthAWarning(static_cast<double>(Held), static_cast<double>(Options.Limit), Left))
    warn(Seconds, Now + " held" +
                      (Left ? ", growing by " + inUnits(Trend.rate()) + "/s: " + Limit + " is met in about " +
                                  format("%.1f s", *Left)
                            : ": " + Limit + " is near"));
}

void Monitor::warnOfCall(double Seconds, const RunRecord &Process, const ProcessForecast &Coming, double Likely) {
  auto First = std::find_if(Process.Open.begin(), Process.Open.end(), [&](const RunOpenCall &Open) {
    return !Process.Operators[Process.Groups[Open.Group].Operator].IsPhase;
  });
  const RunGroup &Group = Process.Groups[First->Group];
  const std::string Limit = "the limit of " + inUnits(Options.Limit);
  std::string Text = callName(Process.Operators[Group.Operator], Group);
  if (static_cast<double>(Coming.Peak) >= static_cast<double>(Options.Limit))
    Text += " will hold " + inUnits(Coming.Peak) + " at its peak" +
            (Coming.Exact ? "" : ", as far as can be foreseen") + ": " + Limit + " is met before it ends";
  else
    Text += " comes to " + inUnits(static_cast<std::int64_t>(mostExpected(Coming))) + " of resident memory, at most " +
            inUnits(Likely) + format(" (%g %%)", 100 * Options.Confidence) +
            (Coming.Exact ? "" : ", as far as can be foreseen") + ": " + Limit + " may be met before it ends";
  Outcome.Foreseen = Coming;
  warn(Seconds, Text);
}

/// Warns of calls that will reach the limit. Returns whether it is certain that none in flight will.
bool Monitor::foresee(double Seconds) {
  double Held = 0;                ///< by processes without a forecast
  double Likely = 0;              ///< forecast of all others
  std::optional<double> Most = 0; ///< the same for all data
  std::optional<RunRecord> Largest;
  std::optional<ProcessForecast> Coming;
  for (const Watched &One : Records) {
    Result<RunRecord> Process = One.Record.read();
    if (!Process || Process->State != MEMSHAPE_RECORD_RUNNING)
      continue;
    std::optional<ProcessForecast> Now = Forecasts.of(*Process);
    if (!Now) {
      Held +=
          std::max(static_cast<double>(Process->Live), static_cast<double>(residentFigures(One.Record.pid()).Bytes));
      Most = std::nullopt;
      continue;
    }
    Likely += mostLikely(*Now);
    std::optional<double> Possible = mostPossible(*Now);
    Most = Most && Possible ? std::optional(*Most + *Possible) : std::nullopt;
    if (!Coming || mostLikely(*Now) > mostLikely(*Coming)) {
      Coming = std::move(Now);
      Largest = std::move(*Process);
    }
  }
  if (!Coming)
    return false;
  Outcome.Foreseen = Coming;
  double Limit = static_cast<double>(Options.Limit);
  if (Likely + Held >= Limit)
    warnOfCall(Seconds, *Largest, *Coming, Likely + Held);
  return Most && *Most < Limit;
}

static TimelineBucket joined(const TimelineBucket &A, const TimelineBucket &B) {
  if (!A.Samples || !B.Samples)
    return A.Samples ? A : B;
  return {A.Samples + B.Samples, std::min(A.Least, B.Least), std::max(A.Most, B.Most), B.Last,
          std::max(A.ResidentMost, B.ResidentMost)};
}

void Timeline::add(std::uint64_t Time, std::int64_t Live, std::int64_t PeakNow, std::uint64_t Resident) {
  while (Time / Width >= Buckets.size()) {
    for (std::size_t I = 0; I != Buckets.size(); ++I)
      Buckets[I] = 2 * I + 1 < Buckets.size() ? joined(Buckets[2 * I], Buckets[2 * I + 1]) : TimelineBucket();
    Width *= 2;
  }
  std::int64_t Most = Live;
  if (PeakNow > Peak) {
    Peak = Most = PeakNow;
    PeakTime = Time;
  }
  TimelineBucket &To = Buckets[Time / Width];
  To = joined(To, {1, Live, Most, Live, Resident});
}

} // namespace memshape
