// What changed between two builds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/report/Difference.h"
#include "libmemshape/prediction/Prediction.h"
#include "libmemshape/text/Figures.h"
#include "libmemshape/text/Split.h"

#include <algorithm>

namespace memshape {

namespace {

using Reports = std::vector<FileReport>;

const OperatorReport *find(const Reports &In, const std::string &Symbol) {
  for (const FileReport &File : In)
    for (const OperatorReport &Report : File.Operators)
      if (Report.Source.Symbol == Symbol)
        return &Report;
  return nullptr;
}

std::string formulaText(const std::optional<Recovered> &Found, const FormulaSet &In) {
  return Found ? Found->Value.str(In.Symbols) : "no closed form";
}

std::string peakText(const FormulaSet &Of) {
  return Of.prefersPart() ? Of.Part->str(Of.Symbols) : formulaText(Of.Peak, Of);
}

std::string symbolsText(const OperatorReport &Report) {
  const std::string Text = joined(Report.Source.shapeSymbols());
  return Text.empty() ? "none" : Text;
}

std::string boundText(const OperatorReport &Report) {
  if (!Report.Range)
    return Report.Source.Available ? Report.Trouble : "no skeleton: " + Report.Trouble;
  if (Report.Range->Exact)
    return "exact";
  return "between " + inUnits(Report.Range->Lower) + " and " +
         (Report.Range->Upper ? inUnits(*Report.Range->Upper) : std::string("no upper bound")) +
         (Report.Range->Proven ? "" : ", not proven");
}

/// Formulas are compared as text: they are printed in a canonical order of terms.
std::vector<ChangedLine> linesThatChange(const OperatorReport &A, const OperatorReport &B) {
  std::vector<ChangedLine> Lines;
  auto Compare = [&](const std::string &What, const std::string &Before, const std::string &After) {
    if (Before != After)
      Lines.push_back({What, Before, After});
  };
  Compare("shape symbols", symbolsText(A), symbolsText(B));
  Compare("peak heap", peakText(A.Formulas), peakText(B.Formulas));
  Compare("left at return", formulaText(A.Formulas.Output, A.Formulas), formulaText(B.Formulas.Output, B.Formulas));
  Compare("allocated in all", formulaText(A.Formulas.Total, A.Formulas), formulaText(B.Formulas.Total, B.Formulas));
  Compare("allocations", formulaText(A.Formulas.Allocations, A.Formulas),
          formulaText(B.Formulas.Allocations, B.Formulas));
  if (A.AtTypical && B.AtTypical && A.Source.shapeSymbols() == B.Source.shapeSymbols()) {
    const std::string At = assigned(B.Source.shapeSymbols(), B.Typical.Shape);
    Compare(At.empty() ? "peak" : "at " + At, grouped(A.AtTypical->Peak) + " bytes",
            grouped(B.AtTypical->Peak) + " bytes");
  }
  Compare("how sure", boundText(A), boundText(B));
  return Lines;
}

std::string fileName(const SourcePlace &Place) { return Place.File.substr(Place.File.rfind('/') + 1); }

/// Counts places by their description; Where is the first of each kind.
class PlaceCount {
public:
  void add(const SourcePlace &Place, const std::string &Words, bool Newer) {
    std::string Key = fileName(Place) + "\n" + Words;
    auto Found = std::find_if(Kinds.begin(), Kinds.end(), [&](const auto &Kind) { return Kind.first == Key; });
    if (Found == Kinds.end())
      Found = Kinds.insert(Kinds.end(), {Key, {shortPlace(Place), Words, 0, 0}});
    if (Newer && Found->second.After == 0)
      Found->second.Where = shortPlace(Place);
    ++(Newer ? Found->second.After : Found->second.Before);
  }
  std::vector<ChangedPlace> changed() const {
    std::vector<ChangedPlace> List;
    for (const auto &[Key, Kind] : Kinds)
      if (Kind.Before != Kind.After)
        List.push_back(Kind);
    return List;
  }

private:
  std::vector<std::pair<std::string, ChangedPlace>> Kinds;
};

/// Counts sites that hold something at the peak; others do not affect it.
void countSites(const OperatorReport &Report, bool Newer, PlaceCount &Count) {
  if (!Report.AtTypical)
    return;
  for (auto [Id, Held] : sitesByBytes(*Report.AtTypical, Report.Source)) {
    if (!Held || Id == LibrarySite)
      continue;
    const SkeletonSite &Site = Report.Source.Sites[static_cast<std::size_t>(Id)];
    auto Found = Report.Formulas.Sites.find(Id);
    Count.add(Site.Place,
              shortFunction(Site.Place.Function) + "  " +
                  (Found == Report.Formulas.Sites.end() ? grouped(Held) + " bytes, no closed form"
                                                        : Found->second.Value.str(Report.Formulas.Symbols)),
              Newer);
  }
}

void countDecisions(const OperatorReport &Report, bool Newer, PlaceCount &Count) {
  for (const SkeletonDecision &D : Report.Source.Decisions)
    Count.add(D.Place,
              shortFunction(D.Place.Function) + "  " + (D.Condition.empty() ? "a size from data" : D.Condition), Newer);
}

} // namespace

std::vector<OperatorDifference> differences(const Reports &Before, const Reports &After) {
  std::vector<OperatorDifference> Changes;
  for (const FileReport &File : After)
    for (const OperatorReport &New : File.Operators) {
      const OperatorReport *Old = find(Before, New.Source.Symbol);
      if (!Old) {
        Changes.push_back(
            {New.Source.Operator, OperatorDifference::Kind::New, {{"peak heap", "", peakText(New.Formulas)}}, {}, {}});
        continue;
      }
      OperatorDifference Change{
          New.Source.Operator, OperatorDifference::Kind::Changed, linesThatChange(*Old, New), {}, {}};
      PlaceCount Sites, Decisions;
      for (bool Newer : {false, true}) {
        countSites(Newer ? New : *Old, Newer, Sites);
        countDecisions(Newer ? New : *Old, Newer, Decisions);
      }
      Change.Sites = Sites.changed();
      Change.Decisions = Decisions.changed();
      if (!Change.Lines.empty() || !Change.Sites.empty() || !Change.Decisions.empty())
        Changes.push_back(std::move(Change));
    }
  for (const FileReport &File : Before)
    for (const OperatorReport &Old : File.Operators)
      if (!find(After, Old.Source.Symbol))
        Changes.push_back({Old.Source.Operator,
                           OperatorDifference::Kind::Vanished,
                           {{"peak heap", peakText(Old.Formulas), ""}},
                           {},
                           {}});
  return Changes;
}

} // namespace memshape
