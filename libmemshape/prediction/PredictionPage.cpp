// The page about one prediction.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/prediction/Prediction.h"
#include "libmemshape/prediction/Sentences.h"
#include "libmemshape/prediction/SiteGroups.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/skeletons/Assumptions.h"
#include "libmemshape/text/Figures.h"
#include "libmemshape/text/Split.h"

#include <set>

namespace memshape {

constexpr unsigned Indent = 2;
/// A page is for reading; the JSON has the rest.
constexpr std::size_t MaxSitesShown = 12, MaxDecisionsShown = 12;

static std::string title(const Prediction &P) {
  const std::string At = shapeText(*P.Operator, P.Asked.Shape, ", ");
  std::string Text = P.Operator->Operator + (At.empty() ? "" : " at " + At);
  bool IsFirst = true;
  for (std::size_t I = 0; const Parameter &Setting : P.Operator->parametersOf(Role::Setting)) {
    const bool IsLeft = Setting.Unread || Setting.Optional;
    if (!IsLeft || numberIn<double>(Setting.Default) != P.Asked.Settings[I])
      Text += (std::exchange(IsFirst, false) ? "; " : ", ") + Setting.Name + format("=%g", P.Asked.Settings[I]);
    ++I;
  }
  const std::map<std::uint32_t, std::string> Tensors = P.Operator->namedTensors();
  for (const auto &[Tensor, IsThere] : P.Asked.Presence) {
    Text += (IsFirst ? "; " : ", ") + presenceName(Tensors.at(Tensor)) + (IsThere ? "=1" : "=0");
    IsFirst = false;
  }
  return Text;
}

/// "'filter' requests"
static std::string requests(const std::set<std::string> &Functions, const char *Kind) {
  return Functions.size() == 1 ? "'" + *Functions.begin() + "' requests"
                               : std::to_string(Functions.size()) + Kind + " functions request";
}

/// Functions that a run came to and that were left out.
static std::set<std::string> missing(const Prediction &P) {
  std::set<std::string> Names;
  for (const std::set<std::uint32_t> Met(P.Heap.UnknownMet.begin(), P.Heap.UnknownMet.end());
       const auto &Ids : {Met, P.Range.LeftOut})
    for (std::uint32_t Id : Ids)
      if (Id < P.Operator->Unknown.size() && P.Operator->Unknown[Id].Dropped &&
          !P.Operator->Unknown[Id].RequestsNothing && P.Operator->Unknown[Id].Reason != CallReason::Conditional)
        Names.insert(P.Operator->Unknown[Id].Symbol);
  return Names;
}

/// What decides where between its bounds the peak lies.
static std::string whatDecides(const Prediction &P) {
  if (P.Range.Upper == P.Range.Lower && !(P.Asked.Branches.empty() && P.Asked.Values.empty()))
    return "as assumed";
  if (P.Range.says(NoteCode::beyond_addresses))
    return "no process has so many addresses";
  if (P.Range.says(NoteCode::null_pool))
    return "without the pool below";
  if (P.Range.says(NoteCode::thread_order) || P.Range.says(NoteCode::team_size) ||
      P.Range.says(NoteCode::library_threads))
    return "threads decide";
  if (P.Range.says(NoteCode::circumstances) || P.Range.says(NoteCode::earlier_calls))
    return "the call's circumstances decide";
  if (!P.Operator->Initial.empty() && P.Range.Upper == P.Range.Lower)
    return "if memory is asked of the functions below";
  if (!P.Range.Silent.empty())
    return "if " + requests(P.Range.Silent, " named") + " nothing";
  return P.Range.says(NoteCode::presumed_device) ? "the device decides" : "data decides";
}

/// Why there is no upper bound, in a few words; the notes say more.
static std::string whatIsOpen(const Prediction &P) {
  if (const std::set<std::string> Without = missing(P); !Without.empty())
    return ", without what " + requests(Without, " missing");
  if (const std::vector<std::uint32_t> Open = openSizes(P); !Open.empty()) {
    const std::vector<std::string> Names = decisionNames(*P.Operator);
    const std::string All = joined(Open, " and ", [&](std::uint32_t Id) { return Names[Id]; });
    return ", and what " + All + (Open.size() > 1 ? " say: --assume " : " says: --assume ") +
           joined(Open, ",", [&](std::uint32_t Id) { return Names[Id] + "=N"; });
  }
  return P.Range.says(NoteCode::presumed_device) ? "; the device decides" : "; no bound above";
}

/// Where the sizes come from that the reader is asked for: "k is 'picks[0]' at op.c:5: a size ...".
static void openRows(const Prediction &P, const std::vector<std::uint32_t> &Open,
                     std::vector<std::vector<std::string>> &Rows) {
  const std::vector<std::string> Names = decisionNames(*P.Operator);
  for (std::uint32_t Id : Open) {
    const SkeletonDecision &D = P.Operator->Decisions[Id];
    std::string Text = D.Condition.empty() ? "" : "'" + D.Condition + "' ";
    if (Text.empty() && !D.Place.Function.empty())
      Text = "in " + shortFunction(D.Place.Function) + " ";
    if (const std::string Where = shortPlace(D.Place); !Where.empty())
      Text += "at " + Where + ": ";
    Rows.push_back({"", "", "", Names[Id] + " is " + Text + sentence(D)});
  }
}

/// What is certain comes first; what one run takes with guessed sizes is no figure.
static void peakRows(const std::string &What, const Prediction &P, std::vector<std::vector<std::string>> &Rows) {
  if (P.Range.Exact) {
    Rows.push_back(bytesRow(What, P.Heap.Peak, "exact"));
    return;
  }
  if (P.Range.Upper) {
    Rows.push_back(bytesRow(What, *P.Range.Upper, "at most: " + whatDecides(P)));
    Rows.push_back(bytesRow("  at least", P.Range.Lower));
    Rows.push_back(bytesRow("  expected", P.Heap.Peak));
    return;
  }
  const std::vector<std::uint32_t> Open = openSizes(P);
  if (P.Range.Lower || !Open.empty()) {
    Rows.push_back(bytesRow(What, P.Range.Lower, "at least" + whatIsOpen(P)));
    openRows(P, Open, Rows);
    if (P.Heap.Peak != P.Range.Lower && Open.empty())
      Rows.push_back(bytesRow("  one run", P.Heap.Peak));
  } else {
    Rows.push_back(bytesRow(What, P.Heap.Peak, "one run" + whatIsOpen(P)));
  }
}

/// A memory space other than the host's; one that no answer leads to is not shown.
static void spaceRows(const std::string &Space, const Prediction &P, std::vector<std::vector<std::string>> &Rows) {
  if (!P.Heap.Peak && P.Range.Exact)
    return;
  peakRows("peak " + Space, P, Rows);
  if (P.Heap.Output)
    Rows.push_back(bytesRow("  left at return", P.Heap.Output));
}

static std::string figures(const Prediction &P) {
  std::vector<std::vector<std::string>> Rows;
  peakRows("peak heap", P, Rows);
  Rows.push_back(bytesRow("left at return", P.Heap.Output));
  std::string Count = "in " + several(P.Heap.Allocations, "allocation");
  if (P.Heap.Reallocations)
    Count += " and " + several(P.Heap.Reallocations, "reallocation");
  Rows.push_back(bytesRow("allocated in all", P.Heap.Total, Count));
  if (P.Heap.OneTime)
    Rows.push_back(bytesRow("first call only", P.Heap.OneTime, "beside the peak"));
  for (const auto &[Space, There] : P.Elsewhere)
    spaceRows(Space, There, Rows);
  if (const std::optional<StackUse> Stack = stackOf(P); Stack && Stack->Most)
    Rows.push_back(bytesRow("stack", *Stack->Most, Stack->Formula.empty() ? "at most" : "at most: " + Stack->Formula));
  for (const TensorBytes &Tensor : tensorsOf(P))
    if (Tensor.Bytes && *Tensor.Bytes)
      Rows.push_back(bytesRow("argument " + Tensor.Name, *Tensor.Bytes,
                              "the caller's" + (Tensor.Formula.empty() ? "" : ": " + Tensor.Formula)));
  if (P.Resident) {
    Rows.push_back(bytesRow("peak RSS", P.Resident->Peak,
                            P.Resident->Runs        ? "from " + grouped(P.Resident->Runs) + " past runs"
                            : P.Resident->HeldKnown ? "expected"
                                                    : "expected, without the tensors passed in"));
    if (P.Resident->Upper)
      Rows.push_back(
          bytesRow("  at most", *P.Resident->Upper, format("in %g %% of cases", 100 * P.Resident->Confidence)));
  }
  return aligned(Rows, {1, 2}, Indent);
}

/// What libraries hold is a term by itself.
static std::string partFormula(const Prediction &P) {
  const FormulaSet &F = P.Formulas;
  const PartFormula &Part = *F.Part;
  const std::optional<std::int64_t> Here =
      F.Asked.empty() ? std::nullopt : Part.termAt(F.Asked, static_cast<std::int64_t>(P.Heap.Peak));
  const std::string At = Here ? grouped(static_cast<std::uint64_t>(*Here)) + " bytes here, " : "";
  const std::string Elsewhere = !Here || Part.Valid.contains(F.Asked) ? "" : ", and at this one";
  const std::string Margin = "\n            ";
  return "  formula   " + Part.str(F.Symbols) + Margin + "verified at " + std::to_string(Part.VerifiedShapes) +
         " other shapes, for " + Part.Valid.str(F.Symbols) + Elsewhere + Margin + Part.termName(F.Symbols) + ": " +
         Part.what() + ";" + Margin + At + Part.boundText(F.Symbols) + "\n";
}

static std::string formula(const Prediction &P) {
  const FormulaSet &F = P.Formulas;
  const std::vector<std::string> &Symbols = F.Symbols;
  if (Symbols.empty())
    return "";
  if (F.prefersPart())
    return partFormula(P);
  if (!F.Peak)
    return F.OutOfTime ? "  formula   no closed form found in time\n" : "  formula   no closed form\n";
  std::string Where = "for " + F.Peak->Valid.str(Symbols);
  if (!F.HoldsAtShape)
    return "  formula   no closed form at this shape; " + Where + " it is\n            " + F.Peak->Value.str(Symbols) +
           "\n";
  std::string Here = F.Peak->Valid.contains(F.Asked) ? "" : ", and at this one";
  return "  formula   " + F.Peak->Value.str(Symbols) + "\n            verified at " +
         std::to_string(F.Peak->VerifiedShapes) + " other shapes, " + Where + Here + "\n";
}

/// Those of the other memory spaces.
static std::string spaceFormulas(const Prediction &P) {
  std::string Text;
  for (const auto &[Space, There] : P.Elsewhere)
    if (There.Formulas.HoldsAtShape && There.Formulas.Peak && There.Heap.Peak)
      Text += "  " + Space + std::string(Space.size() < 8 ? 8 - Space.size() : 0, ' ') + "  " +
              There.Formulas.Peak->Value.str(There.Formulas.Symbols) + "\n";
  return Text;
}

/// "  returns   result.rows = 100 = a.cols". What data decides comes with the line that does.
static std::string outputShape(const Prediction &P) {
  std::vector<std::vector<std::string>> Rows;
  for (const OutputExtent &Each : outputShapeOf(P))
    Rows.push_back({Each.Symbol, grouped(Each.Extent), Each.Formula});
  for (const SkeletonSite &Each : P.Operator->Sites)
    if (Each.isDecidedByData())
      Rows.push_back(
          {Each.Allocator, "?",
           "data decides at " + shortPlace(Each.Place) + (Each.Place.Text.empty() ? "" : ": " + Each.Place.Text)});
  return Rows.empty() ? "" : "\n  What it returns\n" + aligned(Rows, {1}, 2 * Indent);
}

static std::string sites(const Prediction &P) {
  const std::vector<std::string> &Symbols = P.Formulas.Symbols;
  FormulaSet Shown = P.Formulas;
  Shown.Sites = formulasOfSites(P);
  std::vector<std::vector<std::string>> Rows;
  std::uint64_t Rest = 0;
  for (const SiteGroup &Group : groupSites(P.Heap, *P.Operator, Shown)) {
    if (Rows.size() == MaxSitesShown) {
      Rest += Group.Bytes;
      continue;
    }
    Rows.push_back({inUnits(Group.Bytes), share(Group.Bytes, Group.Peak), Group.Where, Group.Function,
                    Group.Sum ? Group.Sum->str(Symbols) : ""});
  }
  if (Rest)
    Rows.push_back({inUnits(Rest), share(Rest, P.Heap.Peak), "all other sites", "", ""});
  if (Rows.empty())
    return "";
  return "\n  At the peak\n" + aligned(Rows, {0, 1}, 2 * Indent);
}

/// What says how a decision on a tensor's presence is to be answered.
static std::string presenceHint(const Prediction &P, const SkeletonDecision &D) {
  const std::map<std::uint32_t, std::string> Tensors = P.Operator->namedTensors();
  const auto Asked = D.Tensor ? Tensors.find(*D.Tensor) : Tensors.end();
  return Asked == Tensors.end() ? "" : "; --set " + presenceName(Asked->second) + "=0 or 1 says it";
}

static std::string decisions(const Prediction &P) {
  if (P.Heap.Decisions.empty())
    return "";
  std::vector<std::vector<std::string>> Rows;
  std::vector<std::string> Names = decisionNames(*P.Operator);
  for (const DecisionUse &Use : P.Heap.Decisions) {
    if (Use.Id >= P.Operator->Decisions.size() || Rows.size() >= MaxDecisionsShown)
      continue;
    const SkeletonDecision &D = P.Operator->Decisions[Use.Id];
    auto Given = P.Asked.Values.find(Use.Id);
    std::string Answer = D.IsValue && Given != P.Asked.Values.end()
                             ? Names[Use.Id] + " = " + std::to_string(Given->second)
                         : D.Effect == DecisionEffect::Case ? "a case from data: " + Names[Use.Id]
                         : D.IsValue                        ? "a size from data: " + Names[Use.Id]
                         : Use.Ones == 0                    ? "taken as no"
                         : Use.Ones == Use.Asked            ? "taken as yes"
                                                            : "taken both ways";
    Rows.push_back({std::to_string(Use.Id),
                    shortPlace(D.Place) + (D.Inside.Line ? " (in " + shortPlace(D.Inside) + ")" : ""),
                    D.Condition.empty() ? shortFunction(D.Place.Function) : D.Condition, Answer,
                    isIndifferent(P) ? NoEffect : sentence(D) + presenceHint(P, D)});
  }
  std::string More = P.Heap.Decisions.size() > Rows.size()
                         ? "    and " + std::to_string(P.Heap.Decisions.size() - Rows.size()) + " more\n"
                         : "";
  return "\n  Decisions that the data takes\n" + aligned(Rows, {0}, 2 * Indent) + More;
}

static std::string grounds(const Prediction &P) {
  const Skeleton &S = *P.Operator;
  std::string Text = S.Replayed ? "\n  This rests on the operator itself, run on zeros"
                                : "\n  This rests on the operator's allocation skeleton";
  // Marks and questions for the runner are added to what is kept.
  if (S.Flattened && S.Kept > S.Flattened)
    Text += " (" + grouped(S.Kept) + " instructions, with questions to its runner, for the operator's " +
            grouped(S.Flattened) + ")";
  else if (S.Flattened)
    Text += " (" + grouped(S.Kept) + " of " + grouped(S.Flattened) + " instructions)";
  if (!S.Compiler.empty() && !S.Compiler.starts_with("clang "))
    Text += ", as " + S.Compiler + " builds it" + (S.Level.empty() ? "" : " at " + S.Level);
  Text += format(", executed in %.1f us.\n", P.Heap.Microseconds);
  for (const Note &Each : P.Notes)
    Text += "  - " + Each.Text + "\n";
  return Text;
}

std::string predictionPage(const Prediction &P) {
  return title(P) + "\n\n" + figures(P) + "\n" + formula(P) + spaceFormulas(P) + outputShape(P) + sites(P) +
         decisions(P) + grounds(P);
}

} // namespace memshape
