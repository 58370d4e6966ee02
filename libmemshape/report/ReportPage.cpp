// The page about operators.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/prediction/Prediction.h"
#include "libmemshape/prediction/Sentences.h"
#include "libmemshape/prediction/SiteGroups.h"
#include "libmemshape/report/Report.h"
#include "libmemshape/text/Figures.h"
#include "libmemshape/text/Split.h"

#include <algorithm>

namespace memshape {

constexpr unsigned Indent = 2;
constexpr std::size_t MaxSitesShown = 20;
constexpr std::size_t MaxRunsShown = 12;

static std::string parameters(const Skeleton &S) {
  std::vector<std::vector<std::string>> Rows;
  for (auto [What, Label] : {std::pair{Role::Shape, "shape"},
                             {Role::Setting, "settings"},
                             {Role::Tensor, "tensors"},
                             {Role::Function, "functions"},
                             {Role::Object, "objects"}})
    if (std::string Names = joined(S.parametersOf(What), ", ",
                                   [](const Parameter &P) { return P.Name.empty() ? "(unnamed)" : P.Name; });
        !Names.empty())
      Rows.push_back({Label, Names});
  return aligned(Rows, {}, Indent);
}

/// "" if no shape was evaluated, because there is no skeleton.
static std::string typicalShape(const OperatorReport &Report) {
  return assigned(Report.Source.shapeSymbols(), Report.Typical.Shape);
}

/// Whether the peak at the typical shape is exact, bounded or expected.
static std::string verdict(const OperatorReport &Report, const Terminal &Screen) {
  if (!Report.Range)
    return "";
  const Bounds &B = *Report.Range;
  std::string At = typicalShape(Report);
  std::string Text = At.empty() ? "" : "at " + At + ": ";
  if (B.Exact)
    return Text + inked("exact", Ink::Accent, Screen) + ", derived from the source";
  if (B.Upper)
    return Text + "data decides, between " + inUnits(B.Lower) + " and " + inUnits(*B.Upper) +
           (B.Proven ? ", whatever it answers" : inked(" for the answers that were tried", Ink::Warning, Screen));
  return Text + inked("at least " + inUnits(B.Lower) + ", no upper bound", Ink::Warning, Screen);
}

static std::string formulas(const OperatorReport &Report, const Terminal &Screen) {
  const std::vector<std::string> &Symbols = Report.Formulas.Symbols;
  if (Symbols.empty())
    return Report.AtTypical ? "  peak heap   " + grouped(Report.AtTypical->Peak) + " bytes\n" : "";
  const FormulaSet &F = Report.Formulas;
  std::vector<std::vector<std::string>> Rows;
  auto Add = [&](const char *Label, const std::optional<Recovered> &Found) {
    Rows.push_back({Label, Found ? Found->Value.str(Symbols) : "no closed form"});
  };
  Add("peak heap", F.Peak);
  if (F.prefersPart()) {
    Rows.back().back() = F.Part->str(Symbols);
    Rows.push_back({"", "verified at " + std::to_string(F.Part->VerifiedShapes) + " other shapes, for " +
                            F.Part->Valid.str(Symbols)});
    Rows.push_back({"", F.Part->termName(Symbols) + ": " + F.Part->what()});
    Rows.push_back({"", F.Part->boundText(Symbols)});
    Add("left at return", F.Part->Output);
  } else if (!F.Peak && F.OutOfTime)
    Rows.back().back() = "no closed form found in time";
  if (F.Peak && !F.prefersPart()) {
    Rows.push_back({"", "verified at " + std::to_string(F.Peak->VerifiedShapes) + " other shapes, for " +
                            F.Peak->Valid.str(Symbols)});
    Add("left at return", F.Output);
    Add("allocated in all", F.Total);
    Add("allocations", F.Allocations);
  }
  Rows.front().back() = inked(Rows.front().back(), F.Peak || F.Part ? Ink::Accent : Ink::Warning, Screen);
  if (std::string Sure = verdict(Report, Screen); !Sure.empty())
    Rows.push_back({"how sure", Sure});
  std::string Text = aligned(Rows, {}, Indent);
  std::vector<Parameter> Settings = Report.Source.parametersOf(Role::Setting);
  for (std::size_t I = 0; I < Settings.size(); ++I) {
    const std::string &Name = Settings[I].Name;
    if (std::find(Report.SettingsThatMatter.begin(), Report.SettingsThatMatter.end(), Name) ==
        Report.SettingsThatMatter.end())
      continue;
    Text += "  These hold for " + Name + format("=%g", Report.Typical.Settings[I]) + "; others change them (--set " +
            Name + "=...)\n";
  }
  for (const TensorPresence &Each : Report.Source.Presences)
    if (!Report.Typical.Presence.contains(Each.Tensor))
      Text += "  " + sentence(Each) + "\n";
  return Text;
}

static std::string sites(const OperatorReport &Report, const Terminal &Screen) {
  if (!Report.AtTypical)
    return "";
  const std::vector<std::string> &Symbols = Report.Formulas.Symbols;
  std::vector<std::vector<std::string>> Rows;
  std::size_t Left = 0;
  for (const SiteGroup &Group : groupSites(*Report.AtTypical, Report.Source, Report.Formulas)) {
    if (Rows.size() == MaxSitesShown) {
      ++Left;
      continue;
    }
    Rows.push_back({share(Group.Bytes, Group.Peak), Group.Where, Group.Function,
                    Group.Sum ? Group.Sum->str(Symbols) : grouped(Group.Bytes) + " bytes, no closed form"});
  }
  if (Rows.empty())
    return "";
  std::string Shape = typicalShape(Report);
  std::string Text =
      "\n  " + inked("At the peak", Ink::Strong, Screen) + (Shape.empty() ? "" : " (shares at " + Shape + ")") + "\n";
  Text += aligned(Rows, {0}, 2 * Indent);
  if (Left)
    Text += "    and " + std::to_string(Left) + " smaller\n";
  return Text;
}

static std::string decisions(const Skeleton &S, const Terminal &Screen) {
  if (S.Decisions.empty())
    return "";
  std::vector<std::vector<std::string>> Rows;
  for (std::size_t I = 0; I < S.Decisions.size(); ++I) {
    const SkeletonDecision &D = S.Decisions[I];
    Rows.push_back({std::to_string(I), shortPlace(D.Place),
                    D.Condition.empty() ? shortFunction(D.Place.Function) : D.Condition,
                    D.IsValue  ? "a size from data"
                    : D.InLoop ? "in a loop"
                               : "",
                    sentence(D)});
  }
  return "\n  " + inked("Decisions that the data takes", Ink::Strong, Screen) + "\n" + aligned(Rows, {0}, 2 * Indent);
}

static std::string unknown(const Skeleton &S, const Terminal &Screen) {
  if (S.Unknown.empty())
    return "";
  std::vector<std::vector<std::string>> Rows;
  for (const UnknownCall &Call : S.Unknown)
    Rows.push_back(
        {Call.Symbol, shortPlace(Call.Place), Call.Dropped ? "memory not counted" : "called for real", sentence(Call)});
  return "\n  " + inked("Unknown calls", Ink::Strong, Screen) + "\n" + aligned(Rows, {}, 2 * Indent);
}

static std::string operatorPage(const FileReport &File, const OperatorReport &Report, const Terminal &Screen) {
  const Skeleton &S = Report.Source;
  std::string Text = inked(S.Operator, Ink::Strong, Screen) + "\n\n" + parameters(S) + "\n";
  if (!S.Available)
    Text += "  no skeleton: " + Report.Trouble + "\n";
  else {
    if (!Report.Trouble.empty())
      Text += "  " + Report.Trouble + "\n";
    Text += formulas(Report, Screen);
  }
  Text += timelinePage(Report, typicalShape(Report), Screen);
  Text += sites(Report, Screen);
  if (const nlohmann::ordered_json *Features = featuresOf(File, S))
    Text += featuresPage(*Features, Screen);
  Text += decisions(S, Screen) + unknown(S, Screen) + roundsPage(Report.History, MaxRunsShown);
  if (S.Flattened)
    Text += "\n  The skeleton keeps " + grouped(S.Kept) + " of " + grouped(S.Flattened) + " instructions.\n";
  return Text;
}

std::string reportPage(const std::vector<FileReport> &Files, const Terminal &Screen) {
  std::string Text;
  bool First = true;
  for (const FileReport &File : Files) {
    if (Files.size() > 1) {
      Text += (First ? "" : "\n") + File.Path + "\n" + std::string(File.Path.size(), '=') + "\n\n";
      First = true;
    }
    if (File.Operators.empty())
      Text += "no operators" + File.Unusable + "\n";
    for (const OperatorReport &Report : File.Operators) {
      Text += (First ? "" : "\n\n") + operatorPage(File, Report, Screen);
      First = false;
    }
  }
  return fitted(Text, Screen);
}

} // namespace memshape
