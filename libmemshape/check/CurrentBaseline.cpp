// The baseline of a build.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/check/CurrentBaseline.h"
#include "libmemshape/check/BaselineParts.h"
#include "libmemshape/processes/Workers.h"
#include "libmemshape/text/Spelling.h"
#include "libmemshape/text/Split.h"
#include "libmemshape/text/Try.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <set>
#include <tuple>

namespace memshape {

namespace {

using std::chrono::milliseconds;

/// For one reference shape, and for all of them together.
constexpr milliseconds ShapeTimeout{5000}, ShapesTimeout{20000};
/// Processor time for a search, and real time, which ends it if something is wrong: a formula must not depend on the
/// load of the machine.
constexpr milliseconds FormulaBudget{2000}, FormulaTimeout{60000};
constexpr std::chrono::seconds OperatorTimeout{60};
/// Factor between processor time and real time, which is a last resort.
constexpr int BusyMachine = 10;

/// Names under which a baseline knows the operators: those of the source, with parameters where these tell them apart.
Result<std::vector<std::string>> baselineNames(const std::vector<Skeleton> &Skeletons) {
  std::vector<std::string> Names;
  std::set<std::string> Taken;
  for (const Skeleton &S : Skeletons) {
    const auto Same = std::count_if(Skeletons.begin(), Skeletons.end(),
                                    [&](const Skeleton &Other) { return Other.Operator == S.Operator; });
    Names.push_back(Same > 1 ? demangled(S.Symbol) : S.Operator);
    if (!Taken.insert(Names.back()).second)
      return Failure{"two operators are called '" + Names.back() + "': rename one, or check the files one by one"};
  }
  return Names;
}

BaselineRow lockedRow(const Question &Asked, const Footprint &Heap, const Bounds &Range, bool Complete) {
  BaselineRow Row;
  Row.Shape = Asked.Shape;
  Row.Figures[PeakIndex] = Heap.Peak;
  Row.Figures[TotalIndex] = Heap.Total;
  Row.Figures[OutputIndex] = Heap.Output;
  Row.Figures[AllocationsIndex] = Heap.Allocations;
  Row.Exact = Range.Exact && Complete;
  if (!Row.Exact) {
    Row.Lower = Complete ? Range.Lower : 0;
    Row.Upper = Complete ? Range.Upper : std::nullopt;
  }
  for (const auto &[Space, Bytes] : Heap.Spaces)
    if (Space != "host")
      Row.Spaces[Space] = Bytes;
  return Row;
}

void addDependences(BaselineOperator &Op, const Skeleton &S, const Footprint &Heap) {
  std::set<std::string> Names(Op.DependsOn.begin(), Op.DependsOn.end());
  for (const auto &[Name, Value] : Heap.Machine)
    Names.insert(Name);
  for (const auto &[Name, Value] : Heap.Environment)
    Names.insert("$" + Name);
  if (Heap.Threads)
    Names.insert("processors");
  for (const UnknownCall &Call : S.Unknown)
    if (!Call.Dropped)
      Names.insert(Call.Symbol + "()");
  Op.DependsOn.assign(Names.begin(), Names.end());
}

/// One operator at its reference shapes.
class OperatorEvaluation {
public:
  OperatorEvaluation(const Skeleton &Stored, const Surroundings &Around, const BaselineOperator *Before,
                     const BaselineRequest &Request)
      : Stored(Stored), Around(Around), Before(Before), Request(Request) {}

  Result<BaselineOperator> take(const std::string &Name, const GivenArguments &Given) {
    Op.Name = Name;
    Op.Place = {wholePath(Stored, Stored.Place.File), Stored.Operator, "", Stored.Place.Line, Stored.Place.Column};
    Op.Symbols = Stored.shapeSymbols();
    if (Before)
      Op.Tolerance = Before->Tolerance;
    settings(Given);
    for (const auto &[Setting, Value] : Op.Settings)
      Asked.Settings.push_back(Value);
    if (auto Processors = Around.Machine.find("processors"); Processors != Around.Machine.end())
      Asked.Threads = static_cast<std::uint32_t>(Processors->second);
    MEMSHAPE_TRY(WholeOperator Whole, wholeOperator(Stored, Around));
    if (Whole.Source.Available && bySkeleton(Whole, Given))
      return std::move(Op);
    byAnyMeans(Whole, Given);
    return std::move(Op);
  }

private:
  void settings(const GivenArguments &Given) {
    const std::vector<Parameter> Parameters = Stored.parametersOf(Role::Setting);
    for (std::size_t I = 0; I < Parameters.size(); ++I) {
      double Value = 1;
      // By position if all were renamed.
      if (Before && Before->Settings.size() == Parameters.size())
        Value = Before->Settings[I].second;
      if (Before)
        for (const auto &[Name, Known] : Before->Settings)
          if (Name == Parameters[I].Name)
            Value = Known;
      if (std::optional<double> Wanted = Given.setting(Op.Name, Parameters[I].Name))
        Value = *Wanted;
      Op.Settings.emplace_back(Parameters[I].Name, Value);
    }
  }

