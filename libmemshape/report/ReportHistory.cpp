// Past runs beside what a report derives.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/report/Report.h"

#include "libmemshape/history/Store.h"
#include "libmemshape/history/StorePool.h"
#include "libmemshape/prediction/Answer.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/text/Try.h"

namespace memshape {

/// For the skeleton at the shapes of all past runs of an operator, and at one of them.
constexpr std::chrono::milliseconds AllRunsTimeout{3000}, OneRunTimeout{500};

/// What the skeleton is asked for a run; nothing where the run is not one of its parameters.
static std::optional<Question> questionOf(const Skeleton &S, const RunEntry &Run) {
  Question Asked;
  for (const Parameter &P : S.parametersOf(Role::Shape)) {
    auto Place = Run.At.Shape.find(P.Name);
    if (Place == Run.At.Shape.end() || !(Place->second <= static_cast<double>(largestValueOf(P))))
      return std::nullopt;
    Asked.Shape.push_back(static_cast<std::int64_t>(Place->second));
  }
  for (const Parameter &P : S.parametersOf(Role::Setting)) {
    auto Place = Run.Settings.find(P.Name);
    std::optional<double> Value = Place == Run.Settings.end() ? std::nullopt : settingValue(Place->second);
    if (!Value)
      return std::nullopt;
    Asked.Settings.push_back(*Value);
  }
  if (Asked.Shape.size() != Run.At.Shape.size() || Asked.Settings.size() != Run.Settings.size())
    return std::nullopt;
  return Asked;
}

std::optional<Failure> addHistory(std::vector<FileReport> &Reports, const ReportRequest &Request,
                                  const HistoryRequest &History) {
  MEMSHAPE_TRY(Store Opened, Store::open(History.Store, Store::Purpose::Read));
  MEMSHAPE_TRY(Prior Generic, loadPrior(History.Model));
  for (FileReport &File : Reports) {
    MEMSHAPE_TRY(InstrumentedFile Program, readInstrumentedFile(File.Path));
    for (OperatorReport &Report : File.Operators) {
      MEMSHAPE_TRY(std::vector<RunEntry> Runs, Opened.runsOf(Report.Source.Operator, MostRunsRead));
      const Skeleton &S = Report.Source;
      std::optional<SkeletonSession> Session;
      if (S.Available && !Runs.empty()) {
        RunnerOptions Starting = runnerOptions(S, Program, Request.Libraries, Request.Runner);
        Starting.Trust = Request.Trust;
        Session.emplace(S, std::move(Starting));
        if (Session->start())
          Session.reset();
        else
          Session->setTimeouts(OneRunTimeout, AllRunsTimeout);
      }
      Report.History = roundsOf(Generic, Runs, History.Confidence, [&](const RunEntry &Run) -> std::optional<double> {
        std::optional<Question> Asked = Session ? questionOf(S, Run) : std::nullopt;
        if (!Asked)
          return std::nullopt;
        Result<Footprint> Heap = Session->evaluate(*Asked);
        if (!Heap || Heap->Outcome != Footprint::Status::Ok)
          return std::nullopt;
        return static_cast<double>(Heap->Peak);
      });
    }
  }
  return std::nullopt;
}

} // namespace memshape
