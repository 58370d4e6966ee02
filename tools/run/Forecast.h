//===- Forecast.h - What the calls in flight will come to ---------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_RUN_FORECAST_H
#define MEMSHAPE_RUN_FORECAST_H

#include "tools/run/RunRecord.h"

#include <functional>
#include <future>
#include <map>
#include <optional>

namespace memshape {

/// What a prediction says of one call.
struct CallForecast {
  std::int64_t Peak = 0;    ///< above entry
  std::int64_t OneTime = 0; ///< what only a process's first call adds
  bool Exact = false;
};

/// Predicts a call of an operator that File, a program or a library, has; nothing where that cannot be done. May take
/// seconds.
using ForecastOf =
    std::function<std::optional<CallForecast>(const std::string &File, const RunOperator &, const RunGroup &)>;

struct ProcessForecast {
  std::int64_t Peak = 0; ///< of live bytes, of the whole process, by the end of the calls that are in flight
  bool Exact = false;    ///< of what the operators hold; the process may allocate beside them
};

/// Asks for each operator, shape and choice of settings once, beside the caller's own work.
class Forecaster {
public:
  explicit Forecaster(ForecastOf Ask) : Ask(std::move(Ask)) {}

  /// From the forecasts that are there by now; nothing while no operator call is in flight or one of them has no
  /// forecast (yet).
  std::optional<ProcessForecast> of(const RunRecord &Process);

private:
  std::optional<CallForecast> ofCall(const RunRecord &Process, const RunGroup &Group);

  ForecastOf Ask;
  std::map<std::string, std::optional<CallForecast>> Known; ///< by operator, shape and settings
  std::string Asked;                                        ///< the key of Pending
  std::future<std::optional<CallForecast>> Pending;
};

} // namespace memshape

#endif // MEMSHAPE_RUN_FORECAST_H
