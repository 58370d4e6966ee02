// A skeleton as a function of its symbols.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/formulas/FormulaSampling.h"
#include "libmemshape/formulas/FiguresOfRows.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/skeletons/Assumptions.h"

#include <algorithm>

namespace memshape {

namespace {

/// Many would only make a formula that nobody reads.
constexpr std::size_t MaxValueSymbols = 3;
/// Of a size from data that nobody has assumed.
constexpr std::int64_t TypicalValue = 100;

} // namespace

Outputs figuresOf(const FootprintRow &Row, std::size_t Sites) {
  Outputs Figures(FirstSite + 1 + Sites, 0);
  Figures[PeakFigure] = Row.Peak;
  Figures[TotalFigure] = Row.Total;
  Figures[OutputFigure] = Row.Output;
  Figures[AllocationsFigure] = Row.Allocations;
  for (auto [Id, Held] : Row.SiteBytes)
    if (static_cast<std::size_t>(Id + 1) <= Sites)
      Figures[FirstSite + static_cast<std::size_t>(Id + 1)] = Held;
  return Figures;
}

FormulaSampling::FormulaSampling(const Skeleton &S, const Question &Asked, Evaluator &Evaluate,
                                 const Footprint *AtShape)
    : S(S), Asked(Asked), Evaluate(Evaluate), Many(Asked), Names(S.shapeSymbols()) {
  for (const Parameter &P : S.parametersOf(Role::Shape))
    Limits.push_back({1, largestValueOf(P)});
  ShapeSymbols = Limits.size();
  if (!AtShape)
    return;
  for (const DecisionUse &Use : AtShape->Decisions)
    if (Use.Id < S.Decisions.size() && S.Decisions[Use.Id].IsValue)
      Many.ValuesAt.push_back(Use.Id);
  if (Many.ValuesAt.size() > MaxValueSymbols)
    Many.ValuesAt.clear();
  const std::vector<std::string> OfDecisions = decisionNames(S);
  for (std::uint32_t Id : Many.ValuesAt) {
    Names.push_back(OfDecisions[Id]);
    Limits.push_back({1, INT32_MAX});
  }
}

Question FormulaSampling::at(const Shape &At) const {
  Question Next = Asked;
  Next.Shape.assign(At.begin(), At.begin() + static_cast<std::ptrdiff_t>(ShapeSymbols));
  for (std::size_t I = 0; I < Many.ValuesAt.size(); ++I)
    Next.Values[Many.ValuesAt[I]] = static_cast<std::uint64_t>(At[ShapeSymbols + I]);
  return Next;
}

Shape FormulaSampling::asked(bool &SizesAreGiven) const {
  Shape At = Asked.Shape;
  SizesAreGiven = true;
  for (std::uint32_t Id : Many.ValuesAt) {
    const auto Given = Asked.Values.find(Id);
    SizesAreGiven &= Given != Asked.Values.end();
    // Where nobody says otherwise a size is as good as another.
    At.push_back(Given != Asked.Values.end() ? static_cast<std::int64_t>(Given->second) : TypicalValue);
  }
  return At;
}

// As a row: what else a footprint says takes longer to write and to read than most evaluations take.
std::optional<Outputs> FormulaSampling::figuresAt(const Shape &At) {
  if (Lost)
    return std::nullopt;
  const FootprintRows Answer = Evaluate.evaluateAt(Many, std::span(&At, 1));
  Lost = Answer.empty();
  if (Lost || !Answer.front())
    return std::nullopt;
  return figuresOf(*Answer.front(), S.Sites.size());
}

std::vector<std::optional<Outputs>> FormulaSampling::figuresAt(const std::vector<Shape> &Shapes) {
  std::vector<std::optional<Outputs>> Found;
  if (Lost)
    return Found;
  for (const std::optional<FootprintRow> &Row : Evaluate.evaluateAt(Many, Shapes))
    Found.push_back(Row ? std::optional(figuresOf(*Row, S.Sites.size())) : std::nullopt);
  return Found;
}

std::optional<std::chrono::microseconds> FormulaSampling::costAt(const Shape &At) {
  if (Lost)
    return std::nullopt;
  const std::chrono::nanoseconds Start = spent();
  const FootprintRows Answer = Evaluate.evaluateAt(Many, std::span(&At, 1));
  if (Answer.empty() || !Answer.front())
    return std::nullopt;
  Quickest = std::min<std::chrono::nanoseconds>(Quickest, spent() - Start);
  return std::chrono::microseconds(Answer.front()->Microseconds);
}

std::chrono::nanoseconds FormulaSampling::spent() const {
  return Evaluate.busy().value_or(std::chrono::steady_clock::now().time_since_epoch());
}

bool FormulaSampling::takesTooLong(unsigned Count, std::chrono::microseconds Budget) {
  if (Quickest == std::chrono::nanoseconds::max())
    return false;
  // One answer may be late because the machine is busy; of many, few are.
  if (Quickest * Count > Budget && !Lost) {
    constexpr unsigned Tried = 16;
    const std::chrono::nanoseconds Start = spent();
    if (figuresAt(std::vector<Shape>(Tried, Shape(Names.size(), 16))).size() == Tried)
      Quickest = std::min<std::chrono::nanoseconds>(Quickest, (spent() - Start) / Tried);
  }
  return Quickest * Count > Budget;
}

} // namespace memshape
