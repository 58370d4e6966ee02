// What a process holds at one moment.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/watch/Moment.h"

#include "libmemshape/measurement/record/RunText.h"
#include "libmemshape/measurement/report/RunParts.h"
#include "libmemshape/measurement/stores/StoreWatch.h"
#include "libmemshape/text/Escapes.h"

#include "record/record.h"

#include <algorithm>

namespace memshape {
using Json = nlohmann::ordered_json;

/// The operator call that was entered last, or the phase.
static const RunOpenCall *lastOpen(const RunRecord &Process, bool Phase) {
  const RunOpenCall *Last = nullptr;
  for (const RunOpenCall &Open : Process.Open)
    if (isPhase(Process, Process.Groups[Open.Group]) == Phase)
      Last = &Open;
  return Last;
}

static std::string nameOf(const RunRecord &Process, const RunOpenCall &Open) {
  const RunGroup &Group = Process.Groups[Open.Group];
  return callName(Process.Operators[Group.Operator], Group);
}

static std::string forecastText(const ProcessForecast &Forecast) {
  return (Forecast.Exact ? "" : "about ") + inUnits(Forecast.Peak);
}

/// "470.02 MiB (at most 471.10 MiB at 90 %)"
static std::string residentText(const ProcessForecast &Forecast) {
  return inUnits(Forecast.Resident->Peak) + " (at most " + inUnits(Forecast.Resident->Likely) +
         format(" at %g %%)", 100 * Forecast.Confidence);
}

static bool isForeseen(const Moment &Now) {
  return Now.Forecast && mostLikely(*Now.Forecast) >= static_cast<double>(Now.Limit);
}

static std::string leftText(const Moment &Now) {
  if (isForeseen(Now) && !(Now.SecondsLeft && *Now.SecondsLeft < 3600))
    return mostExpected(*Now.Forecast) >= static_cast<double>(Now.Limit) ? "met before the calls in flight end"
                                                                         : "may be met before the calls in flight end";
  if (Now.Forecast)
    if (std::optional<double> Most = mostPossible(*Now.Forecast); Most && *Most < static_cast<double>(Now.Limit))
      return "not met by the calls in flight";
  if (!Now.SecondsLeft)
    return "not in sight";
  return *Now.SecondsLeft <= 0 ? "met" : "in about " + duration(*Now.SecondsLeft * 1e9);
}

static const char *endWord(const Moment &Now) {
  if (!Now.Counted)
    return Now.Alive ? "running" : "ended";
  switch (Now.Process.State) {
  case MEMSHAPE_RECORD_ENDED: return "exited";
  case MEMSHAPE_RECORD_LEFT: return "exited at once";
  case MEMSHAPE_RECORD_ABORTED: return "aborted";
  case MEMSHAPE_RECORD_REPLACED: return "replaced by another program";
  default: return Now.Alive ? "running" : "killed";
  }
}

/// A bar of Width characters for Value out of Whole.
static std::string bar(double Value, double Whole, std::size_t Width) {
  auto Full =
      static_cast<std::size_t>(std::clamp(Whole > 0 ? Value / Whole : 0.0, 0.0, 1.0) * static_cast<double>(Width));
  return "[" + std::string(Full, '#') + std::string(Width - Full, ' ') + "]";
}

/// For a pipe, behind the figures of the process. Of several stores each has its folder's name.
static std::string storesText(const Moment &Now) {
  std::string Text;
  for (const StoreLook &Each : Now.Stores)
    Text += "  store " + (Now.Stores.size() > 1 ? baseName(Each.Folder) + ": " : "") + storePlaces(Each.Now) + "  " +
            storeTraffic(Each);
  return Text;
}

/// Lines cut to the screen's width, as many as fit, each clearing the rest of its line.
static std::string onScreen(const std::string &Text, std::size_t Columns, std::size_t Rows) {
  std::string Screen = "\x1b[H";
  std::size_t Row = 0;
  for (std::size_t At = 0; At < Text.size() && Row + 1 < Rows; ++Row) {
    std::size_t End = std::min(Text.find('\n', At), Text.size());
    Screen += Text.substr(At, std::min(End - At, Columns)) + "\x1b[K\n";
    At = End + 1;
  }
  return Screen + "\x1b[J";
}

double heldBytes(const Moment &Now) {
  return std::max(static_cast<double>(Now.Process.Live), static_cast<double>(Now.Resident));
}

bool meetsLimit(const Moment &Now) {
  return Now.Limit && (heldBytes(Now) >= static_cast<double>(Now.Limit) || isForeseen(Now));
}

std::string alarmLine(const Moment &Now) {
  std::string Limit = "the limit of " + inUnits(Now.Limit);
  if (heldBytes(Now) >= static_cast<double>(Now.Limit))
    return Limit + " is met: " + inUnits(heldBytes(Now)) + " held";
  const RunOpenCall *Call = lastOpen(Now.Process, false);
  return (Call ? nameOf(Now.Process, *Call) + ": " : "") + Limit +
         (mostExpected(*Now.Forecast) >= static_cast<double>(Now.Limit) ? " is met" : " may be met") +
         " before it ends: forecast " + inUnits(mostExpected(*Now.Forecast)) + ", at most " +
         inUnits(mostLikely(*Now.Forecast)) + (Now.Forecast->Exact ? "" : ", as far as can be foreseen");
}

std::string momentLine(const Moment &Now) {
  const RunRecord &Process = Now.Process;
  std::string Text = format("%8.1f s", Now.Seconds);
  if (Now.Counted)
    Text += "  live " + inUnits(Process.Live) + "  peak " + inUnits(Process.Peak);
  if (!Now.Alive)
    return Text + "  " + endWord(Now) + storesText(Now);
  Text +=
      "  resident " + inUnits(Now.Resident) + format("  %s%s/s", Now.Rate < 0 ? "" : "+", inUnits(Now.Rate).c_str());
  if (const RunOpenCall *Phase = lastOpen(Process, true))
    Text += "  phase " + nameOf(Process, *Phase);
  if (const RunOpenCall *Call = lastOpen(Process, false))
    Text += "  " + nameOf(Process, *Call);
  if (Now.Forecast)
    Text += "  forecast " + forecastText(*Now.Forecast) +
            (Now.Forecast->Resident ? "  resident " + residentText(*Now.Forecast) : "");
  if (Now.Limit)
    Text += "  limit " + inUnits(Now.Limit) + " " + leftText(Now);
  return Text + storesText(Now);
}

std::string momentScreen(const Moment &Now, std::size_t Columns, std::size_t Rows) {
  const RunRecord &Process = Now.Process;
  double Whole = std::max({static_cast<double>(Process.Peak), static_cast<double>(Now.Resident),
                           static_cast<double>(Now.Limit), Now.Forecast ? mostLikely(*Now.Forecast) : 0.0});
  for (const StoreLook &Each : Now.Stores)
    Whole = std::max(Whole, static_cast<double>(Each.Now.resident_bytes));
  std::size_t Width = Columns > 60 ? Columns - 45 : 15;
  auto Row = [&](const char *Label, double Bytes) {
    return format("  %-10s%14s  ", Label, inUnits(Bytes).c_str()) + bar(Bytes, Whole, Width) + "\n";
  };
  std::string Text = "memshape watch: " + baseName(Process.Program) + ", process " + std::to_string(Process.Pid) +
                     format(", %s, %.1f s\n\n", endWord(Now), Now.Seconds);
  if (Now.Counted)
    Text += Row("live", static_cast<double>(Process.Live)) + Row("peak", static_cast<double>(Process.Peak));
  if (Now.Resident)
    Text += Row("resident", static_cast<double>(Now.Resident));
  if (Now.Forecast)
    Text += Row(Now.Forecast->Exact ? "forecast" : "forecast ~", static_cast<double>(Now.Forecast->Peak));
  if (Now.Forecast && Now.Forecast->Resident)
    Text +=
        Row("resident ~", Now.Forecast->Resident->Peak) + "              at most " + residentText(*Now.Forecast) + "\n";
  if (Now.Limit)
    Text += Row("limit", static_cast<double>(Now.Limit)) + "            " + leftText(Now) + "\n";
  Text += format("  %-10s%14s/s\n", "growth", inUnits(Now.Rate).c_str());
  for (const StoreLook &Each : Now.Stores)
    Text += "\n" + Row("store", static_cast<double>(Each.Now.resident_bytes)) + "    " + storePlaces(Each.Now) +
            "\n    " + storeTraffic(Each) + "\n    " + oneLine(Each.Folder) + "\n";
  for (const RunOpenCall &Open : Process.Open)
    Text += std::string(isPhase(Process, Process.Groups[Open.Group]) ? "\n  phase " : "\n  in ") +
            nameOf(Process, Open) + "  (" + inUnits(Process.Live - Open.Base) + " above its entry)";
  if (!Process.Open.empty())
    Text += "\n";
  if (!Process.LiveSites.empty())
    Text += "\n" + sitesTable(Process, Process.LiveSites, Process.Live, "live now");
  return onScreen(Text, Columns, Rows);
}

Json momentJson(const Moment &Now) {
  const RunRecord &Process = Now.Process;
  Json To = {{"schema", "memshape.watch/1"},
             {"pid", Process.Pid},
             {"program", Process.Program},
             {"time_s", Now.Seconds},
             {"state", endWord(Now)},
             {"heap", Now.Counted ? Json{{"live_bytes", Process.Live},
                                         {"peak_bytes", Process.Peak},
                                         {"peak_error_bytes", Process.PeakError},
                                         {"total_bytes", Process.Total},
                                         {"allocations", Process.Allocations}}
                                  : Json(nullptr)},
             {"rss", {{"bytes", Now.Resident}}},
             {"growth_bytes_per_s", Now.Rate},
             {"in_flight", inFlightJson(Process)},
             {"pools", poolsJson(Process)},
             {"live_sites", sitesJson(Process, Process.LiveSites, Host, "bytes")}};
  To["forecast"] = Now.Forecast ? forecastJson(*Now.Forecast) : Json(nullptr);
  To["limit"] = Now.Limit ? Json{{"bytes", Now.Limit},
                                 {"seconds_left", Now.SecondsLeft ? Json(*Now.SecondsLeft) : Json(nullptr)},
                                 {"alarm", Now.Alarm}}
                          : Json(nullptr);
  To["stores"] = Json::array();
  for (const StoreLook &Each : Now.Stores)
    To["stores"].push_back(storeJson(Each));
  return To;
}

} // namespace memshape
