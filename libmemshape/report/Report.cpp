// Collects the figures of operators.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/report/Report.h"
#include "libmemshape/formulas/FormulaCache.h"
#include "libmemshape/prediction/Answer.h"
#include "libmemshape/processes/Workers.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/text/Spelling.h"
#include "libmemshape/text/Split.h"
#include "libmemshape/text/Try.h"

#include <algorithm>
#include <mutex>
#include <numeric>

namespace memshape {

constexpr std::chrono::milliseconds FormulaBudget{2000};
/// For the first evaluation of an operator; formulas have their own budget.
constexpr std::chrono::milliseconds FirstTimeout{5000};
/// For answers to decisions, and for the table of shapes.
constexpr std::chrono::milliseconds RangeLongest{500}, RangeBudget{1500}, TableBudget{1500};
/// For shapes at which sizes wrap.
constexpr std::chrono::milliseconds WrapsBudget{3000};
/// For linking one operator with functions of other units.
constexpr std::chrono::seconds SlicingTimeout{20};
/// Factor between processor time and real time, which is a last resort.
constexpr int BusyMachine = 10;
/// Large enough that tensors outweigh constants.
constexpr std::int64_t TypicalValue = 100;
/// Value of a setting that was not given.
constexpr double TypicalSetting = 1;

static bool sameFootprint(const Footprint &A, const Footprint &B) {
  return A.Peak == B.Peak && A.Total == B.Total && A.Allocations == B.Allocations && A.SiteBytes == B.SiteBytes;
}

/// Tries other values of each setting that the user did not give.
static void findSettingsThatMatter(OperatorReport &Report, const ReportRequest &Request, Evaluator &Evaluate) {
  std::vector<Parameter> Settings = Report.Source.parametersOf(Role::Setting);
  Result<GivenValues> Given = splitAssignments(Request.Settings, "--set");
  for (std::size_t I = 0; I < Settings.size(); ++I) {
    if (Given && Given->contains(Settings[I].Name))
      continue;
    std::vector<double> Others = Settings[I].Bits == 1 ? std::vector<double>{0} : std::vector<double>{0.3, 2.5, 17};
    for (double Value : Others) {
      Question Other = Report.Typical;
      Other.Settings[I] = Value;
      Result<Footprint> Answer = Evaluate.evaluate(Other);
      if (Answer && Answer->Outcome == Footprint::Status::Ok && !sameFootprint(*Answer, *Report.AtTypical)) {
        Report.SettingsThatMatter.push_back(Settings[I].Name);
        break;
      }
    }
  }
}

/// Settings and extents as given, typical ones where not.
static Result<Question> typicalQuestion(const Skeleton &Source, const ReportRequest &Request) {
  Question Typical;
  // Settings of other operators may stand on the same command line.
  MEMSHAPE_TRY(GivenValues Given, splitAssignments(Request.Settings, "--set"));
  std::erase_if(Given, [&](const auto &Each) { return !hasSetting(Source, Each.first); });
  MEMSHAPE_TRY(SettingValues Settings, checkSettings(Source, std::move(Given), TypicalSetting));
  Typical.Settings = std::move(Settings.Settings);
  Typical.Presence = std::move(Settings.Presence);
  MEMSHAPE_TRY(GivenValues Extents, splitAssignments(Request.Shapes, "--shape"));
  for (const Parameter &P : Source.parametersOf(Role::Shape)) {
    std::int64_t Value = std::min(TypicalValue, largestValueOf(P));
    if (auto Place = Extents.find(P.Name); Place != Extents.end()) {
      const std::string Text = textOf(Place->second);
      Value = numberIn<std::int64_t>(Text).value_or(-1);
      if (Value < 0 || Value > largestValueOf(P))
        return Failure{"'" + P.Name + "=" + Text + "' is no whole number from 0 to " +
                       std::to_string(largestValueOf(P))};
    }
    Typical.Shape.push_back(Value);
  }
  return Typical;
}

static Result<OperatorReport> reportOperator(Skeleton S, const InstrumentedFile &File, const ReportRequest &Request,
                                             const Surroundings &Program) {
  OperatorReport Report;
  // Functions of other units are included; if they are unavailable, the skeleton of the file is used.
  if (Result<WholeOperator> Whole = wholeOperator(S, Program);
      Whole && Whole->Complete && (Whole->Source.Available || !S.Available))
    Report.Source = std::move(Whole->Source);
  else
    Report.Source = std::move(S);
  const Skeleton &Source = Report.Source;
  if (!Source.Available) {
    Report.Trouble = Source.Reason.empty() ? "no reason given" : Source.Reason;
    return Report;
  }
  MEMSHAPE_TRY(Report.Typical, typicalQuestion(Source, Request));

  RunnerOptions Options = runnerOptions(Source, File, Request.Libraries, Request.Runner);
  Options.Trust = Request.Trust;
  SkeletonSession Session(Source, Options);
  if (std::optional<Failure> Wrong = Session.start()) {
    Report.Trouble = Wrong->Message;
    return Report;
  }
  Session.setTimeouts(FirstTimeout, FirstTimeout);
  Result<Footprint> Answer = Session.evaluate(Report.Typical);
  if (!Answer)
    Report.Trouble = Answer.failure().Message;
  else if (Answer->Outcome != Footprint::Status::Ok)
    Report.Trouble = Answer->Outcome == Footprint::Status::Throws
                         ? "it " + endingOf(Report.Source) + " at the typical shape"
                         : Answer->Message;
  else {
    Report.AtTypical = std::move(*Answer);
    findSettingsThatMatter(Report, Request, Session);
    if (Request.WithRange) {
      Session.setTimeouts(RangeLongest, RangeBudget);
      Report.Range = boundsOf(Source, Report.Typical, *Report.AtTypical, Session);
    }
  }
  if (Request.Steps && Report.AtTypical) {
    // A separate evaluation: following live bytes takes time, and the answer above must not depend on it.
    Question Followed = Report.Typical;
    Followed.Steps = Request.Steps;
    Session.setTimeouts(FirstTimeout, FirstTimeout);
    if (Result<Footprint> Again = Session.evaluate(Followed); Again && Again->Peak == Report.AtTypical->Peak) {
      Report.AtTypical->Steps = std::move(Again->Steps);
      Report.AtTypical->Events = Again->Events;
      Report.AtTypical->EventsPerStep = Again->EventsPerStep;
    }
  }
  Session.setTimeouts(FormulaBudget, FormulaBudget);
  Question Anywhere = Report.Typical;
  Anywhere.Shape.clear();
  Report.Formulas =
      searchFormulas(Source, Anywhere, Session, FormulaBudget, Report.AtTypical ? &*Report.AtTypical : nullptr, {});
  Session.setTimeouts(WrapsBudget, WrapsBudget);
  Report.Wraps = firstWraps(Source, Report.Typical, Session);
  if (Request.WithTable && Report.AtTypical) {
    Session.setTimeouts(TableBudget, TableBudget);
    Report.Table = peakTable(Source, Report.Typical, Report.Formulas.Peak.has_value(), Session);
  }
  return Report;
}

/// Adds the operators in Wanted, of each file, to Reports. They are independent; each has its own runner.
static std::optional<Failure> reportAll(std::vector<std::vector<Skeleton>> &Wanted, const ReportRequest &Request,
                                        const Surroundings &Program, std::vector<FileReport> &Reports) {
  std::vector<std::pair<std::size_t, Skeleton *>> All; // with the number of its file
  for (std::size_t I = 0; I < Reports.size(); ++I)
    for (Skeleton &S : Wanted[I])
      All.emplace_back(I, &S);
  std::vector<std::size_t> Order(All.size());
  std::iota(Order.begin(), Order.end(), std::size_t(0));
  std::vector<std::optional<Result<OperatorReport>>> Made(All.size());
  std::mutex Telling;
  std::size_t Done = 0;
  forEachAtOnce(Order, availableWorkers(), [&](std::size_t Each) {
    const auto [File, S] = All[Each];
    if (Request.Progress) {
      const std::lock_guard Alone(Telling);
      Request.Progress(S->Operator, Done, All.size());
    }
    Surroundings InTime = Program;
    InTime.Deadline = std::chrono::steady_clock::now() + BusyMachine * SlicingTimeout;
    Made[Each] = reportOperator(std::move(*S), Program.Files[File], Request, InTime);
    const std::lock_guard Alone(Telling);
    ++Done;
  });
  for (std::size_t Each = 0; Each < All.size(); ++Each) {
    if (!*Made[Each])
      return Made[Each]->failure();
    Reports[All[Each].first].Operators.push_back(std::move(**Made[Each]));
  }
  return std::nullopt;
}

Result<std::vector<FileReport>> makeReport(const std::vector<std::string> &Files, const ReportRequest &Request) {
  std::vector<FileReport> Reports;
  std::vector<std::string> Names;
  // Everything that can be refused is refused before the first skeleton runs.
  std::vector<InstrumentedFile> Instrumented;
  std::vector<std::vector<Skeleton>> Wanted;
  for (const std::string &Path : Files) {
    MEMSHAPE_TRY(InstrumentedFile File, readInstrumentedFile(Path));
    MEMSHAPE_TRY(std::vector<Skeleton> Skeletons, skeletonsOf(File));
    FileReport Report{Path, {}, {}, whyUnusable({&File, 1})};
    for (const Record &R : File.Records) {
      if (R.Kind != RecordKind::Features)
        continue;
      MEMSHAPE_TRY(nlohmann::ordered_json Document, inContext("'" + Path + "' ", parseFeatures(R.Payload)));
      Report.Features.push_back(std::move(Document));
    }
    Reports.push_back(std::move(Report));
    for (const Skeleton &S : Skeletons)
      Names.push_back(S.Operator);
    std::vector<Skeleton> Chosen;
    if (!Request.Operator.empty())
      for (const Skeleton *S : meant(Skeletons, Request.Operator))
        Chosen.push_back(*S);
    Wanted.push_back(Request.Operator.empty() ? std::move(Skeletons) : std::move(Chosen));
    Instrumented.push_back(std::move(File));
  }
  bool Any = std::any_of(Wanted.begin(), Wanted.end(), [](const auto &List) { return !List.empty(); });
  if (!Any && !Request.Operator.empty()) {
    std::string Nearest = nearestName(Request.Operator, Names);
    return Failure{"there is no operator '" + Request.Operator + "' in " +
                   (Files.size() == 1 ? "'" + Files.front() + "'" : "these files") +
                   (Nearest.empty() ? "" : "; did you mean '" + Nearest + "'?")};
  }
  for (auto [Given, Option, What, Called] : {std::tuple{&Request.Settings, "--set", Role::Setting, "setting"},
                                             std::tuple{&Request.Shapes, "--shape", Role::Shape, "shape symbol"}}) {
    MEMSHAPE_TRY(GivenValues Named, splitAssignments(*Given, Option));
    for (const auto &[Name, Value] : Named) {
      bool Known = false;
      for (const std::vector<Skeleton> &List : Wanted)
        for (const Skeleton &S : List)
          if (What == Role::Setting)
            Known |= hasSetting(S, Name);
          else
            for (const Parameter &P : S.parametersOf(What))
              Known |= P.Name == Name;
      if (!Known)
        return Failure{std::string("no operator here has a ") + Called + " '" + Name + "'"};
    }
  }
  Surroundings Program;
  Program.Files = std::move(Instrumented);
  Program.Slicer = Request.Slicer;
  Program.Trust = Request.Trust;
  MEMSHAPE_CHECK(reportAll(Wanted, Request, Program, Reports));
  return Reports;
}

const nlohmann::ordered_json *featuresOf(const FileReport &File, const Skeleton &S) {
  for (const nlohmann::ordered_json &Document : File.Features) {
    auto Operators = Document.find("operators");
    if (Operators == Document.end() || !Operators->is_array())
      continue;
    for (const nlohmann::ordered_json &Operator : *Operators)
      if (Operator.is_object() && Operator.contains("symbol") && Operator["symbol"] == S.Symbol)
        return &Operator;
  }
  return nullptr;
}

} // namespace memshape
