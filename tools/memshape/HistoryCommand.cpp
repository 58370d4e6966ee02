//===- HistoryCommand.cpp - memshape history, and predictions from a store ===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/Figures.h"
#include "tools/JsonFields.h"
#include "tools/Progress.h"
#include "tools/history/HistoryPrediction.h"
#include "tools/history/Store.h"
#include "tools/memshape/Commands.h"
#include "tools/memshape/ModelFile.h"
#include "tools/memshape/OutputFile.h"
#include "tools/prediction/ArgumentValues.h"

#include <charconv>
#include <chrono>
#include <fstream>
#include <iostream>

namespace memshape {

namespace {

double secondsSince1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// Entries of a file of JSON lines, one after the other.
class LinesOfRuns {
public:
  explicit LinesOfRuns(const std::string &Path) : Path(Path) {
    if (Path != "-")
      File.open(Path, std::ios::binary);
  }
  bool readable() const { return Path == "-" || File.is_open(); }

  Result<std::optional<RunEntry>> next() {
    while (Taken == Entries.size()) {
      if (!std::getline(Path == "-" ? std::cin : File, Line)) {
        if (Path != "-" && File.bad())
          return Failure{Path + " cannot be read to its end; nothing was imported"};
        return std::optional<RunEntry>();
      }
      ++Number;
      if (Line.find_first_not_of(" \t\r") == std::string::npos)
        continue;
      Result<std::vector<RunEntry>> Parsed = parseRunLine(Line, Now);
      if (!Parsed)
        return Failure{Path + ", line " + std::to_string(Number) + ": " + Parsed.failure().Message +
                       "; nothing was imported"};
      Entries = std::move(*Parsed);
      Taken = 0;
    }
    return std::optional<RunEntry>(std::move(Entries[Taken++]));
  }

private:
  std::string Path, Line;
  std::ifstream File;
  std::vector<RunEntry> Entries;
  std::size_t Taken = 0;
  std::uint64_t Number = 0;
  double Now = secondsSince1970();
};

Result<std::string> importRuns(const HistoryOptions &Options, const std::string &Path) {
  if (Options.File.empty())
    return Failure{"history import wants a file of JSON lines, or - for standard input"};
  LinesOfRuns Lines(Options.File);
  if (!Lines.readable())
    return Failure{Options.File + ": cannot be read"};
  Result<Store> Opened = Store::open(Path, Store::Purpose::Write);
  if (!Opened)
    return Opened.failure();
  std::optional<Progress> Shown;
  if (Options.File != "-")
    Shown.emplace("history import");
  std::size_t Count = 0;
  Result<std::uint64_t> Added = Opened->add([&] {
    if (Shown && ++Count % 1000 == 0)
      Shown->at(grouped(Count) + " records");
    return Lines.next();
  });
  if (!Added)
    return Added.failure();
  return std::to_string(*Added) + " records imported into " + Path + "\n";
}

Result<std::string> exportRuns(const HistoryOptions &Options, const std::string &Path) {
  Result<Store> Opened = Store::open(Path, Store::Purpose::Read);
  if (!Opened)
    return Opened.failure();
  std::ofstream File;
  bool ToFile = !Options.File.empty() && Options.File != "-";
  if (ToFile) {
    File.open(Options.File, std::ios::binary | std::ios::trunc);
    if (!File)
      return Failure{"cannot write " + Options.File};
  }
  std::ostream &Out = ToFile ? File : std::cout;
  Result<std::uint64_t> Written = Opened->forEach([&](std::string_view Document) {
    Out << Document << '\n';
    return bool(Out);
  });
  if (!Written)
    return Written.failure();
  if (!Out.flush())
    return Failure{"cannot write the records"};
  return std::string();
}

Result<std::string> listRuns(const std::string &Path) {
  Result<Store> Opened = Store::open(Path, Store::Purpose::Read);
  if (!Opened)
    return Opened.failure();
  auto Found = Opened->operators();
  if (!Found)
    return Found.failure();
  std::string Page;
  for (const auto &[Name, Count] : *Found)
    Page += oneLine(Name) + "  " + std::to_string(Count) + "\n";
  return Page;
}

Result<double> extentOf(const std::string &Name, const std::string &Text) {
  double Value = 0;
  auto [End, Error] = std::from_chars(Text.data(), Text.data() + Text.size(), Value);
  if (Error != std::errc() || End != Text.data() + Text.size() || !(Value >= 0) || Value != std::floor(Value) ||
      Value > 1e18)
    return Failure{"shape value " + Name + "=" + Text + " is not a natural number"};
  return Value;
}

/// The symbols of a shape, for a message.
std::string symbolsOf(const Situation &At) {
  std::string Text;
  for (const auto &[Name, Value] : At.Shape)
    Text += (Text.empty() ? "" : ", ") + Name;
  return Text.empty() ? "none" : Text;
}

} // namespace

Result<std::string> historyText(const HistoryOptions &Options) {
  Result<std::string> Path = storePath(Options.Store);
  if (!Path)
    return Path.failure();
  if (Options.Action == "import")
    return importRuns(Options, *Path);
  if (Options.Action == "export")
    return exportRuns(Options, *Path);
  if (Options.Action == "list")
    return listRuns(*Path);
  return Failure{"unknown action '" + Options.Action + "'; there are import, export and list"};
}

Result<std::string> predictFromStoreText(const PredictOptions &Options) {
  auto Start = std::chrono::steady_clock::now();
  if (Options.Operator.empty())
    return Failure{"predict wants a FILE, or --operator NAME to answer from the store of past runs"};
  if (!Options.ShapeFrom.empty() || !Options.Settings.empty() || !Options.Assumed.empty() ||
      !Options.Libraries.empty() || !Options.Summaries.empty() || Options.Threads || !Options.Machine.empty())
    return Failure{"past runs know shapes alone: --shape-from, --set, --assume, --threads, --machine, --library and "
                   "--summaries want a FILE"};
  Result<std::string> Path = storePath(Options.Store);
  if (!Path)
    return Path.failure();
  Result<Prior> Generic = loadPrior(Options.Model);
  if (!Generic)
    return Generic.failure();
  Result<Store> Opened = Store::open(*Path, Store::Purpose::Read);
  if (!Opened)
    return Opened.failure();
  Result<std::vector<RunEntry>> Runs = Opened->runsOf(Options.Operator, MostRunsRead);
  if (!Runs)
    return Runs.failure();
  if (Runs->empty())
    return Failure{"no run of '" + oneLine(Options.Operator) + "' is in " + *Path +
                   "; `memshape history list` names the operators that are"};
  Result<std::map<std::string, std::string>> Given = splitAssignments(Options.Shapes, "--shape");
  if (!Given)
    return Given.failure();
  Situation At;
  const Situation &Known = Runs->back().At;
  for (const auto &[Name, Text] : *Given) {
    if (!Known.Shape.contains(Name))
      return Failure{"'" + oneLine(Name) + "' is no shape symbol of '" + oneLine(Options.Operator) + "'; there are " +
                     symbolsOf(Known)};
    Result<double> Extent = extentOf(Name, Text);
    if (!Extent)
      return Extent.failure();
    At.Shape[Name] = *Extent;
  }
  for (const auto &[Name, Value] : Known.Shape)
    if (!At.Shape.contains(Name))
      return Failure{"shape symbol '" + Name + "' has no value; add --shape " + Name + "=VALUE"};
  // Runs of an earlier version of the operator, with other symbols, say nothing about this one.
  std::size_t All = Runs->size();
  std::erase_if(*Runs, [&](const RunEntry &Run) { return !haveSameSymbols(Run.At, At); });
  if (known(Options.Held))
    At.Held = Options.Held;
  HistoryPrediction Found = predictFromHistory(*Generic, *Runs, At, Options.Confidence);
  if (All != Runs->size())
    Found.Notes.push_back(std::to_string(All - Runs->size()) + " runs with other shape symbols were left out");
  double Micros = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - Start).count();
  return Options.Json ? historyJson(Options.Operator, At, Found, Options.Confidence, Micros)
                      : historyPage(Options.Operator, At, Found, Options.Confidence);
}

} // namespace memshape
