// A forecast in numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/forecast/Forecast.h"
#include "libmemshape/text/ByteFigures.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace memshape {

double mostExpected(const ProcessForecast &Of) {
  return std::max(static_cast<double>(Of.Peak), Of.Resident ? Of.Resident->Peak : 0);
}

double mostLikely(const ProcessForecast &Of) {
  return std::max(static_cast<double>(Of.Peak), Of.Resident ? Of.Resident->Likely : 0);
}

std::optional<double> mostPossible(const ProcessForecast &Of) {
  if (!Of.Upper || (Of.Resident && !Of.Resident->Upper))
    return std::nullopt;
  return std::max(static_cast<double>(*Of.Upper), Of.Resident ? *Of.Resident->Upper : 0);
}

nlohmann::ordered_json forecastJson(const ProcessForecast &Of) {
  using Json = nlohmann::ordered_json;
  Json To = {{"peak_bytes", Of.Peak},
             {"exact", Of.Exact},
             {"upper_bytes", Of.Upper ? Json(*Of.Upper) : Json(nullptr)},
             {"rss", nullptr},
             {"evidence", !Of.FromSkeleton ? "history"
                          : Of.FromRun     ? "skeleton and run"
                                           : "skeleton"},
             {"runs", Of.Runs}};
  if (Of.Resident)
    To["rss"] = {{"peak_bytes", wholeBytes(Of.Resident->Peak)},
                 {"likely_upper_bytes", wholeBytesAbove(Of.Resident->Likely)},
                 {"upper_bytes", Of.Resident->Upper ? Json(wholeBytesAbove(*Of.Resident->Upper)) : Json(nullptr)},
                 {"confidence", Of.Confidence}};
  return To;
}

} // namespace memshape