  /// The shapes that the user gave, or else those of the baseline.
  std::vector<std::vector<std::int64_t>> knownShapes(const GivenArguments &Given) const {
    if (std::vector<std::vector<std::int64_t>> Wanted = Given.shapes(Op.Name, Stored); !Wanted.empty())
      return Wanted;
    std::vector<std::vector<std::int64_t>> Known;
    if (Before && Before->Symbols.size() == Op.Symbols.size())
      for (const BaselineRow &Row : Before->Rows)
        Known.push_back(inOrder(Row.Shape));
    return Known;
  }

  /// A shape of the baseline in the order of the current parameters, which may have been reordered.
  std::vector<std::int64_t> inOrder(const std::vector<std::int64_t> &Then) const {
    std::vector<std::int64_t> Now = Then;
    for (std::size_t I = 0; I < Op.Symbols.size(); ++I) {
      auto At = std::find(Before->Symbols.begin(), Before->Symbols.end(), Op.Symbols[I]);
      if (At == Before->Symbols.end())
        return Then;
      Now[I] = Then[static_cast<std::size_t>(At - Before->Symbols.begin())];
    }
    return Now;
  }

  /// False if another method is needed.
  bool addRows(const WholeOperator &Whole, const std::vector<std::vector<std::int64_t>> &Shapes,
               SkeletonSession &Session) {
    const Skeleton &S = Whole.Source;
    for (const std::vector<std::int64_t> &Shape : Shapes) {
      Question Here = Asked;
      Here.Shape = Shape;
      Session.setTimeouts(ShapeTimeout, ShapesTimeout);
      Result<Footprint> Heap = evaluateRefusing(S, Here, Session);
      if (!Heap || Heap->Outcome != Footprint::Status::Ok)
        return false;
      const Bounds Range = boundsOf(S, Here, *Heap, Session);
      if (!Range.Upper && !Heap->UnknownMet.empty())
        return false;
      Op.Rows.push_back(lockedRow(Here, *Heap, Range, Whole.Complete));
      addDependences(Op, S, *Heap);
      if (!Range.Indifferent || Heap->Spaces.size() > 1)
        Decided.push_back(*Heap);
      Rows.push_back(std::move(*Heap));
    }
    return true;
  }

  /// The largest shape stays the last one.
  bool addStretched(const WholeOperator &Whole, SkeletonSession &Session) {
    const auto Largest = static_cast<std::ptrdiff_t>(Rows.size()) - 1;
    if (!addRows(Whole, stretchedShapes(Stored, Asked, Session), Session))
      return false;
    std::rotate(Rows.begin() + Largest, Rows.begin() + Largest + 1, Rows.end());
    std::rotate(Op.Rows.begin() + Largest, Op.Rows.begin() + Largest + 1, Op.Rows.end());
    return true;
  }

  /// False if another method is needed.
  bool bySkeleton(const WholeOperator &Whole, const GivenArguments &Given) {
    const Skeleton &S = Whole.Source;
    SkeletonSession Session(S, runnerOptions(S, Around));
    if (Session.start())
      return false;
    Session.setTimeouts(ShapeTimeout, ShapesTimeout);
    const std::vector<std::vector<std::int64_t>> Known = knownShapes(Given);
    if (!addRows(Whole, Known.empty() ? chooseShapes(Stored, Asked, Session) : Known, Session))
      return false;
    if (Rows.empty())
      return false;
    Session.setTimeouts(FormulaTimeout, FormulaTimeout);
    FormulaSet Found;
    KnownFormulas Formulas(S, Before, Op);
    if (!Formulas.confirm(Asked, Session) || Request.Search) {
      Question Anywhere = Asked;
      Anywhere.Shape.clear();
      Found = searchFormulas(S, Anywhere, Session, FormulaBudget, &Rows.back(), FormulaCache::ofUser());
      const bool General = Found.Peak && Found.Peak->Valid.nearlyHolds(probedDomain(S));
      if (Known.empty() && !General && !addStretched(Whole, Session))
        return false;
      Formulas.take(Found, Asked, Session);
    }
    Op.Sites = siteTable(S, Rows, Found);
    Formulas.checkSites();
    Op.Decisions = decisionTable(S, Decided);
    return true;
  }

