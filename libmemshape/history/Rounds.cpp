// Predictions of past runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/history/Rounds.h"

#include "libmemshape/text/Figures.h"
#include "libmemshape/text/JsonFields.h"

namespace memshape {

namespace {

using Json = nlohmann::ordered_json;

/// Rounds at the beginning and at the end that are compared.
constexpr std::size_t Compared = 5;

Json bytesJson(const std::optional<double> &Bytes) { return Bytes ? Json(wholeBytes(*Bytes)) : Json(nullptr); }

Json expectedJson(const std::optional<Forecast> &F) {
  return F ? Json(wholeBytes(F->Expected.Location)) : Json(nullptr);
}

Json upperJson(const std::optional<Forecast> &F) {
  std::optional<std::uint64_t> Bound = F ? boundInBytes(F->Upper) : std::nullopt;
  return Bound ? Json(*Bound) : Json(nullptr);
}

/// "n=400, m=3; sigma=1.5"
std::string callText(const RunEntry &Run) {
  std::string Text = shapeOf(Run.At);
  const char *Separator = "; ";
  for (const auto &[Name, Value] : Run.Settings) {
    bool Whole = Value.ends_with(".0");
    Text += Separator + oneLine(Name) + "=" + oneLine(Whole ? Value.substr(0, Value.size() - 2) : Value);
    Separator = ", ";
  }
  return Text;
}

/// Signed relative errors of one quantity, and how often its bound was exceeded.
struct Errors {
  std::vector<double> Signed;
  std::size_t Exceeded = 0;

  void add(const std::optional<Forecast> &Before, const std::optional<double> &Peak, bool Killed) {
    if (!Before || !Peak || Killed)
      return;
    Signed.push_back((Before->Expected.Location - *Peak) / std::max(*Peak, 1.0));
    Exceeded += *Peak > Before->Upper;
  }
  static double median(std::vector<double> Values) {
    for (double &Value : Values)
      Value = std::abs(Value);
    std::sort(Values.begin(), Values.end());
    return Values[Values.size() / 2];
  }
  std::string line(const std::string &What) const {
    if (Signed.empty())
      return "";
    auto First = Signed.begin(), Last = Signed.end();
    return "    " + What + ": median error " +
           (Signed.size() < 2 * Compared
                ? format("%.2f %% of %zu", 100 * median(Signed), Signed.size())
                : format("%.2f %% of the first %zu, %.2f %% of the last %zu", 100 * median({First, First + Compared}),
                         Compared, 100 * median({Last - Compared, Last}), Compared)) +
           "; bound exceeded " + std::to_string(Exceeded) + " of " + std::to_string(Signed.size()) + " times\n";
  }
};

} // namespace

std::vector<Round> roundsOf(const Prior &Generic, const std::vector<RunEntry> &Runs, double Confidence,
                            const HeapOf &Skeleton) {
  std::vector<RunEntry> Known = Runs;
  if (Skeleton)
    for (RunEntry &Run : Known)
      if (std::optional<double> Heap = Skeleton(Run))
        Run.At.Heap = *Heap;
  std::vector<Round> Found;
  for (std::size_t I = 0; I < Known.size(); ++I) {
    std::vector<RunEntry> Before;
    for (std::size_t K = 0; K < I; ++K)
      if (areAlike(Known[K], Known[I]))
        Before.push_back(Known[K]);
    Found.push_back({Runs[I], predictFromHistory(Generic, Before, Known[I].At, Confidence)});
  }
  return Found;
}

Json roundsJson(const std::vector<Round> &Rounds) {
  Json All = Json::array();
  for (const Round &R : Rounds) {
    Json Shape = Json::object(), Settings = Json::object();
    for (const auto &[Name, Value] : R.Run.At.Shape)
      Shape[Name] = wholeBytes(Value);
    for (const auto &[Name, Value] : R.Run.Settings)
      Settings[Name] = Json::parse(Value, nullptr, false);
    const HistoryPrediction &Before = R.Before;
    All.push_back({{"time", R.Run.Time ? Json(*R.Run.Time) : Json(nullptr)},
                   {"shape", std::move(Shape)},
                   {"settings", std::move(Settings)},
                   {"runs_before", std::max(Before.HeapRuns, Before.ResidentRuns)},
                   {"predicted", {{"heap", expectedJson(Before.Heap)}, {"rss", expectedJson(Before.Resident)}}},
                   {"upper", {{"heap", upperJson(Before.Heap)}, {"rss", upperJson(Before.Resident)}}},
                   {"measured", {{"heap", bytesJson(R.Run.HeapPeak)}, {"rss", bytesJson(R.Run.Resident)}}},
                   {"killed", R.Run.Killed}});
  }
  return All;
}

std::string roundsPage(const std::vector<Round> &Rounds, std::size_t Most) {
  if (Rounds.empty())
    return "";
  std::vector<std::vector<std::string>> Rows{{"call", "", "expected", "at most", "measured", "error"}};
  Errors Heap, Resident;
  auto Add = [&](const std::string &Call, const char *What, const std::optional<Forecast> &Before,
                 const std::optional<double> &Peak, bool Killed) {
    if (!Peak)
      return;
    std::optional<std::uint64_t> Bound = Before ? boundInBytes(Before->Upper) : std::nullopt;
    Rows.push_back(
        {Call, What, Before ? inUnits(wholeBytes(Before->Expected.Location)) : "-", Bound ? inUnits(*Bound) : "-",
         inUnits(wholeBytes(*Peak)) + (Killed ? ", killed" : ""),
         Before ? format("%+.2f %%", 100 * (Before->Expected.Location - *Peak) / std::max(*Peak, 1.0)) : "-"});
  };
  for (std::size_t I = 0; I < Rounds.size(); ++I) {
    const Round &R = Rounds[I];
    Heap.add(R.Before.Heap, R.Run.HeapPeak, R.Run.Killed);
    Resident.add(R.Before.Resident, R.Run.Resident, R.Run.Killed);
    if (I + Most < Rounds.size())
      continue;
    std::string Call = callText(R.Run);
    Add(Call, "heap", R.Before.Heap, R.Run.HeapPeak, R.Run.Killed);
    Add(R.Run.HeapPeak ? "" : Call, "resident", R.Before.Resident, R.Run.Resident, R.Run.Killed);
  }
  std::string Head = "\n  Past runs, each with what was expected of it from those before";
  if (Rounds.size() > Most)
    Head += " (the newest " + std::to_string(Most) + " of " + std::to_string(Rounds.size()) + ")";
  return Head + "\n" + aligned(Rows, {2, 3, 4, 5}, 4) + Heap.line("heap") + Resident.line("resident");
}

} // namespace memshape
