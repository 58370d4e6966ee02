// A prediction from past runs alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/history/HistoryPrediction.h"

#include "libmemshape/prediction/Prediction.h"
#include "libmemshape/prediction/Sentences.h"
#include "libmemshape/text/Figures.h"
#include "libmemshape/text/JsonFields.h"
#include "model/formula/Expression.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace memshape {

using Json = nlohmann::ordered_json;

/// Predicts one quantity from the runs; nothing if no run has it.
static std::optional<Forecast> learned(const Prior &Generic, Target What, const std::vector<const RunEntry *> &Runs,
                                       const std::vector<Situation> &Situations, const Situation &At,
                                       double Confidence) {
  auto PeakOf = [&](const RunEntry &Run) { return What == Target::Heap ? *Run.HeapPeak : *Run.Resident; };
  if (Runs.empty()) {
    if (!known(At.Heap))
      return std::nullopt;
    return OperatorModel(Generic, What, At).forecast(At, Confidence);
  }
  // A feature is used only if the call and all runs have it.
  std::vector<Situation> Seen = Situations;
  Situation Asked = At;
  bool HeldEverywhere = known(At.Held), TouchedEverywhere = known(At.Touched), KeptEverywhere = known(At.Kept);
  for (const Situation &S : Seen) {
    HeldEverywhere = HeldEverywhere && known(S.Held);
    TouchedEverywhere = TouchedEverywhere && known(S.Touched);
    KeptEverywhere = KeptEverywhere && known(S.Kept);
  }
  for (Situation &S : Seen) {
    if (!HeldEverywhere)
      S.Held = S.Fresh = Unknown;
    if (!TouchedEverywhere)
      S.Touched = S.TouchedWithTensors = Unknown;
    if (!KeptEverywhere)
      S.Kept = Unknown;
    // A record seldom says it; the program is the same.
    if (!known(S.CalledCode))
      S.CalledCode = At.CalledCode;
    if (!known(At.Total))
      S.Total = S.Allocations = S.OneTime = S.Kept = S.CalledCode = Unknown;
  }
  if (!HeldEverywhere)
    Asked.Held = Asked.Fresh = Unknown;
  if (!TouchedEverywhere)
    Asked.Touched = Asked.TouchedWithTensors = Unknown;
  if (!KeptEverywhere)
    Asked.Kept = Unknown;
  OperatorModel Model(Generic, What, Seen.front(), PeakOf(*Runs.front()));
  for (std::size_t I = 0; I < Runs.size(); ++I) {
    if (I && Runs[I]->Environment != Runs[I - 1]->Environment)
      Model.environmentChanged();
    if (Runs[I]->Killed)
      Model.observeAbove(Seen[I], PeakOf(*Runs[I]));
    else
      Model.observe(Seen[I], PeakOf(*Runs[I]));
  }
  return Model.forecast(Asked, Confidence);
}

HistoryPrediction predictFromHistory(const Prior &Generic, const std::vector<RunEntry> &Runs, Situation At,
                                     double Confidence) {
  HistoryPrediction Found;
  bool Given = known(At.Heap), LibrariesGiven = known(At.Libraries);
  std::optional<Expression> Footprint;
  for (const RunEntry &Run : Runs)
    if (!Run.Formula.empty())
      Found.Formula = Run.Formula;
  if (!Given && !Found.Formula.empty()) {
    Footprint = Expression::parse(Found.Formula);
    if (Footprint)
      if (std::optional<double> Value = Footprint->evaluate(At.Shape); Value && *Value >= 0)
        At.Heap = *Value;
  }
  std::vector<const RunEntry *> HeapRuns, ResidentRuns;
  std::vector<Situation> HeapSituations, ResidentSituations;
  for (const RunEntry &Run : Runs) {
    Situation Here = Run.At;
    if (!known(At.Heap))
      Here.Heap = Unknown;
    else if (!Given || !known(Here.Heap)) {
      std::optional<double> Value = Footprint ? Footprint->evaluate(Here.Shape) : std::nullopt;
      if (!Value && !Run.Formula.empty())
        if (std::optional<Expression> Own = Expression::parse(Run.Formula))
          Value = Own->evaluate(Here.Shape);
      if (Value && *Value >= 0)
        Here.Heap = *Value;
      else if (!known(Here.Heap))
        Here.Heap = Run.HeapPeak.value_or(0);
    }
    if (Run.HeapPeak) {
      HeapRuns.push_back(&Run);
      HeapSituations.push_back(Here);
    }
    if (Run.Resident) {
      ResidentRuns.push_back(&Run);
      ResidentSituations.push_back(Here);
    }
    // Assumes as many libraries as in the last run.
    if (!LibrariesGiven && known(Run.At.Libraries))
      At.Libraries = Run.At.Libraries;
  }
  Found.HeapRuns = HeapRuns.size();
  Found.ResidentRuns = ResidentRuns.size();
  Found.Heap = learned(Generic, Target::Heap, HeapRuns, HeapSituations, At, Confidence);
  // Without a footprint or formula, the measured or predicted heap stands in for it.
  if (!known(At.Heap) && Found.Heap && HeapRuns.size() == Runs.size()) {
    At.Heap = std::max(Found.Heap->Expected.Location, 0.0);
    for (std::size_t I = 0; I < ResidentRuns.size(); ++I)
      ResidentSituations[I].Heap = *ResidentRuns[I]->HeapPeak;
  }
  Found.Resident = learned(Generic, Target::Resident, ResidentRuns, ResidentSituations, At, Confidence);
  return Found;
}

