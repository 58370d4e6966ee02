// Predictions of calls that are in flight.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/runs/MeasuredRuns.h"

#include "libmemshape/history/HistoryPrediction.h"
#include "libmemshape/history/Observed.h"
#include "libmemshape/history/Store.h"
#include "libmemshape/history/StorePool.h"
#include "libmemshape/prediction/Answer.h"
#include "libmemshape/resident/ResidentMemory.h"
#include "libmemshape/skeletons/Installation.h"
#include "libmemshape/text/Figures.h"

#include <algorithm>
#include <filesystem>
#include <memory>

namespace memshape {
namespace {

/// Whoever waits for a warning, or for the end of a run, does not wait longer.
constexpr std::chrono::seconds Timeout(3);

/// What is known of the operator's own runs, from the default store.
void addPastRuns(Prediction &P, const Surroundings &Around, CallForecast &Into) {
  ResidentRequest Defaults;
  Into.At = situationOf(P, Defaults, Around);
  Result<std::vector<RunEntry>> Runs = pastRuns(P, Defaults, Into.At);
  if (!Runs)
    return;
  std::erase_if(*Runs, [](const RunEntry &Run) { return !Run.Resident; });
  Into.Runs = Runs->size();
  if (Runs->empty())
    return;
  Into.FromRuns = [At = Into.At, Runs = std::move(*Runs)](double Held, double Confidence) {
    Situation Now = At;
    Now.Held = Held;
    return predictFromHistory(Prior::generic(), Runs, Now, Confidence).Resident;
  };
}

/// A call of an operator without a skeleton, from its past runs; nothing where the default store has none.
std::optional<CallForecast> fromRunsAlone(const RunOperator &Operator, const RunGroup &Group) {
  RunEntry Like;
  Like.Operator = Operator.Name;
  for (std::size_t I = 0; I < Operator.ShapeNames.size() && I < Group.Shape.size(); ++I)
    Like.At.Shape[Operator.ShapeNames[I]] = static_cast<double>(Group.Shape[I]);
  for (std::size_t I = 0; I < Operator.SettingNames.size() && I < Group.Settings.size(); ++I)
    Like.Settings[Operator.SettingNames[I]] = settingText(Group.Settings[I]);
  Result<std::string> Path = storePath("");
  std::error_code Ignored;
  if (!Path || !std::filesystem::exists(*Path, Ignored))
    return std::nullopt;
  Result<Store> Opened = Store::open(*Path, Store::Purpose::Read);
  if (!Opened)
    return std::nullopt;
  Result<std::vector<RunEntry>> Runs = Opened->runsOf(Operator.Name, MostRunsRead, &Like);
  if (!Runs || Runs->empty())
    return std::nullopt;
  HistoryPrediction Expected = predictFromHistory(Prior::generic(), *Runs, Like.At, AlarmConfidence);
  if (!Expected.Heap)
    return std::nullopt;
  CallForecast Call;
  Call.Peak = static_cast<std::int64_t>(wholeBytes(Expected.Heap->Expected.Location));
  if (std::optional<std::uint64_t> Bound = boundInBytes(Expected.Heap->Upper))
    Call.Upper = static_cast<std::int64_t>(*Bound);
  Call.At = Like.At;
  Call.At.Heap = static_cast<double>(Call.Peak);
  Call.FromSkeleton = false;
  Call.Runs = Runs->size();
  return Call;
}

/// A prediction whose skeleton is asked again.
struct KeptAnswer {
  Surroundings Around;
  Answer Found;
  CallForecast Call;
};

/// The call under the answers that lead to what it holds.
std::optional<CallForecast> afterSeeing(KeptAnswer &Kept, const HeldByPlace &Held) {
  const Skeleton &S = *Kept.Found.Source;
  RunnerOptions Options = runnerOptions(S, Kept.Around.Files, Kept.Around.Libraries, Kept.Around.Runner);
  Options.Limit = Timeout;
  Options.Trust = Kept.Around.Trust;
  SkeletonSession Session(S, Options);
  if (Session.start())
    return std::nullopt;
  const auto End = std::chrono::steady_clock::now() + Timeout;
  std::optional<Explanation> Seen =
      explain(S, Kept.Found.Predicted.Asked, Held, Session, [End] { return std::chrono::steady_clock::now() >= End; });
  if (!Seen)
    return std::nullopt;
  Kept.Call.FromRun |= Seen->Changed;
  Kept.Found.Predicted.Asked = std::move(Seen->Asked);
  CallForecast Call = Kept.Call;
  Call.Peak = static_cast<std::int64_t>(Seen->Heap.Peak);
  Call.OneTime = static_cast<std::int64_t>(Seen->Heap.OneTime);
  // What is seen may be more than was thought possible: the bound is none then.
  if (Call.Upper && *Call.Upper < Call.Peak)
    Call.Upper.reset();
  Kept.Found.Predicted.Heap = std::move(Seen->Heap);
  addPastRuns(Kept.Found.Predicted, Kept.Around, Call);
  return Call;
}

std::optional<CallForecast> predicted(const std::string &Program, const RunOperator &Operator, const RunGroup &Group,
                                      const std::string &Runner, const std::string &Slicer, bool Trust) {
  Surroundings Around;
  Around.Runner = Runner;
  Around.Slicer = Slicer;
  Around.Trust = Trust;
  Around.Formulas = false;
  Around.Deadline = std::chrono::steady_clock::now() + Timeout;
  Result<InstrumentedFile> File = readInstrumentedFile(Program);
  if (!File)
    return std::nullopt;
  Around.Files.push_back(std::move(*File));
  Result<std::vector<Skeleton>> Skeletons = skeletonsOf(Around.Files);
  if (!Skeletons)
    return std::nullopt;
  Result<const Skeleton *> Chosen = chooseOperator(*Skeletons, Operator.Name, Program);
  if (!Chosen || (*Chosen)->parametersOf(Role::Shape).size() != Group.Shape.size() ||
      (*Chosen)->parametersOf(Role::Setting).size() != Group.Settings.size())
    return std::nullopt;
  Question Asked;
  Asked.Shape = Group.Shape;
  Asked.Settings = Group.Settings;
  Result<WholeOperator> Whole = wholeOperator(**Chosen, Around);
  if (!Whole)
    return std::nullopt;
  Result<Answer> Found = answer(*Whole, Asked, Around);
  if (!Found)
    return std::nullopt;
  const Footprint &Heap = Found->Predicted.Heap;
  const Bounds &Range = Found->Predicted.Range;
  CallForecast Call{static_cast<std::int64_t>(Heap.Peak), static_cast<std::int64_t>(Heap.OneTime), Range.Exact};
  if (Range.Upper)
    Call.Upper = static_cast<std::int64_t>(*Range.Upper);
  addPastRuns(Found->Predicted, Around, Call);
  if (!Range.Exact && !Heap.Decisions.empty() && !Found->Source->Replayed) {
    auto Kept = std::make_shared<KeptAnswer>(std::move(Around), std::move(*Found), Call);
    Call.AfterSeeing = [Kept](const HeldByPlace &Held) { return afterSeeing(*Kept, Held); };
  }
  return Call;
}

} // namespace

ForecastOf predictedCalls(const Installation &Installed, bool Trust) {
  std::string Runner = Installed.runner().string(), Slicer = Installed.slicer().string();
  return [Runner, Slicer, Trust](const std::string &Program, const RunOperator &Operator, const RunGroup &Group) {
    auto Known = [](auto Value) { return isKnown(Value); };
    if (!std::ranges::all_of(Group.Shape, Known) || !std::ranges::all_of(Group.Settings, Known))
      return std::optional<CallForecast>();
    std::optional<CallForecast> Call = predicted(Program, Operator, Group, Runner, Slicer, Trust);
    return Call ? Call : fromRunsAlone(Operator, Group);
  };
}

} // namespace memshape
