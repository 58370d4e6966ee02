// What the calls in flight will come to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/measurement/record/RunRecord.h"
#include "libmemshape/text/AllocatingPlace.h"
#include "model/residency/Remaining.h"

#include <chrono>
#include <functional>
#include <future>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

namespace memshape {

/// Past runs about the final resident peak of a process that holds Held bytes for the caller of the operator.
using ResidentFromRuns = std::function<std::optional<Forecast>(double Held, double Confidence)>;

/// What a prediction says of one call.
struct CallForecast {
  std::int64_t Peak = 0;    ///< above entry
  std::int64_t OneTime = 0; ///< what only a process's first call adds
  bool Exact = false;
  std::optional<std::int64_t> Upper = {}; ///< bound of Peak whatever data decide; nothing where there is none
  Situation At = {};                      ///< the call as the model sees it
  bool FromSkeleton = true;               ///< else from past runs alone: Upper is theirs
  bool FromRun = false;                   ///< data have decided otherwise than was supposed, as was seen
  std::size_t Runs = 0;                   ///< past runs of the operator that are known
  ResidentFromRuns FromRuns = {};         ///< empty where there are none
  /// The same call after it was seen to hold this: data have decided by then. Nothing where that is not understood;
  /// empty where data decide nothing. May take seconds.
  std::function<std::optional<CallForecast>(const HeldByPlace &)> AfterSeeing = {};
};

/// Predicts a call of an operator that File, a program or a library, has; nothing where that cannot be done. May take
/// seconds.
using ForecastOf =
    std::function<std::optional<CallForecast>(const std::string &File, const RunOperator &, const RunGroup &)>;

/// Of the resident peak of a process, bytes.
struct ResidentForecast {
  double Peak = 0;             ///< expected
  double Likely = 0;           ///< bound, if data decide as was supposed or seen
  std::optional<double> Upper; ///< bound whatever data decide; nothing where the heap has none
};

struct ProcessForecast {
  std::int64_t Peak = 0; ///< of live bytes, of the whole process, by the end of the calls that are in flight
  bool Exact = false;    ///< of what the operators hold; the process may allocate beside them
  std::optional<std::int64_t> Upper = {}; ///< bound of Peak
  std::optional<ResidentForecast> Resident = {};
  double Confidence = 0; ///< of the bounds of resident memory
  bool FromSkeleton = true;
  bool FromRun = false; ///< sizes that were seen in this run had a say
  std::size_t Runs = 0; ///< past runs that had a say
};

/// The most of both kinds of memory: what a limit is about.
double mostExpected(const ProcessForecast &Of);
double mostLikely(const ProcessForecast &Of);
/// Nothing where a bound is missing.
std::optional<double> mostPossible(const ProcessForecast &Of);

/// The member `forecast` of memshape.watch/1.
nlohmann::ordered_json forecastJson(const ProcessForecast &Of);

/// Asks for each operator, shape and choice of settings once, beside the caller's own work, and follows what processes
/// hold.
class Forecaster {
public:
  using Clock = std::chrono::steady_clock;
  /// The time as the forecaster sees it; tests have a clock of their own.
  using TimeNow = std::function<Clock::time_point()>;

  explicit Forecaster(ForecastOf Ask, double Confidence = AlarmConfidence, TimeNow Now = Clock::now)
      : Ask(std::move(Ask)), Confidence(Confidence), Now(std::move(Now)) {}

  /// A look at a process; the more there are, the better is known what it holds beside its heap.
  void see(std::uint64_t Pid, const Look &Seeing) { Seen[Pid].see(Seeing); }

  /// From the forecasts that are there by now; nothing while no operator call is in flight or one of them has no
  /// forecast (yet). Of resident memory where the process was looked at.
  std::optional<ProcessForecast> of(const RunRecord &Process);

  /// Returns when no question is open: of() then uses all answers to the questions that it has asked so far.
  void wait() const;

private:
  /// What is known of a call by what it was seen to hold.
  struct Followed {
    HeldByPlace Asked; ///< the moment that was last looked into
    std::optional<CallForecast> Found;
  };
  using CallOfProcess = std::pair<std::uint64_t, std::uint64_t>; ///< process id and order of entry

  std::optional<CallForecast> ofCall(const RunRecord &Process, const RunGroup &Group);
  const CallForecast *afterSeeing(const RunRecord &Process, const RunOpenCall &Open, const CallForecast &Before);
  void addResident(const RunRecord &Process, const std::vector<CallForecast> &Calls, std::int64_t Base,
                   ProcessForecast &Into) const;

  ForecastOf Ask;
  double Confidence;
  TimeNow Now;
  std::map<std::uint64_t, Remaining> Seen;                  ///< by process id
  std::map<std::string, std::optional<CallForecast>> Known; ///< by operator, shape and settings
  std::string Asked;                                        ///< the key of Pending
  std::future<std::optional<CallForecast>> Pending;
  std::map<CallOfProcess, Followed> Followings;
  CallOfProcess LookedInto; ///< the key of PendingLook
  Clock::time_point LookBegan, NextLook;
  std::future<std::optional<CallForecast>> PendingLook;
};

} // namespace memshape
