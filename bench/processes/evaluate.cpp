// What a store predicts after none, one and a few runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   processes_evaluate [--model FILE] [--known all|no-held|formula|shape] [--each] RECORDS.jsonl...
//
// Each operator's smallest runs are its history; all its shapes of at least 3.5 times the smallest volume are then
// predicted as `memshape predict --operator` does. --known says what of the records is used: all of it, all but the
// bytes that the caller holds, the footprint's formula with the shape, the shape alone.

#include "libmemshape/history/HistoryPrediction.h"
#include "libmemshape/history/ModelFile.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>

using namespace memshape;

namespace {

constexpr double Confidence = 0.99, LeastGrowth = 3.5;
constexpr std::size_t Histories[] = {0, 1, 2, 3, 5};

struct Options {
  std::string Model, Known = "all";
  bool Each = false;
  std::vector<std::string> Files;
};

struct Outcome {
  double Error = 0; ///< signed, as a share of what was measured
  bool Bounded = false, Inside = true;
  double Beyond = 0, Need = 0; ///< bytes: of the bound above the truth, and the truth
};

double volume(const Situation &At) {
  double Product = 1;
  for (const auto &[Name, Value] : At.Shape)
    Product *= Value;
  return Product;
}

void strip(RunEntry &Run, const std::string &Known) {
  Situation Kept = Run.At;
  if (Known == "no-held")
    Kept.Held = Kept.Fresh = Unknown;
  if (Known == "formula" || Known == "shape") {
    Kept = {};
    Kept.Shape = Run.At.Shape;
    Run.HeapPeak = std::nullopt;
    Run.HeapLower = Run.HeapUpper = Unknown;
  }
  if (Known == "shape")
    Run.Formula.clear();
  Run.At = Kept;
}

/// By operator, smallest first.
std::map<std::string, std::vector<RunEntry>> readRuns(const Options &Use) {
  std::map<std::string, std::vector<RunEntry>> Found;
  for (const std::string &Path : Use.Files) {
    std::ifstream File(Path);
    std::string Line;
    while (std::getline(File, Line)) {
      Result<std::vector<RunEntry>> Entries = parseRunLine(Line, 1e18);
      if (!Entries) {
        std::cerr << "processes: " << Path << ": " << Entries.failure().Message << "\n";
        std::exit(2);
      }
      for (RunEntry &Entry : *Entries)
        if (Entry.Resident && (Use.Known != "formula" || !Entry.Formula.empty())) {
          strip(Entry, Use.Known);
          Found[Entry.Operator].push_back(std::move(Entry));
        }
    }
  }
  for (auto &[Name, Runs] : Found)
    std::stable_sort(Runs.begin(), Runs.end(),
                     [](const RunEntry &A, const RunEntry &B) { return volume(A.At) < volume(B.At); });
  return Found;
}

std::vector<Outcome> outcomesOf(const Prior &Generic, const std::vector<RunEntry> &Runs, std::size_t History) {
  std::vector<Outcome> Found;
  std::vector<RunEntry> Past(Runs.begin(), Runs.begin() + static_cast<std::ptrdiff_t>(std::min(History, Runs.size())));
  for (std::size_t I = History; I < Runs.size(); ++I) {
    if (volume(Runs[I].At) < LeastGrowth * volume(Runs.front().At))
      continue;
    Situation At = Runs[I].At;
    // Of an operator without a past, its formula is what a skeleton says.
    std::vector<RunEntry> Seen = Past;
    if (Seen.empty() && !Runs[I].Formula.empty() && !known(At.Heap)) {
      RunEntry Of = Runs[I];
      Of.Resident = Of.HeapPeak = std::nullopt;
      Seen.push_back(Of);
    }
    HistoryPrediction P = predictFromHistory(Generic, Seen, At, Confidence);
    if (!P.Resident)
      continue;
    double Peak = *Runs[I].Resident, Upper = P.Resident->Upper;
    // Where data decides, the bound is that of another question.
    bool Bounded = std::isfinite(Upper) && !(known(Runs[I].HeapUpper) && Runs[I].HeapUpper > At.Heap);
    Found.push_back({P.Resident->Expected.Location / Peak - 1, Bounded, !Bounded || Peak <= Upper,
                     Bounded ? std::max(Upper - Peak, 0.0) : 0, Bounded ? Peak : 0});
  }
  return Found;
}

double quantileOf(std::vector<double> Values, double Level) {
  std::sort(Values.begin(), Values.end());
  return Values.empty() ? 0 : Values[std::min(Values.size() - 1, static_cast<std::size_t>(Level * Values.size()))];
}

void printRow(const std::string &Name, const std::vector<Outcome> &Of) {
  std::vector<double> Absolute, Signed;
  std::size_t Bounded = 0, Inside = 0;
  double Beyond = 0, Need = 0;
  for (const Outcome &Each : Of) {
    Absolute.push_back(std::abs(Each.Error));
    Signed.push_back(Each.Error);
    Bounded += Each.Bounded;
    Inside += Each.Bounded && Each.Inside;
    Beyond += Each.Beyond;
    Need += Each.Need;
  }
  std::printf("| %-28s | %7.2f %% | %7.2f %% | %+7.2f %% | %zu of %zu | %.0f %% |\n", Name.c_str(),
              100 * quantileOf(Absolute, 0.5), 100 * quantileOf(Absolute, 0.95), 100 * quantileOf(Signed, 0.5), Inside,
              Bounded, Need > 0 ? 100 * Beyond / Need : 0);
}

std::optional<Options> readOptions(int Count, char **Arguments) {
  Options Use;
  for (int I = 1; I < Count; ++I) {
    std::string Now = Arguments[I];
    if (Now == "--each")
      Use.Each = true;
    else if ((Now == "--model" || Now == "--known") && I + 1 < Count)
      (Now == "--model" ? Use.Model : Use.Known) = Arguments[++I];
    else if (Now.starts_with("--"))
      return std::nullopt;
    else
      Use.Files.push_back(Now);
  }
  bool Known = Use.Known == "all" || Use.Known == "no-held" || Use.Known == "formula" || Use.Known == "shape";
  return Known && !Use.Files.empty() ? std::optional(Use) : std::nullopt;
}

} // namespace

int main(int Count, char **Arguments) {
  std::optional<Options> Use = readOptions(Count, Arguments);
  if (!Use) {
    std::cerr << "usage: processes_evaluate [--model FILE] [--known all|no-held|formula|shape] [--each] RECORDS...\n";
    return 2;
  }
  Result<Prior> Generic = loadPrior(Use->Model);
  if (!Generic) {
    std::cerr << "processes: " << Generic.failure().Message << "\n";
    return 2;
  }
  std::map<std::string, std::vector<RunEntry>> Operators = readRuns(*Use);
  std::printf(
      "| runs | median | 95th pct. | signed | bound held | allocated beyond need |\n|---|---|---|---|---|---|\n");
  for (std::size_t History : Histories) {
    std::vector<Outcome> All;
    for (const auto &[Name, Runs] : Operators) {
      std::vector<Outcome> Here = outcomesOf(*Generic, Runs, History);
      if (Use->Each && !Here.empty())
        printRow(Name + ", " + std::to_string(History), Here);
      All.insert(All.end(), Here.begin(), Here.end());
    }
    if (!All.empty())
      printRow(std::to_string(History), All);
  }
  return 0;
}
