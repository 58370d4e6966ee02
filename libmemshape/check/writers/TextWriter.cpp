// A comparison as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/check/writers/Writers.h"
#include "libmemshape/text/Escapes.h"
#include "libmemshape/text/Figures.h"

namespace memshape {

/// Most sites that are listed for one finding.
constexpr std::size_t ShownSites = 5;

static std::string times(std::uint64_t Count) { return several(Count, "allocation"); }

std::string figureText(const FigureChange &Change) {
  auto Said = [&](const std::optional<std::uint64_t> &Value) {
    return !Value ? std::string("none") : grouped(*Value) + (Change.IsCount ? "" : " B");
  };
  std::string Text = Said(Change.Then) + " -> " + Said(Change.Now);
  if (Change.Then && Change.Now && *Change.Then)
    Text += format(" (%+.1f %%)", 100 * (static_cast<double>(*Change.Now) / static_cast<double>(*Change.Then) - 1));
  return Text;
}

std::string siteText(const SiteChange &Change) {
  using Kind = SiteChange::Kind;
  std::string Text = std::string(changeWord(Change.What)) + ": ";
  switch (Change.What) {
  case Kind::New:
    return Text + (Change.Formula && *Change.Formula != "0" ? *Change.Formula + " at the peak, " : "") +
           grouped(Change.Now) + " B in " + times(Change.TimesNow);
  case Kind::Vanished: return Text + grouped(Change.Then) + " B in " + times(Change.TimesThen);
  case Kind::Longer:
    return Text + "holds " + grouped(Change.HeldNow) + " B at the peak, was " + grouped(Change.HeldThen) + " B";
  default:
    return Text + grouped(Change.Then) + " B in " + times(Change.TimesThen) + " -> " + grouped(Change.Now) + " B in " +
           times(Change.TimesNow);
  }
}

std::string summaryLine(const Comparison &Found, const Presentation &Shown) {
  std::size_t Errors = 0, Improved = 0;
  for (const Finding &F : Found.Findings) {
    Errors += F.How == Severity::Error;
    Improved += F.How == Severity::Improvement;
  }
  const std::string Operators = std::to_string(Found.Operators) + (Found.Operators == 1 ? " operator" : " operators");
  if (Shown.Baseline.empty() && Found.Contracts)
    return several(*Found.Contracts, "contract") + " of " + Operators + ", " +
           (Errors ? several(Errors, "error") : "all kept");
  if (Shown.Baseline.empty())
    return Errors ? std::to_string(Errors) + (Errors == 1 ? " size wraps in " : " sizes wrap in ") + Operators
                  : Operators + ", no size wraps";
  if (Errors)
    return std::to_string(Errors) + (Errors == 1 ? " regression" : " regressions") + " in " + Operators + " against " +
           oneLine(Shown.Baseline) + "; --update accepts " + (Errors == 1 ? "it" : "them");
  if (Improved)
    return Operators + ", no regressions; less memory than " + oneLine(Shown.Baseline) + " says: --update keeps that";
  return Operators + ", as in " + oneLine(Shown.Baseline);
}

std::string checkText(const Comparison &Found, const Presentation &Shown) {
  auto Painted = [&](const char *Colour, const std::string &Text) {
    return Shown.Colours ? "\x1b[" + std::string(Colour) + "m" + Text + "\x1b[0m" : Text;
  };
  std::string Page;
  for (const CheckNote &Note : Found.Notes)
    Page += "note: " + oneLine(Note.Text) + "\n";
  for (const Finding &F : Found.Findings) {
    const char *Word = F.How == Severity::Error ? "error" : F.How == Severity::Improvement ? "better" : "note";
    const char *Colour = F.How == Severity::Error ? "1;31" : F.How == Severity::Improvement ? "1;32" : "1;36";
    const std::string Place = F.Place ? placeText(*F.Place, Shown) : "";
    Page += (Place.empty() ? "" : oneLine(Place) + ": ") + Painted(Colour, Word) + ": " +
            Painted("1", oneLine(F.Operator)) + ": " + oneLine(F.Message) + " [" + F.Rule + "]\n";
    std::vector<std::vector<std::string>> Rows;
    for (const FigureChange &Change : F.Figures) {
      Rows.push_back({Change.Figure, figureText(Change), Change.At});
      if (Change.Before && Change.After && *Change.Before != *Change.After)
        Rows.back().push_back(*Change.Before + " -> " + *Change.After);
    }
    Page += aligned(Rows, {}, 4);
    for (std::size_t I = 0; I < F.Sites.size() && I < ShownSites; ++I) {
      const SiteChange &Change = F.Sites[I];
      const std::string At = placeText(Change.Place, Shown);
      Page += "    " + (At.empty() ? oneLine(Change.Place.Function) : oneLine(At)) + ": " + siteText(Change) + "\n";
      if (!Change.Place.Code.empty())
        Page += "        " + oneLine(Change.Place.Code) + "\n";
    }
    if (F.Sites.size() > ShownSites)
      Page += "    and " + std::to_string(F.Sites.size() - ShownSites) + " more sites\n";
  }
  return Page + "memshape check: " + summaryLine(Found, Shown) + "\n";
}

} // namespace memshape
