// What has changed since a baseline.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/check/Compare.h"
#include "libmemshape/check/OperatorComparison.h"
#include "libmemshape/check/baseline/Ordered.h"
#include "libmemshape/text/Figures.h"
#include "libmemshape/text/Split.h"

#include <algorithm>

namespace memshape {

const std::vector<CheckRule> CheckRules = {
    {"degree-growth", "A figure grows with a higher power of the shape than before."},
    {"coefficient-growth", "A figure grows with the same power of the shape, and is a multiple of what it was."},
    {"bytes-growth", "A figure is greater at a reference shape."},
    {"new-decision", "Data decide about an allocation that the shape alone decided about before."},
    {"lost-exactness", "The footprint was a function of the shape, and is now bounded only."},
    {"lost-bound", "The peak had an upper bound, and has none any more."},
    {"lost-footprint", "The operator can no longer be predicted."},
    {"changed-parameters", "The operator has other shape symbols than in the baseline."},
    {"new-operator", "An operator is not in the baseline."},
    {"vanished-operator", "An operator of the baseline is not in the files."},
    {"improvement", "The footprint is smaller than the baseline says."},
    {"renamed-operator", "An operator has another name than in the baseline."},
    {"contract", "An operator takes more than its source promises, or what it takes cannot be told."},
    {"size-wraps", "A size leaves its integer type before it reaches the allocator."},
    {"other-compiler", "A difference that another compiler or level can make."},
};

double Tolerances::of(const BaselineFile &Baseline, const BaselineOperator &Op) const {
  if (auto Own = Of.find(Op.Name); Own != Of.end())
    return Own->second;
  if (Everywhere)
    return *Everywhere;
  Result<double> Written = readTolerance(Op.Tolerance ? *Op.Tolerance : Baseline.Tolerance);
  return Written ? *Written : 0;
}

bool Comparison::failed() const {
  return std::any_of(Findings.begin(), Findings.end(), [](const Finding &F) { return F.How == Severity::Error; });
}

void Comparison::add(const Comparison &Other) {
  Findings.insert(Findings.end(), Other.Findings.begin(), Other.Findings.end());
  orderBy(Findings, [](const Finding &F) { return F.How; });
  Operators = Other.Operators;
  if (Other.Contracts)
    Contracts = Other.Contracts;
}

static Finding aboutOperator(const char *Rule, Severity How, const BaselineOperator &Op, std::string Message) {
  Finding F;
  F.Rule = Rule;
  F.How = How;
  F.Operator = Op.Name;
  F.Message = std::move(Message);
  if (Op.Place.Line)
    F.Place = Op.Place;
  return F;
}

static bool sameFigures(const BaselineOperator &A, const BaselineOperator &B) {
  if (A.Symbols.size() != B.Symbols.size() || A.Rows.size() != B.Rows.size() || A.Rows.empty())
    return false;
  for (std::size_t I = 0; I < A.Rows.size(); ++I)
    if (!std::equal(A.Rows[I].Figures, A.Rows[I].Figures + FigureCount, B.Rows[I].Figures) ||
        A.Rows[I].Shape != B.Rows[I].Shape)
      return false;
  return true;
}

static std::string headline(const BaselineOperator &Op) {
  if (Op.Formulas[PeakIndex])
    return "peak " + *Op.Formulas[PeakIndex];
  if (Op.Rows.empty())
    return "no footprint";
  return "peak " + grouped(Op.Rows.back().Figures[PeakIndex]) + " B at " +
         assigned(Op.Symbols, Op.Rows.back().Shape, ",");
}

Comparison compareBaselines(const BaselineFile &Before, const BaselineFile &Now, const Tolerances &Allowed) {
  Comparison All;
  All.Operators = Now.Operators.size();
  const bool OtherCompiler = !Before.Compiler.empty() && !Now.Compiler.empty() && Before.Compiler != Now.Compiler;
  if (OtherCompiler)
    All.Notes.push_back({CheckNoteCode::other_compiler,
                         "the baseline was made with " + Before.Compiler + ", this build with " + Now.Compiler +
                             ": what an optimiser can elide is reported, and does not fail the check"});
  for (const auto &[Fact, Value] : Now.Machine)
    if (auto Then = Before.Machine.find(Fact); Then != Before.Machine.end() && Then->second != Value)
      All.Notes.push_back({CheckNoteCode::other_machine, "the baseline was made for " + Fact + "=" +
                                                             std::to_string(Then->second) + ", this check for " + Fact +
                                                             "=" + std::to_string(Value)});

  std::vector<const BaselineOperator *> Vanished, Added;
  for (const BaselineOperator &Op : Before.Operators)
    if (!Now.find(Op.Name))
      Vanished.push_back(&Op);
  for (const BaselineOperator &Op : Now.Operators) {
    const BaselineOperator *Then = Before.find(Op.Name);
    if (!Then) {
      Added.push_back(&Op);
      continue;
    }
    for (Finding &F : OperatorComparison(*Then, Op, Allowed.of(Before, *Then), OtherCompiler).findings())
      All.Findings.push_back(std::move(F));
  }
  // A removed operator and an added one with the same footprint are one that was renamed.
  for (const BaselineOperator *Op : Added) {
    auto Former = std::find_if(Vanished.begin(), Vanished.end(),
                               [&](const BaselineOperator *Then) { return sameFigures(*Then, *Op); });
    if (Former == Vanished.end()) {
      All.Findings.push_back(aboutOperator("new-operator", Severity::Error, *Op,
                                           "is not in the baseline (" + headline(*Op) + "); --update adds it"));
      continue;
    }
    All.Findings.push_back(aboutOperator("renamed-operator", Severity::Note, *Op,
                                         "was called '" + (*Former)->Name + "', with the same footprint"));
    Vanished.erase(Former);
  }
  for (const BaselineOperator *Op : Vanished)
    All.Findings.push_back(aboutOperator("vanished-operator", Severity::Error, *Op,
                                         "is in the baseline, but not in these files; --update takes it out"));
  orderBy(All.Findings, [](const Finding &F) { return F.How; });
  return All;
}

} // namespace memshape
