// A formula but for what libraries request.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/formulas/PartFormula.h"
#include "model/recovery/UpperEnvelope.h"

#include <algorithm>
#include <array>

namespace memshape {

namespace {

/// Each shape takes a library's time, which is longer than that of most skeletons. Counts and not times bound the
/// search, so that it ends alike on every machine; its time is a last resort.
constexpr unsigned FreshShapes = 60;
constexpr std::chrono::seconds LastResort{4};

/// Of an extent: so many symbols may be multiplied with each other and with the time of an element.
std::int64_t largestValue(std::size_t Symbols) {
  constexpr std::array<std::int64_t, 4> Largest = {2000, 256, 40, 20};
  return Largest[std::min(Symbols, Largest.size()) - 1];
}

enum Figure : std::size_t { OwnFigure, OutputFigure, FirstOwnSite };

Outputs figuresOf(const FootprintRow &Row, std::size_t Sites) {
  Outputs Figures(FirstOwnSite + Sites, 0);
  std::int64_t Inside = 0;
  for (auto [Id, Held] : Row.SiteBytes)
    if (Id == LibrarySite)
      Inside = Held;
    else if (static_cast<std::size_t>(Id) < Sites)
      Figures[FirstOwnSite + static_cast<std::size_t>(Id)] = Held;
  Figures[OwnFigure] = Row.Peak - Inside;
  Figures[OutputFigure] = Row.Output;
  return Figures;
}

std::int64_t heldBy(const Footprint &Heap, std::int64_t Site) {
  auto Found = Heap.SiteBytes.find(Site);
  return Found == Heap.SiteBytes.end() ? 0 : static_cast<std::int64_t>(Found->second);
}

bool isZero(const Formula &Value) { return Value.pieces().size() == 1 && Value.pieces().front().isZero(); }

/// The law of all own sites together, or of those that have one.
bool findOwn(Recovery &Search, const PartSearch &For, PartFormula &Part) {
  const std::size_t Sites = For.OfPeak.size();
  if (std::optional<Recovered> Own = Search.recover(OwnFigure)) {
    Part.Valid = Own->Valid;
    Part.VerifiedShapes = Own->VerifiedShapes;
    for (std::size_t I = 0; I < Sites; ++I)
      if (std::optional<Recovered> Site = Search.recoverWithin(FirstOwnSite + I, *Own);
          Site && Site->Valid.nearlyHolds(Own->Valid))
        Part.Sites.emplace(static_cast<std::int64_t>(I), std::move(*Site));
    Part.Own = {std::move(Own->Value)};
    return true;
  }
  for (std::size_t I = 0; I < Sites; ++I) {
    std::optional<Recovered> Site = Search.recover(FirstOwnSite + I);
    if (!Site) {
      if (For.OfPeak[I])
        Part.Others.push_back(static_cast<std::int64_t>(I));
      continue;
    }
    if (For.OfPeak[I] && !isZero(Site->Value)) {
      Part.Valid = Part.Own.empty() ? Site->Valid : Part.Valid.with(Site->Valid);
      Part.VerifiedShapes =
          Part.Own.empty() ? Site->VerifiedShapes : std::min(Part.VerifiedShapes, Site->VerifiedShapes);
      std::optional<Formula> Sum = Part.Own.empty() ? std::nullopt : Formula::sum(Part.Own.back(), Site->Value);
      if (Sum)
        Part.Own.back() = std::move(*Sum);
      else
        Part.Own.push_back(Site->Value);
    }
    Part.Sites.emplace(static_cast<std::int64_t>(I), std::move(*Site));
  }
  return !Part.Own.empty();
}

/// What the term was at the shapes that were tried.
bool measureTerm(const std::vector<ShapeFigure> &Peaks, std::size_t Symbols, PartFormula &Part) {
  std::vector<ShapeFigure> Seen;
  for (const auto &[At, Peak] : Peaks)
    if (Part.Valid.contains(At)) {
      std::optional<std::int64_t> Term = Part.termAt(At, Peak);
      if (!Term)
        return false;
      Seen.emplace_back(At, *Term);
    }
  std::sort(Seen.begin(), Seen.end());
  Seen.erase(std::unique(Seen.begin(), Seen.end()), Seen.end());
  if (Seen.empty())
    return false;
  Part.Shapes = Seen.size();
  const auto [Least, Greatest] =
      std::minmax_element(Seen.begin(), Seen.end(), [](const auto &A, const auto &B) { return A.second < B.second; });
  Part.Least = Least->second;
  Part.Greatest = Greatest->second;
  Part.Bound = upperEnvelope(Symbols, Seen);
  return true;
}

} // namespace

std::optional<std::int64_t> PartFormula::termAt(const std::vector<std::int64_t> &At, std::int64_t Peak) const {
  Rational Term(Peak);
  for (const Formula &Each : Own)
    Term = Term - Each.evaluate(At);
  const std::optional<std::int64_t> Bytes = Term.toInt64();
  return Bytes && *Bytes >= 0 ? Bytes : std::nullopt;
}

std::string PartFormula::termName(const std::vector<std::string> &Symbols) const {
  const std::string Plain = Others.empty() ? "libraries" : "rest";
  std::string Name = Plain;
  for (unsigned Number = 2; std::find(Symbols.begin(), Symbols.end(), Name) != Symbols.end(); ++Number)
    Name = Plain + std::to_string(Number);
  return Name;
}

std::string PartFormula::what() const {
  return Others.empty() ? "held inside libraries that are called for real"
                        : "held inside libraries that are called for real, and at sites without a closed form";
}

std::string PartFormula::str(const std::vector<std::string> &Symbols) const {
  std::string Text;
  for (const Formula &Each : Own)
    if (!isZero(Each))
      Text += Each.str(Symbols) + " + ";
  return Text + termName(Symbols);
}

std::string PartFormula::boundText(const std::vector<std::string> &Symbols) const {
  const std::string Tried = " at the " + std::to_string(Shapes) + " shapes that were tried";
  return Bound ? "at most " + Bound->str(Symbols) + " bytes" + Tried : "of unknown extent" + Tried;
}

std::optional<PartFormula> searchBesideLibraries(const PartSearch &For, Evaluator &Evaluate) {
  std::vector<ShapeFigure> Peaks;
  auto AskAll = [&](const std::vector<Shape> &Shapes) {
    std::vector<std::optional<Outputs>> Found;
    const FootprintRows Rows = Evaluate.evaluateAt(For.Asked, Shapes);
    for (std::size_t I = 0; I < Rows.size(); ++I) {
      Found.emplace_back();
      if (!Rows[I])
        continue;
      Found.back() = figuresOf(*Rows[I], For.OfPeak.size());
      Peaks.emplace_back(Shapes[I], Rows[I]->Peak);
    }
    return Found;
  };
  auto AskOne = [&](const Shape &At) -> std::optional<Outputs> {
    std::vector<std::optional<Outputs>> Found = AskAll({At});
    return Found.empty() ? std::nullopt : Found.front();
  };
  RecoveryOptions Options;
  Options.FreshShapes = FreshShapes;
  Options.Budget = LastResort;
  Options.AtomBudget = LastResort / 8;
  Options.LargestValue = largestValue(For.Symbols);
  Options.MayHold = false;
  Options.EvaluateAll = AskAll;
  Options.Busy = [&] { return Evaluate.busy(); };
  // Axes are looked along no further than shapes are drawn.
  for (const Range &Each : For.Limits)
    Options.Limits.push_back({Each.Low, std::min(Each.High, Options.LargestValue)});
  Recovery Search(For.Symbols, AskOne, Options);
  PartFormula Part;
  if (!findOwn(Search, For, Part))
    return std::nullopt;
  Part.Output = Search.recover(OutputFigure);
  if (!measureTerm(Peaks, For.Symbols, Part))
    return std::nullopt;
  return Part;
}

void dropDisagreeing(std::map<std::int64_t, Recovered> &Sites, const Footprint &Heap,
                     const std::vector<std::int64_t> &At) {
  std::erase_if(
      Sites, [&](const auto &Site) { return !(Site.second.Value.evaluate(At) == Rational(heldBy(Heap, Site.first))); });
}

bool agreesWith(PartFormula &Part, const Footprint &Heap, const std::vector<std::int64_t> &At) {
  const std::optional<std::int64_t> Term = Part.termAt(At, static_cast<std::int64_t>(Heap.Peak));
  if (!Term || (Part.Others.empty() && *Term != heldBy(Heap, LibrarySite)))
    return false;
  const std::size_t Before = Part.Sites.size();
  dropDisagreeing(Part.Sites, Heap, At);
  if (!Part.Others.empty() && Part.Sites.size() != Before)
    return false; // the formula is the sum of these
  if (Part.Bound)
    if (Rational Short = Rational(*Term) - Part.Bound->evaluate(At); Rational(0) < Short)
      *Part.Bound = *Part.Bound + Polynomial::constant(Part.Bound->variables(), Short);
  return true;
}

} // namespace memshape
