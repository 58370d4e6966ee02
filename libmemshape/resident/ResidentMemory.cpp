// What the process will hold, beside the skeleton's figures.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/resident/ResidentMemory.h"
#include "libmemshape/files/LoadedLibraries.h"
#include "libmemshape/history/HistoryPrediction.h"
#include "libmemshape/history/Store.h"
#include "libmemshape/history/StorePool.h"
#include "libmemshape/text/Figures.h"
#include "libmemshape/text/Try.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <sys/resource.h>

namespace memshape {

namespace {

/// What the caller hands in, as far as the skeleton has built it.
struct TensorsHeld {
  double Bytes = Unknown;            ///< of those that are known; Unknown where none is built
  std::vector<std::string> Pointers; ///< names of those that only the caller knows
};

TensorsHeld tensorsHeld(const Prediction &P) {
  TensorsHeld Found;
  for (const TensorBytes &Each : tensorsOf(P))
    if (Each.Bytes)
      Found.Bytes = (known(Found.Bytes) ? Found.Bytes : 0) + static_cast<double>(*Each.Bytes);
    else
      Found.Pointers.push_back(Each.Name);
  return Found;
}

/// What has to be given for the figure to be that of the caller's process.
std::string missingTensors(const TensorsHeld &Tensors) {
  if (!known(Tensors.Bytes))
    return "the resident peak is that of a process that holds nothing besides: give --held BYTES for the tensors "
           "that are passed in";
  std::string Names;
  for (const std::string &Name : Tensors.Pointers)
    Names += (Names.empty() ? "'" : ", '") + Name + "'";
  return "the resident peak counts the arguments that are built, and not what " + Names +
         (Tensors.Pointers.size() > 1 ? " point to" : " points to") + ": give --held BYTES for all tensors together";
}

/// Says what of the stack is not counted, and where a thread's stack does not hold it.
void noteStack(const StackUse &Stack, std::vector<Note> &Notes) {
  rlimit Limit{};
  const bool IsLimited = getrlimit(RLIMIT_STACK, &Limit) == 0 && Limit.rlim_cur != RLIM_INFINITY;
  if (!Stack.Most)
    Notes.push_back(
        {NoteCode::stack,
         "the stack is not counted, nor in the resident peak: " +
             (Stack.IsRecursion ? "'" + Stack.Open.Function + "' at " + shortPlace(Stack.Open) + " calls itself"
                                : "the array at " + shortPlace(Stack.Open) +
                                      " has a length without a bound that follows from "
                                      "the shape") +
             (IsLimited ? "; `ulimit -s` ends a process here at " + inUnits(Limit.rlim_cur) : "")});
  else if (IsLimited && *Stack.Most > Limit.rlim_cur)
    Notes.push_back({NoteCode::stack, "the stack may take " + inUnits(*Stack.Most) +
                                          ", and a process that takes more " + "than " + inUnits(Limit.rlim_cur) +
                                          " ends here: raise `ulimit -s`, or make arrays on the heap"});
}

} // namespace

Situation situationOf(const Prediction &P, const ResidentRequest &Request, const Surroundings &Around) {
  Situation At;
  std::vector<std::string> Symbols = P.Operator->shapeSymbols();
  for (std::size_t I = 0; I < Symbols.size(); ++I)
    At.Shape[Symbols[I]] = static_cast<double>(P.Asked.Shape[I]);
  At.Heap = static_cast<double>(P.Heap.Peak);
  At.Total = static_cast<double>(P.Heap.Total);
  At.Allocations = static_cast<double>(P.Heap.Allocations);
  At.OneTime = static_cast<double>(P.Heap.OneTime);
  if (P.Heap.Touched)
    At.Touched = static_cast<double>(*P.Heap.Touched);
  if (P.Heap.TouchedWithTensors)
    At.TouchedWithTensors = static_cast<double>(*P.Heap.TouchedWithTensors);
  if (P.Heap.Kept)
    At.Kept = static_cast<double>(*P.Heap.Kept);
  if (P.Heap.CalledCode)
    At.CalledCode = static_cast<double>(*P.Heap.CalledCode);
  if (double Start = startBytes(Around.Files); Start > 0)
    At.CalledCode = (known(At.CalledCode) ? At.CalledCode : 0) + Start;
  At.Held = known(Request.Held) ? Request.Held : tensorsHeld(P).Bytes;
  if (const std::optional<StackUse> Stack = stackOf(P); Stack && Stack->Most)
    At.Held = (known(At.Held) ? At.Held : 0) + static_cast<double>(*Stack->Most);
  At.Fresh = Request.Fresh;
  std::vector<std::string> Libraries = Around.Libraries;
  for (const InstrumentedFile &File : Around.Files)
    Libraries.insert(Libraries.end(), File.Libraries.begin(), File.Libraries.end());
  if (std::size_t Count = countLoadedLibraries(Libraries))
    At.Libraries = static_cast<double>(Count);
  return At;
}

static Result<std::vector<RunEntry>> readRuns(const std::string &Path, const RunEntry &Like, Prior *Family) {
  MEMSHAPE_TRY(Store Opened, Store::open(Path, Store::Purpose::Read));
  Result<std::vector<RunEntry>> Runs = Opened.runsOf(Like.Operator, MostRunsRead, &Like);
  if (Runs && Family && Runs->size() < ShortHistory) {
    MEMSHAPE_TRY(Prior Wider, withOtherOperators(*Family, Opened, Like.Operator, Like.At));
    *Family = std::move(Wider);
  }
  return Runs;
}

Result<std::vector<RunEntry>> pastRuns(Prediction &P, const ResidentRequest &Request, const Situation &At,
                                       Prior *Family) {
  std::vector<RunEntry> None;
  RunEntry Like;
  Like.Operator = P.Operator->Operator;
  Like.At = At;
  std::vector<Parameter> Parameters = P.Operator->parametersOf(Role::Setting);
  for (std::size_t I = 0; I < Parameters.size(); ++I)
    Like.Settings[Parameters[I].Name] = settingText(P.Asked.Settings[I]);
  Result<std::string> Path = storePath(Request.Store);
  std::error_code Ignored;
  if (Request.Store.empty() && (!Path || !std::filesystem::exists(*Path, Ignored)))
    return None;
  Result<std::vector<RunEntry>> Runs = readRuns(*Path, Like, Family);
  if (!Runs && Request.Store.empty()) {
    P.Notes.push_back({NoteCode::resident, "past runs were not used: " + Runs.failure().Message});
    return None;
  }
  return Runs;
}

std::optional<Failure> addResident(Prediction &P, const ResidentRequest &Request, const Surroundings &Around) {
  MEMSHAPE_TRY(Prior Generic, loadPrior(Request.Model));
  Situation At = situationOf(P, Request, Around);
  MEMSHAPE_TRY(std::vector<RunEntry> Runs, pastRuns(P, Request, At, &Generic));
  HistoryPrediction Expected = predictFromHistory(Generic, Runs, At, Request.Confidence);
  if (!Expected.Resident)
    return std::nullopt;
  ResidentPeak Found;
  Found.Peak = wholeBytes(Expected.Resident->Expected.Location);
  Found.Confidence = Request.Confidence;
  Found.Runs = Expected.ResidentRuns;
  const TensorsHeld Tensors = tensorsHeld(P);
  Found.HeldKnown = known(Request.Held) || (known(Tensors.Bytes) && Tensors.Pointers.empty());
  // Where data decides, the process is bounded at the heap's own bound, and not at all where that has none.
  if (P.Range.Upper) {
    Situation Worst = At;
    Worst.Heap = std::max(At.Heap, static_cast<double>(*P.Range.Upper));
    Worst.Total = std::max(At.Total, Worst.Heap);
    if (Worst.Heap != At.Heap)
      Worst.Touched = Worst.TouchedWithTensors = Unknown;
    double Bound = Expected.Resident->Upper;
    if (Worst.Heap != At.Heap || Worst.Total != At.Total)
      Bound = std::max(Bound, predictFromHistory(Generic, Runs, Worst, Request.Confidence).Resident->Upper);
    Found.Upper = boundInBytes(Bound);
  }
  P.Resident = Found;
  if (const std::optional<StackUse> Stack = stackOf(P))
    noteStack(*Stack, P.Notes);
  if (!Found.HeldKnown && Found.Runs == 0)
    P.Notes.push_back({NoteCode::resident, missingTensors(Tensors)});
  return std::nullopt;
}

namespace {

/// Documents memshape.start/1.
constexpr const char *Documents[] = {
#include "StartDocuments.inc"
};

/// Programs of the corpus have so much, which is part of the prior's base.
constexpr double SmallProgram = 12288;

struct Start {
  std::vector<std::string> Symbols; ///< any of them
  double Resident;                  ///< bytes, once
};

std::vector<Start> readDocuments() {
  std::vector<Start> Found;
  for (const char *Text : Documents) {
    nlohmann::json Document = nlohmann::json::parse(Text);
    Found.push_back({Document.at("symbols"), Document.at("resident_bytes")});
  }
  return Found;
}

} // namespace

double startBytes(const std::vector<InstrumentedFile> &Files) {
  static const std::vector<Start> Known = readDocuments();
  double Program = 0, Libraries = 0;
  std::set<std::string_view> Imports;
  for (const InstrumentedFile &File : Files) {
    Program += static_cast<double>(File.ProgramBytes);
    Imports.insert(File.Imports.begin(), File.Imports.end());
  }
  for (const Start &Each : Known)
    if (std::any_of(Each.Symbols.begin(), Each.Symbols.end(),
                    [&](const std::string &Symbol) { return Imports.contains(Symbol); }))
      Libraries += Each.Resident;
  return std::max(0.0, Program - SmallProgram) + Libraries;
}

} // namespace memshape
