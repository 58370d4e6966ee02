// One operator, then and now.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/check/OperatorComparison.h"
#include "libmemshape/check/baseline/Baseline.h"
#include "libmemshape/check/baseline/Ordered.h"
#include "libmemshape/text/Figures.h"
#include "libmemshape/text/Split.h"

#include <algorithm>
#include <cmath>

namespace memshape {

/// Share of the greatest reference shape: what an optimiser may elide is small beside the tensors there.
constexpr double ElidedShare = 0.01;

static std::vector<std::uint64_t> column(const BaselineOperator &Op, std::size_t Figure) {
  return mapped(Op.Rows, [&](const BaselineRow &Row) { return Row.Figures[Figure]; });
}

static double ratio(std::uint64_t Then, std::uint64_t Now) {
  return Then ? static_cast<double>(Now) / static_cast<double>(Then) : Now ? HUGE_VAL : 1;
}

static std::string figureTitle(std::size_t Figure) {
  static constexpr const char *Titles[] = {"the peak", "the total of all requests", "the output",
                                           "the number of allocations"};
  return Titles[Figure];
}

static std::string counted(std::uint64_t Value, bool IsCount) { return grouped(Value) + (IsCount ? "" : " B"); }

void OperatorComparison::add(const char *Rule, Severity How, std::string Message, std::vector<FigureChange> Figures,
                             std::optional<CodePlace> Place) {
  Finding F;
  F.Rule = Rule;
  F.How = How;
  F.Operator = Now.Name;
  F.Message = std::move(Message);
  F.Figures = std::move(Figures);
  F.Place = std::move(Place);
  if (!F.Place && Now.Place.Line)
    F.Place = Now.Place;
  Found.push_back(std::move(F));
}

OperatorComparison::Grade OperatorComparison::gradeOfRows(const std::vector<std::uint64_t> &Then,
                                                          const std::vector<std::uint64_t> &Today,
                                                          FigureChange &Change) const {
  std::optional<Grade> Worst;
  for (std::size_t I = 0; I < Then.size(); ++I) {
    if (Then[I] == Today[I])
      continue;
    const Grade Here = Today[I] < Then[I]                          ? Grade::Less
                       : ratio(Then[I], Today[I]) <= 1 + Tolerance ? Grade::Tolerated
                                                                   : Grade::Bytes;
    // Of equally bad rows, the greatest one is shown.
    if (!Worst || Here >= *Worst) {
      Change.At = assigned(Now.Symbols, Now.Rows[I].Shape, ",");
      Change.Then = Then[I];
      Change.Now = Today[I];
      Worst = Here;
    }
  }
  return Worst.value_or(Grade::Same);
}

OperatorComparison::Grade OperatorComparison::gradeOf(std::size_t Figure, FigureChange &Change) const {
  Change.Figure = FigureNames[Figure];
  Change.IsCount = Figure == AllocationsIndex;
  Change.Before = Before.Formulas[Figure];
  Change.After = Now.Formulas[Figure];
  if (Change.Before)
    Change.Before = renamed(*Change.Before, Before.formulaSymbols(), Now.formulaSymbols());
  Grade G = gradeOfRows(column(Before, Figure), column(Now, Figure), Change);
  if (!Change.Before || !Change.After || *Change.Before == *Change.After)
    return G;
  const FormulaGrowth Far = growthFrom(*Change.Before, *Change.After, Now.formulaSymbols());
  if (Change.At.empty() && !Now.Rows.empty()) {
    Change.At = assigned(Now.Symbols, Now.Rows.back().Shape, ",");
    Change.Then = Before.Rows.back().Figures[Figure];
    Change.Now = Now.Rows.back().Figures[Figure];
  }
  if (Far.Degree)
    return Grade::Degree;
  if (Far.Coefficient > 1 + Tolerance && Far.Coefficient > 1 + 1e-6)
    return Grade::Coefficient;
  return G;
}

bool OperatorComparison::fails(Grade G, const FigureChange &Change) const {
  if (G < Grade::Bytes)
    return false;
  if (!OtherCompiler || G == Grade::Degree)
    return true;
  // Counts of small blocks change with the optimiser.
  if (Change.IsCount)
    return false;
  return G == Grade::Coefficient || ratio(*Change.Then, *Change.Now) > 1 + std::max(Tolerance, ElidedShare);
}

void OperatorComparison::compareFigures() {
  static constexpr const char *Rules[] = {"", "", "", "bytes-growth", "coefficient-growth", "degree-growth"};
  std::vector<FigureChange> Worse, Better, Else;
  Grade Worst = Grade::Same;
  for (std::size_t Figure = 0; Figure < FigureCount; ++Figure) {
    FigureChange Change;
    const Grade G = gradeOf(Figure, Change);
    if (G == Grade::Same)
      continue;
    if (fails(G, Change)) {
      Worst = std::max(Worst, G);
      Worse.push_back(std::move(Change));
    } else if (G == Grade::Less) {
      Better.push_back(std::move(Change));
    } else {
      Else.push_back(std::move(Change));
    }
  }
  auto Message = [&](const FigureChange &Change, const char *Verb) {
    const auto Figure = static_cast<std::size_t>(
        std::find(std::begin(FigureNames), std::end(FigureNames), Change.Figure) - std::begin(FigureNames));
    std::string Text = figureTitle(Figure) + " " + Verb;
    if (Change.Before && Change.After && *Change.Before != *Change.After)
      Text += " from " + *Change.Before + " to " + *Change.After;
    if (Change.Then && Change.Now)
      Text += (Text.ends_with(Verb) ? " from " : ": from ") + counted(*Change.Then, Change.IsCount) + " to " +
              counted(*Change.Now, Change.IsCount) + (Change.At.empty() ? "" : " at " + Change.At);
    return Text;
  };
  if (!Worse.empty()) {
    const FigureChange First = Worse.front();
    Worse.insert(Worse.end(), Else.begin(), Else.end());
    Worse.insert(Worse.end(), Better.begin(), Better.end());
    add(Rules[static_cast<unsigned>(Worst)], Severity::Error, Message(First, "grew"), std::move(Worse));
  } else if (!Else.empty()) {
    const std::string Text = Message(Else.front(), "grew") + (OtherCompiler ? "" : ", within the tolerance");
    add(OtherCompiler ? "other-compiler" : "bytes-growth", Severity::Note, Text, std::move(Else));
  } else if (!Better.empty()) {
    const std::string Text = Message(Better.front(), "shrank");
    add(OtherCompiler ? "other-compiler" : "improvement", OtherCompiler ? Severity::Note : Severity::Improvement, Text,
        std::move(Better));
  } else {
    return;
  }
  Finding &F = Found.back();
  F.Sites = siteChanges(Before, Now);
  const bool Improved = F.How == Severity::Improvement;
  for (const SiteChange &Change : F.Sites)
    if (Change.Place.Line && (Improved || Change.What < SiteChange::Kind::Vanished)) {
      F.Place = Change.Place;
      break;
    }
}

void OperatorComparison::compareSpaces() {
  std::map<std::string, bool> Names;
  for (const BaselineOperator *Op : {&Before, &Now})
    for (const BaselineRow &Row : Op->Rows)
      for (const auto &[Space, Bytes] : Row.Spaces)
        Names[Space] = true;
  for (const auto &[Space, Any] : Names) {
    auto Column = [&](const BaselineOperator &Op) {
      std::vector<std::uint64_t> Values;
      for (const BaselineRow &Row : Op.Rows) {
        auto Held = Row.Spaces.find(Space);
        Values.push_back(Held == Row.Spaces.end() ? 0 : Held->second);
      }
      return Values;
    };
    FigureChange Change;
    Change.Figure = "peak, " + Space;
    const Grade G = gradeOfRows(Column(Before), Column(Now), Change);
    if (G == Grade::Same)
      continue;
    const bool Worse = fails(G, Change);
    const std::string Text = "the peak of the space '" + Space + "' " + (G == Grade::Less ? "shrank" : "grew") +
                             " from " + grouped(*Change.Then) + " B to " + grouped(*Change.Now) + " B at " + Change.At;
    add(Worse              ? "bytes-growth"
        : G == Grade::Less ? "improvement"
                           : "bytes-growth",
        Worse              ? Severity::Error
        : G == Grade::Less ? Severity::Improvement
                           : Severity::Note,
        Text, {Change});
    Found.back().Sites = siteChanges(Before, Now);
    if (!Found.back().Sites.empty() && Found.back().Sites.front().Place.Line)
      Found.back().Place = Found.back().Sites.front().Place;
  }
}

void OperatorComparison::compareBounds() {
  const Severity How = OtherCompiler ? Severity::Note : Severity::Error;
  for (std::size_t I = Now.Rows.size(); I-- > 0;) {
    const BaselineRow &Then = Before.Rows[I], &Today = Now.Rows[I];
    const std::string At = " at " + assigned(Now.Symbols, Today.Shape, ",");
    const std::optional<std::uint64_t> UpperThen = Then.Exact ? Then.Figures[PeakIndex] : Then.Upper,
                                       UpperNow = Today.Exact ? Today.Figures[PeakIndex] : Today.Upper;
    std::optional<CodePlace> Place;
    if (!Now.Decisions.empty())
      Place = Now.Decisions.front().Place;
    if (UpperThen && !UpperNow)
      return add(
          "lost-bound", How, "the peak has no upper bound any more" + At,
          {{"upper bound of the peak", {}, {}, assigned(Now.Symbols, Today.Shape, ","), UpperThen, UpperNow, false}},
          Place);
    if (Then.Exact && !Today.Exact)
      return add("lost-exactness", How,
                 "the peak was exact, and is now between " + grouped(Today.Lower) + " B and " +
                     (UpperNow ? grouped(*UpperNow) + " B" : "no bound") + At,
                 {}, Place);
    if (UpperThen && UpperNow && !Today.Exact && ratio(*UpperThen, *UpperNow) > 1 + Tolerance) {
      FigureChange Change{
          "upper bound of the peak", {}, {}, assigned(Now.Symbols, Today.Shape, ","), UpperThen, UpperNow, false};
      if (std::none_of(Found.begin(), Found.end(), [](const Finding &F) { return F.How == Severity::Error; }))
        add("bytes-growth", How,
            "the upper bound of the peak grew from " + grouped(*UpperThen) + " B to " + grouped(*UpperNow) + " B" + At,
            {Change}, Place);
      return;
    }
  }
}

void OperatorComparison::compareDecisions() {
  if (Now.Decisions.size() <= Before.Decisions.size())
    return;
  // Decisions with the same condition are paired first, then as many others as possible.
  std::vector<bool> Taken(Before.Decisions.size(), false);
  std::vector<const BaselineDecision *> Open;
  for (const BaselineDecision &Today : Now.Decisions) {
    bool Paired = false;
    for (std::size_t I = 0; !Paired && I < Before.Decisions.size(); ++I)
      if (!Taken[I] && Before.Decisions[I].Condition == Today.Condition)
        Taken[I] = Paired = true;
    if (!Paired)
      Open.push_back(&Today);
  }
  const std::size_t Edited = static_cast<std::size_t>(std::count(Taken.begin(), Taken.end(), false));
  // Of the unpaired ones, those in a function that had a decision were edited.
  orderBy(Open, [&](const BaselineDecision *D) {
    return std::none_of(Before.Decisions.begin(), Before.Decisions.end(),
                        [&](const BaselineDecision &Then) { return Then.Function == D->Function; });
  });
  for (std::size_t I = std::min(Edited, Open.size()); I < Open.size(); ++I) {
    const BaselineDecision &D = *Open[I];
    add("new-decision", OtherCompiler ? Severity::Note : Severity::Error,
        "data decide about allocations" + (D.Condition.empty() ? "" : ": " + D.Condition) +
            (D.Function.empty() ? "" : ", in " + D.Function),
        {}, D.Place);
  }
}

std::vector<Finding> OperatorComparison::findings() {
  if (Before.Symbols.size() != Now.Symbols.size()) {
    auto Listed = [](const std::vector<std::string> &Names) { return Names.empty() ? "none" : joined(Names); };
    add("changed-parameters", Severity::Error,
        "its shape symbols were " + Listed(Before.Symbols) + ", and are " + Listed(Now.Symbols) +
            ": footprints cannot be compared; --update accepts the new ones");
    return std::move(Found);
  }
  if (!Now.Trouble.empty()) {
    if (Before.Trouble.empty())
      add("lost-footprint", Severity::Error, "it can no longer be predicted: " + Now.Trouble);
    else
      add("lost-footprint", Severity::Note,
          "it cannot be predicted, and could not be for the baseline: " + Now.Trouble);
    return std::move(Found);
  }
  if (!Before.Trouble.empty() || Before.Rows.size() != Now.Rows.size()) {
    add("improvement", Severity::Improvement,
        "it can be predicted now; --update takes its footprint into the baseline");
    return std::move(Found);
  }
  compareFigures();
  compareSpaces();
  compareBounds();
  compareDecisions();
  return std::move(Found);
}

namespace {

/// So large that lower terms change the degree by less than a quarter; a product of four still fits a double.
constexpr double Far = 1 << 24;
/// Value of the symbols that are held constant.
constexpr double Usual = 1000;

struct Ray {
  double Degree = 0, Value = 0;
};

Ray along(const std::string &Text, const std::vector<std::string> &Symbols, std::size_t Only) {
  auto At = [&](double Extent) {
    std::vector<double> Values(Symbols.size(), Usual);
    for (std::size_t I = 0; I < Values.size(); ++I)
      if (Only == Symbols.size() || Only == I)
        Values[I] = Extent;
    return std::max(0.0, valueOf(Text, Symbols, Values).value_or(0));
  };
  const double Here = At(Far), Twice = At(2 * Far);
  Ray R;
  R.Value = Here;
  R.Degree = Here > 0 && Twice > 0 ? std::round(4 * std::log2(Twice / Here)) / 4 : 0;
  return R;
}

} // namespace

FormulaGrowth growthFrom(const std::string &Before, const std::string &After, const std::vector<std::string> &Symbols) {
  FormulaGrowth Found;
  // Each symbol alone, and all together.
  for (std::size_t Only = 0; Only <= Symbols.size(); ++Only) {
    const Ray Then = along(Before, Symbols, Only), Now = along(After, Symbols, Only);
    if (Now.Degree > Then.Degree)
      Found.Degree = true;
    else if (Now.Degree == Then.Degree && Now.Value > Then.Value)
      Found.Coefficient = std::max(Found.Coefficient, Then.Value > 0 ? Now.Value / Then.Value : HUGE_VAL);
  }
  return Found;
}

} // namespace memshape
