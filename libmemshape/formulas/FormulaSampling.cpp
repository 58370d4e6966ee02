// A skeleton as a function of its symbols.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/formulas/FormulaSampling.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/skeletons/Assumptions.h"
#include "libmemshape/text/Split.h"

#include <algorithm>
#include <numeric>

namespace memshape {

/// Many would only make a formula that nobody reads.
constexpr std::size_t MaxValueSymbols = 3;
/// Of a size from data that nobody has assumed.
constexpr std::int64_t TypicalValue = 100;

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

Shape FormulaSampling::ofAll(const Shape &OfFree) const {
  if (Free.empty())
    return OfFree;
  Shape At(Ties.size());
  for (std::size_t I = 0; I < Free.size(); ++I)
    At[Free[I]] = OfFree[I];
  return Domain{{}, Ties}.tied(std::move(At));
}

Shape FormulaSampling::ofFree(const Shape &At) const {
  Shape Out;
  for (const std::size_t I : Free)
    if (!At.empty())
      Out.push_back(At[I]);
  return Out;
}

std::vector<Range> FormulaSampling::freeLimits() const {
  std::vector<Range> Out;
  for (const std::size_t I : Free)
    Out.push_back(Limits[I]);
  for (std::size_t I = 0; I < Ties.size(); ++I) {
    Range &Of = Out[static_cast<std::size_t>(std::ranges::find(Free, Ties[I]) - Free.begin())];
    Of.High = std::min(Of.High, Limits[I].High);
  }
  return Out;
}

Recovered FormulaSampling::inAll(const Recovered &Of) const {
  if (Free.size() == Names.size())
    return Of;
  std::vector<Atom> Atoms = Of.Value.atoms();
  for (Atom &Each : Atoms) {
    Each.Symbol = Free[Each.Symbol];
    if (Each.Inner.variables())
      Each.Inner = Each.Inner.among(Names.size(), Free);
    if (auto *Blocks = std::get_if<rounding::Blocks>(&Each.How); Blocks && Blocks->SizeSymbol)
      Blocks->SizeSymbol = Free[*Blocks->SizeSymbol];
  }
  Recovered Out{Formula(std::move(Atoms), Of.Value.pieces(), Of.Value.isLeast()), {{}, Ties}, Of.VerifiedShapes};
  for (const std::size_t Tie : Ties)
    Out.Valid.Ranges.push_back(Of.Valid.Ranges[static_cast<std::size_t>(std::ranges::find(Free, Tie) - Free.begin())]);
  return Out;
}

std::vector<bool> FormulaSampling::returnsAt(const std::vector<Shape> &Shapes) {
  std::vector<bool> Returns(Shapes.size(), false);
  const FootprintRows Rows = Evaluate.evaluateAt(Many, Shapes);
  Lost |= Rows.size() < Shapes.size();
  for (std::size_t I = 0; I < Rows.size(); ++I)
    Returns[I] = Rows[I].has_value();
  return Returns;
}

/// The fewest of Bound, Symbol among them, that have to grow together for the call to return; empty where none do.
std::vector<std::size_t> FormulaSampling::tiedTo(std::size_t Symbol, const std::vector<std::size_t> &Bound,
                                                 const Shape &Base) {
  const auto Returns = [&](const std::vector<std::size_t> &Together) -> bool {
    Shape Grown = Base;
    for (const std::size_t I : Together)
      ++Grown[I];
    return returnsAt({Grown}).front();
  };
  std::vector<std::size_t> Group;
  std::ranges::copy_if(Bound, std::back_inserter(Group), [&](std::size_t I) { return Base[I] == Base[Symbol]; });
  if (Group.size() < 2 || !Returns(Group))
    return {};
  for (std::size_t K = Group.size(); K-- > 0;) {
    std::vector<std::size_t> Less = Group;
    Less.erase(Less.begin() + static_cast<std::ptrdiff_t>(K));
    if (Group[K] != Symbol && Returns(Less))
      Group = std::move(Less);
  }
  return Group;
}

void FormulaSampling::tie(Shape Base) {
  if (!Free.empty() || Names.empty())
    return;
  Ties.resize(Names.size());
  std::iota(Ties.begin(), Ties.end(), 0);
  if (Base.empty())
    for (const std::int64_t Value : {16, 64, 9}) {
      Base.assign(Names.size(), Value);
      if (returnsAt({Base}).front())
        break;
    }
  // Alone these can neither grow by one nor double.
  std::vector<Shape> Grown;
  for (std::size_t I = 0; I < ShapeSymbols; ++I)
    for (const std::int64_t Step : {std::int64_t(1), Base[I]}) {
      Grown.push_back(Base);
      Grown.back()[I] += Step;
    }
  const std::vector<bool> Returns = returnsAt(Grown);
  std::vector<std::size_t> Bound;
  for (std::size_t I = 0; I < ShapeSymbols; ++I)
    if (!Returns[2 * I] && !Returns[2 * I + 1])
      Bound.push_back(I);
  for (const std::size_t I : Bound)
    if (Ties[I] == I)
      for (const std::size_t Other : tiedTo(I, Bound, Base))
        if (Other > I)
          Ties[Other] = I;
  for (std::size_t I = 0; I < Ties.size(); ++I)
    if (Ties[I] == I)
      Free.push_back(I);
}

// As a row: what else a footprint says takes longer to write and to read than most evaluations take.
std::optional<Outputs> FormulaSampling::figuresAt(const Shape &OfFree) {
  if (Lost)
    return std::nullopt;
  const Shape At = ofAll(OfFree);
  const FootprintRows Answer = Evaluate.evaluateAt(Many, std::span(&At, 1));
  Lost = Answer.empty();
  if (Lost || !Answer.front())
    return std::nullopt;
  return figuresOf(*Answer.front(), S.Sites.size());
}

std::vector<std::optional<Outputs>> FormulaSampling::figuresAt(const std::vector<Shape> &OfFree) {
  std::vector<std::optional<Outputs>> Found;
  if (Lost)
    return Found;
  const std::vector<Shape> Shapes = mapped(OfFree, [&](const Shape &Each) { return ofAll(Each); });
  for (const std::optional<FootprintRow> &Row : Evaluate.evaluateAt(Many, Shapes))
    Found.push_back(Row ? std::optional(figuresOf(*Row, S.Sites.size())) : std::nullopt);
  return Found;
}

std::optional<std::chrono::microseconds> FormulaSampling::costAt(const Shape &OfFree) {
  if (Lost)
    return std::nullopt;
  const Shape At = ofAll(OfFree);
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
    if (figuresAt(std::vector<Shape>(Tried, Shape(Free.empty() ? Names.size() : Free.size(), 16))).size() == Tried)
      Quickest = std::min<std::chrono::nanoseconds>(Quickest, (spent() - Start) / Tried);
  }
  return Quickest * Count > Budget;
}

std::vector<std::size_t> tiesOf(const Skeleton &S, const Question &Asked, Evaluator &Evaluate) {
  FormulaSampling Sampling(S, Asked, Evaluate, nullptr);
  Sampling.tie({});
  return Sampling.ties();
}

} // namespace memshape