  /// Predicts each shape by other methods: by replay, or by formulas from smaller shapes.
  void byAnyMeans(const WholeOperator &Whole, const GivenArguments &Given) {
    Op.Rows.clear();
    Rows.clear();
    std::unique_ptr<Skeleton> Source;
    Surroundings InTime = Around;
    std::vector<std::vector<std::int64_t>> Shapes = knownShapes(Given);
    if (Shapes.empty())
      Shapes = {std::vector<std::int64_t>(Op.Symbols.size(), 16), std::vector<std::int64_t>(Op.Symbols.size(), 48)};
    for (const std::vector<std::int64_t> &Shape : Shapes) {
      InTime.Deadline = std::chrono::steady_clock::now() + BusyMachine * OperatorTimeout;
      Question Here = Asked;
      Here.Shape = Shape;
      Result<Answer> Found = answer(Whole, Here, InTime);
      if (!Found) {
        Op.Trouble = Found.failure().Message;
        Op.Rows.clear();
        return;
      }
      const Prediction &P = Found->Predicted;
      Op.Method = P.Operator->Replayed ? "replay" : P.Extrapolated ? "extrapolated" : "";
      Op.Rows.push_back(lockedRow(Here, P.Heap, P.Range, Whole.Complete));
      addDependences(Op, *P.Operator, P.Heap);
      Rows.push_back(P.Heap);
      Source = std::move(Found->Source);
    }
    if (!Source)
      return;
    Op.Sites = siteTable(*Source, Rows, {});
    Op.Decisions = decisionTable(*Source, Rows);
  }

  const Skeleton &Stored;
  const Surroundings &Around;
  const BaselineOperator *Before;
  const BaselineRequest &Request;
  BaselineOperator Op;
  Question Asked;
  std::vector<Footprint> Rows, Decided; ///< of the operator's rows, and of those that depend on data
};

/// The baseline's operator that S was: the one of the same name, or, if S is new, the one whose name has gone.
const BaselineOperator *formerOf(const std::string &Name, const Skeleton &S, const std::vector<std::string> &Names,
                                 const BaselineFile *Baseline) {
  if (!Baseline)
    return nullptr;
  if (const BaselineOperator *Same = Baseline->find(Name))
    return Same;
  const BaselineOperator *Renamed = nullptr;
  for (const BaselineOperator &Op : Baseline->Operators)
    if (std::find(Names.begin(), Names.end(), Op.Name) == Names.end() && Op.Symbols == S.shapeSymbols()) {
      if (Renamed)
        return nullptr;
      Renamed = &Op;
    }
  return Renamed;
}

/// Numbers of operators, those that are likely to take longest first, so that no long one begins last. Exploring
/// decisions takes longest.
std::vector<std::size_t> slowestFirst(const std::vector<Skeleton> &Skeletons) {
  std::vector<std::size_t> Order(Skeletons.size());
  std::iota(Order.begin(), Order.end(), 0);
  std::sort(Order.begin(), Order.end(), [&](std::size_t A, std::size_t B) {
    const auto CostOf = [&](std::size_t I) {
      return std::tuple(Skeletons[I].Decisions.size(), Skeletons[I].Bitcode.size(), Skeletons.size() - I);
    };
    return CostOf(A) > CostOf(B);
  });
  return Order;
}

} // namespace

Result<BaselineFile> currentBaseline(const Surroundings &Around, const BaselineFile *Baseline,
                                     const BaselineRequest &Request) {
  MEMSHAPE_TRY(std::vector<Skeleton> Skeletons, skeletonsOf(Around.Files));
  if (Skeletons.empty())
    return Failure{"these files contain no operator: mark a function with MEMSHAPE_OPERATOR and compile it with "
                   "-fplugin=memshape" +
                   whyUnusable(Around.Files)};
  MEMSHAPE_TRY(std::vector<std::string> Names, baselineNames(Skeletons));
  MEMSHAPE_TRY(GivenArguments Given, GivenArguments::read(Request.Shapes, Request.Settings, Skeletons, Names));
  BaselineFile Now;
  Now.Machine = Around.Machine;
  if (Baseline)
    Now.Tolerance = Baseline->Tolerance;
  // Operators are independent; each has its own runner.
  std::vector<std::optional<Result<BaselineOperator>>> Taken(Skeletons.size());
  std::mutex Telling;
  std::size_t Done = 0;
  forEachAtOnce(slowestFirst(Skeletons), availableWorkers(), [&](std::size_t I) {
    const Skeleton &S = Skeletons[I];
    if (Request.Progress) {
      std::lock_guard<std::mutex> Lock(Telling);
      Request.Progress(Names[I], Done, Skeletons.size());
    }
    Taken[I] = OperatorEvaluation(S, Around, formerOf(Names[I], S, Names, Baseline), Request).take(Names[I], Given);
    std::lock_guard<std::mutex> Lock(Telling);
    ++Done;
  });
  std::set<std::string> Compilers;
  for (std::size_t I = 0; I < Skeletons.size(); ++I) {
    const Skeleton &S = Skeletons[I];
    if (!S.Compiler.empty())
      Compilers.insert(compiledBy(S));
    if (!*Taken[I])
      return Taken[I]->failure();
    Now.Operators.push_back(std::move(**Taken[I]));
  }
  Now.Compiler = joined(Compilers);
  std::sort(Now.Operators.begin(), Now.Operators.end(),
            [](const BaselineOperator &A, const BaselineOperator &B) { return A.Name < B.Name; });
  return Now;
}

} // namespace memshape