std::string historyJson(const RunEntry &Asked, const HistoryPrediction &P, double Confidence, double Microseconds) {
  auto Expected = [](const std::optional<Forecast> &F) {
    return F ? Json(wholeBytes(F->Expected.Location)) : Json(nullptr);
  };
  Json Shape = Json::object(), Settings = Json::object(), Heap = Json::object();
  for (const auto &[Name, Value] : Asked.At.Shape)
    Shape[Name] = wholeBytes(Value);
  for (const auto &[Name, Value] : Asked.Settings)
    Settings[Name] = Json::parse(Value, nullptr, false);
  // Past runs give no lower bound for another run.
  std::optional<std::uint64_t> Upper = P.Heap ? boundInBytes(P.Heap->Upper) : std::nullopt;
  Heap["peak_bytes"] = Expected(P.Heap);
  Heap["lower_bytes"] = nullptr;
  Heap["upper_bytes"] = Upper ? Json(*Upper) : Json(nullptr);
  Heap["exact"] = false;
  Heap["bounds_proven"] = false;
  for (const char *Key : {"total_bytes", "allocations", "output_bytes"})
    Heap[Key] = nullptr;
  Heap["confidence"] = Confidence;
  std::optional<ResidentPeak> Resident;
  if (P.Resident)
    Resident = ResidentPeak{wholeBytes(P.Resident->Expected.Location), boundInBytes(P.Resident->Upper), Confidence,
                            P.ResidentRuns, known(Asked.At.Held)};
  Json Out = Json::object();
  Out["schema"] = "memshape.prediction/1";
  Out["operator"] = Asked.Operator;
  Out["shape"] = std::move(Shape);
  Out["settings"] = std::move(Settings);
  Out["heap"] = std::move(Heap);
  Out["rss"] = residentJson(Resident);
  Out["formula"] = {{"peak", P.Formula.empty() ? Json(nullptr) : Json(P.Formula)}, {"verified_shapes", 0}};
  Out["sites"] = Json::array();
  Out["decisions"] = Json::array();
  Out["unknown"] = Json::array();
  Out["history"] = {{"heap_runs", P.HeapRuns}, {"rss_runs", P.ResidentRuns}};
  Out["notes"] = textsOf(P.Notes);
  Out["reasons"] = reasonsJson(P.Notes);
  Out["evidence"] = "history";
  Out["method"] = "history";
  Out["time_us"] = Microseconds;
  return jsonText(Out, 2) + "\n";
}

std::string historyPage(const RunEntry &Asked, const HistoryPrediction &P, double Confidence) {
  std::string Page = Asked.Operator;
  for (const auto &[Name, Value] : Asked.At.Shape)
    Page += "  " + Name + "=" + std::to_string(wholeBytes(Value));
  for (const auto &[Name, Value] : Asked.Settings)
    Page += "  " + oneLine(Name) + "=" + oneLine(Value);
  std::size_t Runs = std::max(P.HeapRuns, P.ResidentRuns);
  Page += "  (from " + std::to_string(Runs) + (Runs == 1 ? " past run)\n" : " past runs)\n");
  std::vector<std::vector<std::string>> Rows;
  auto Add = [&](const char *What, const std::optional<Forecast> &F) {
    if (!F)
      return;
    std::uint64_t Peak = wholeBytes(F->Expected.Location), Upper = wholeBytesAbove(F->Upper);
    Rows.push_back({What, inUnits(Peak), grouped(Peak) + " B"});
    Rows.push_back({format("  at most, %g %%", 100 * Confidence), inUnits(Upper), grouped(Upper) + " B"});
  };
  Add("heap peak", P.Heap);
  Add("resident peak", P.Resident);
  Page += aligned(Rows, {1, 2}, 2);
  if (!P.Formula.empty())
    Page += "  footprint  " + P.Formula + "\n";
  for (const Note &Each : P.Notes)
    Page += "  note: " + Each.Text + "\n";
  return Page;
}

} // namespace memshape
