// What each piece of evidence is worth, to be displayed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/training/Corpus.h"

#include "libmemshape/text/Escapes.h"
#include "libmemshape/text/Figures.h"

namespace memshape {

using Rows = std::vector<std::vector<std::string>>;

static std::string percent(double Share) { return format("%.2f %%", 100 * Share); }

/// A correlation, with a star where chance gives as much less than once in a hundred times.
static std::string correlation(double Found, double ByChance) {
  return format("%+.2f", Found) + (ByChance < 0.01 ? " *" : "  ");
}

/// A curve in classes; Name says what a class is.
template <class Naming>
static std::string curve(const char *Title, const std::vector<FeatureClass> &Classes, Naming Name) {
  if (Classes.empty())
    return "";
  Rows Lines{{Title, "operators", "heap", "bounds", "resident", "95th pct.", "1 run", "3 runs", "inside"}};
  for (const FeatureClass &C : Classes)
    Lines.push_back({Name(C), std::to_string(C.Operators), percent(C.Heap.Median),
                     C.Bounds ? percent(C.HeapWidth) : "-", percent(C.Resident.Median), percent(C.Resident.NinetyFifth),
                     percent(C.AfterOne.Median), percent(C.AfterThree.Median),
                     std::to_string(C.Inside) + " of " + std::to_string(C.Bounds)});
  return aligned(Lines, {1, 2, 3, 4, 5, 6, 7, 8}, 2);
}

static std::string curves(const Importance &Found) {
  auto Share = [](const FeatureClass &C) { return C.High == 0 ? "none" : format("to %.0f %%", 100 * C.High); };
  auto Count = [](const FeatureClass &C) {
    return C.High == 0           ? "none"
           : C.High > 1e6        ? format("above %.0f", C.Low)
           : C.High == C.Low + 1 ? format("%.0f", C.High)
                                 : format("%.0f to %.0f", C.Low + 1, C.High);
  };
  return "\nWhere data decides: error of the heap peak, width of its bounds, error of the resident peak (median and "
         "95th\n"
         "percentile before any run, medians after runs), peaks inside the bound at 99 % of those that have one.\n"
         "By the share of the control statements of the source that depend on data\n" +
         curve("share", Found.ByShare, Share) + "By the decisions that the slicer met, libraries included\n" +
         curve("decisions", Found.ByDecisions, Count);
}

static std::string sources(const std::vector<SourceWorth> &Features) {
  Rows Lines{{"source feature", "heap", "resident"}};
  for (const SourceWorth &Worth : Features)
    Lines.push_back({oneLine(Worth.Feature), correlation(Worth.WithHeap, Worth.HeapByChance),
                     correlation(Worth.WithResident, Worth.ResidentByChance)});
  return "\nSource features and errors before any run, over operators (Spearman; * less than 1 in 100 by chance)\n" +
         aligned(Lines, {1, 2}, 2);
}

std::string importancePage(const Importance &Found, const Prior &Trained) {
  std::string Page = "Error of the resident peak on operators left out: median " + percent(Found.Whole.Median) +
                     ", 95th percentile " + percent(Found.Whole.NinetyFifth) + "\n\nWithout one input feature\n";
  Rows Lines{{"feature", "median", "95th pct.", "coefficient"}};
  for (const TermWorth &Worth : Found.Terms)
    Lines.push_back({priorTermName(Worth.Term), percent(Worth.Without.Median), percent(Worth.Without.NinetyFifth),
                     format("%.4g", Trained.Coefficients[Worth.Term])});
  Page += aligned(Lines, {1, 2, 3}, 2) + "\nFrom some of the evidence\n";
  Lines = {{"evidence", "median", "95th pct.", "n"}};
  for (const EvidenceWorth &Worth : Found.Evidence)
    Lines.push_back({Worth.Evidence, percent(Worth.With.Median), percent(Worth.With.NinetyFifth),
                     std::to_string(Worth.With.Count)});
  Page += aligned(Lines, {1, 2, 3}, 2);
  if (!Found.Source.empty())
    Page += sources(Found.Source);
  if (!Found.ByShare.empty() || !Found.ByDecisions.empty())
    Page += curves(Found);
  return Page;
}

} // namespace memshape
