// memshape history, and predictions from a store.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/files/InputFile.h"
#include "libmemshape/history/HistoryPrediction.h"
#include "libmemshape/history/Store.h"
#include "libmemshape/history/StorePool.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/text/Figures.h"
#include "libmemshape/text/JsonFields.h"
#include "libmemshape/text/Progress.h"
#include "libmemshape/text/Split.h"
#include "libmemshape/text/Try.h"
#include "tools/memshape/commands/ChosenOperator.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <ranges>

namespace memshape {

namespace {

struct HistoryOptions {
  std::string Action; ///< import, export or list
  std::string Store;  ///< empty: the default one
  std::string File;   ///< JSON lines; - or empty for standard input or output
};

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
  Result<std::optional<RunEntry>> next() {
    while (Taken == Entries.size()) {
      if (!nextLine(Path == "-" ? std::cin : File, Line)) {
        if ((Path == "-" ? std::cin : File).bad())
          return Failure{Path + " cannot be read to its end; nothing was imported"};
        return std::optional<RunEntry>();
      }
      ++Number;
      if (Line.find_first_not_of(" \t\r") == std::string::npos)
        continue;
      Result<std::vector<RunEntry>> Parsed = parseRunLine(Line, Now, Origin::Arriving);
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

Result<std::string> importRuns(const HistoryOptions &Given, const std::string &Path) {
  if (Given.File.empty())
    return Failure{"history import wants a file of JSON lines, or - for standard input"};
  MEMSHAPE_CHECK(Given.File == "-" ? std::nullopt : checkInput(Given.File));
  LinesOfRuns Lines(Given.File);
  MEMSHAPE_TRY(Store Opened, Store::open(Path, Store::Purpose::Write));
  std::optional<Progress> Shown;
  if (Given.File != "-")
    Shown.emplace("history import");
  std::size_t Count = 0;
  Result<std::uint64_t> Added = Opened.add([&] {
    if (Shown && ++Count % 1000 == 0)
      Shown->at(grouped(Count) + " records");
    return Lines.next();
  });
  if (!Added)
    return Added.failure();
  return std::to_string(*Added) + (*Added == 1 ? " record" : " records") + " imported into " + Path + "\n";
}

/// Whether both name one file that is there, the log beside a store among them.
bool isSameFile(const std::string &A, const std::string &B) {
  std::error_code Ignored;
  return std::filesystem::equivalent(A, B, Ignored);
}

Result<std::string> exportRuns(const HistoryOptions &Given, const std::string &Path) {
  std::ofstream File;
  bool ToFile = !Given.File.empty() && Given.File != "-";
  for (const char *Part : {"", "-wal", "-shm"})
    if (ToFile && isSameFile(Given.File, Path + Part))
      return Failure{Given.File + " is the store itself: name another file to write its records to"};
  // Opened with the first record: of a store that cannot be read nothing is left behind.
  auto Open = [&] {
    if (ToFile && !File.is_open())
      File.open(Given.File, std::ios::binary | std::ios::trunc);
    return !ToFile || File.is_open();
  };
  std::ostream &Out = ToFile ? File : std::cout;
  bool Opened = true;
  MEMSHAPE_TRY(const Store Kept, Store::open(Path, Store::Purpose::Read));
  Result<std::uint64_t> Written = Kept.forEach([&](std::string_view Document) {
    Opened = Open();
    if (Opened)
      Out << Document << '\n';
    return Opened && Out;
  });
  if (Written)
    Opened = Open();
  if (!Opened)
    return Failure{"cannot write " + Given.File};
  bool Whole = !Out.fail() && Out.flush();
  if (!Written)
    return Written.failure();
  if (!Whole)
    return Failure{"cannot write the records"};
  return std::string();
}

Result<std::string> listRuns(const std::string &Path) {
  MEMSHAPE_TRY(Store Opened, Store::open(Path, Store::Purpose::Read));
  MEMSHAPE_TRY(auto Found, Opened.operators());
  std::string Page;
  for (const auto &[Name, Count] : Found)
    Page += oneLine(Name) + "  " + std::to_string(Count) + "\n";
  return Page;
}

Result<double> extentOf(const std::string &Name, const std::string &Text) {
  const std::optional<double> Value = numberIn<double>(Text);
  if (!Value || !(*Value >= 0) || *Value != std::floor(*Value) || *Value > 1e18)
    return Failure{"shape value " + Name + "=" + Text + " is not a natural number"};
  return *Value;
}

/// The symbols of a shape, for a message.
std::string symbolsOf(const Situation &At) { return At.Shape.empty() ? "none" : joined(std::views::keys(At.Shape)); }

/// "sigma=1.5, fast=1"
std::string settingsOf(const RunEntry &Run) {
  return Run.Settings.empty() ? "none" : joined(Run.Settings, ", ", [](const auto &Each) {
    return oneLine(Each.first) + "=" + oneLine(Each.second);
  });
}

/// As a record has it.
std::string givenSetting(const std::string &Text) {
  if (Text == "true" || Text == "false")
    return settingText(Text == "true" ? 1.0 : 0.0);
  const std::optional<double> Value = numberIn<double>(Text);
  return Value && std::isfinite(*Value) ? settingText(*Value) : settingText(std::string_view(Text));
}

/// Of the functions of one name, newest first: with the symbols of the newest, and the settings that were given; what
/// is left has to be one.
Result<RunEntry> chooseFunction(const std::vector<RunEntry> &Functions, const PredictOptions &Asked) {
  MEMSHAPE_TRY(GivenValues Given, splitAssignments(Asked.Settings, "--set"));
  const RunEntry &Newest = Functions.front();
  std::vector<const RunEntry *> Left;
  std::string Known;
  for (const RunEntry &Function : Functions) {
    if (!haveSameSymbols(Function.At, Newest.At))
      continue;
    Known += (Known.empty() ? "" : "; ") + settingsOf(Function);
    if (std::all_of(Given.begin(), Given.end(), [&](const auto &One) {
          auto Place = Function.Settings.find(One.first);
          return Place != Function.Settings.end() && Place->second == givenSetting(textOf(One.second));
        }))
      Left.push_back(&Function);
  }
  std::string Name = oneLine(Asked.Operator);
  if (Left.empty())
    return Failure{"no run of '" + Name + "' has these settings; there are runs with " + Known};
  if (Left.size() > 1)
    return Failure{"runs of '" + Name + "' have several settings: " + Known + "; choose with --set"};
  return *Left.front();
}

/// Every symbol of the function once.
std::optional<Failure> readShape(const Situation &Known, const PredictOptions &Asked, Situation &At) {
  MEMSHAPE_TRY(GivenValues Given, splitAssignments(Asked.Shapes, "--shape"));
  for (const auto &[Name, Text] : Given) {
    if (!Known.Shape.contains(Name))
      return Failure{"'" + oneLine(Name) + "' is no shape symbol of '" + oneLine(Asked.Operator) + "'; there are " +
                     symbolsOf(Known)};
    MEMSHAPE_TRY(double Extent, extentOf(Name, textOf(Text)));
    At.Shape[Name] = Extent;
  }
  for (const auto &[Name, Value] : Known.Shape)
    if (!At.Shape.contains(Name))
      return Failure{"shape symbol '" + Name + "' has no value; add --shape " + Name + "=VALUE"};
  return std::nullopt;
}

Result<std::string> historyText(const HistoryOptions &Given) {
  MEMSHAPE_TRY(std::string Path, storePath(Given.Store));
  if (Given.Action == "import")
    return importRuns(Given, Path);
  if (Given.Action == "export")
    return exportRuns(Given, Path);
  if (Given.Action == "list")
    return listRuns(Path);
  return Failure{"unknown action '" + Given.Action + "'; there are import, export and list"};
}

} // namespace

Result<std::string> predictFromStoreText(const PredictOptions &Asked) {
  auto Start = std::chrono::steady_clock::now();
  if (Asked.Operator.empty())
    return Failure{"predict wants a FILE, or --operator NAME to answer from the store of past runs"};
  if (!Asked.ShapeFrom.empty() || !Asked.Assumed.empty() || !Asked.Libraries.empty() || !Asked.Summaries.empty() ||
      Asked.Threads || !Asked.Machine.empty())
    return Failure{
        "past runs know shapes and settings alone: --shape-from, --assume, --threads, --machine, --library and "
        "--summaries want a FILE"};
  MEMSHAPE_TRY(std::string Path, storePath(Asked.Store));
  MEMSHAPE_TRY(Prior Generic, loadPrior(Asked.Model));
  MEMSHAPE_TRY(Store Opened, Store::open(Path, Store::Purpose::Read));
  MEMSHAPE_TRY(std::vector<RunEntry> Functions, Opened.functionsOf(Asked.Operator));
  if (Functions.empty())
    return Failure{"no run of '" + oneLine(Asked.Operator) + "' is in " + Path +
                   "; `memshape history list` names the operators that are"};
  MEMSHAPE_TRY(RunEntry Like, chooseFunction(Functions, Asked));
  Situation At;
  MEMSHAPE_CHECK(readShape(Like.At, Asked, At));
  if (Asked.Held)
    At.Held = static_cast<double>(*Asked.Held);
  MEMSHAPE_TRY(std::vector<RunEntry> Runs, Opened.runsOf(Asked.Operator, MostRunsRead, &Like));
  if (Runs.size() < ShortHistory) {
    MEMSHAPE_TRY(Generic, withOtherOperators(Generic, Opened, Asked.Operator, At));
  }
  HistoryPrediction Found = predictFromHistory(Generic, Runs, At, Asked.Confidence);
  if (std::size_t Others = Functions.size() - 1)
    Found.Notes.push_back(
        {NoteCode::other_runs, "runs with other shape symbols or settings were left out: " + std::to_string(Others) +
                                   (Others == 1 ? " function" : " functions") + " of that name"});
  RunEntry Run = Like;
  Run.At = At;
  double Micros = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - Start).count();
  return Asked.Format == "json" ? historyJson(Run, Found, Asked.Confidence, Micros)
                                : historyPage(Run, Found, Asked.Confidence);
}

Run describeHistory(Options &On) {
  const auto Options = std::make_shared<HistoryOptions>();
  On.add("ACTION", Options->Action, "import, export or list", {.Required = true});
  On.file("FILE", Options->File, "JSON lines, memshape.run/1; - is standard input or output");
  On.file("--store", Options->Store, "store of past runs; by default the one in the user's data folder");
  return [Options](const Context &) { return deliver(historyText(*Options)); };
}

} // namespace memshape
