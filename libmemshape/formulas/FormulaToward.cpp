// A law for a shape that takes too long.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/formulas/FormulaSampling.h"
#include "libmemshape/formulas/FormulaSearch.h"

#include <algorithm>
#include <cmath>

namespace memshape {

namespace {

/// Extents up to this are kept as they are: channels, orders, lengths of filters.
constexpr std::int64_t SmallExtent = 64;
/// Symbols whose values on the way stay below this tell no law.
constexpr std::int64_t FewValues = 40;
/// How much smaller than the largest shape the smallest is, and how far from the ratios; less of it where that spans
/// several regimes.
constexpr struct {
  double Span, Slack;
} Widths[] = {{16, 1.5}, {4, 1.5}, {4, 1.1}};

class Approaching {
public:
  Approaching(const Skeleton &S, const Question &Asked, Evaluator &Evaluate, std::chrono::microseconds Budget)
      : S(S), Asked(Asked), Evaluate(Evaluate), Budget(Budget) {}

  Approach run() {
    std::vector<bool> Held;
    for (std::int64_t Extent : Asked.Shape)
      Held.push_back(Extent <= SmallExtent);
    std::optional<Recovery> Plain = follow(Held);
    // What stays too small on the way may keep its value instead.
    if (Plain && !Plain->hasWay() && Plain->reached()) {
      const Shape Reached = *Plain->reached();
      for (std::size_t I = 0; I < Held.size(); ++I)
        Held[I] = Held[I] || Reached[I] < FewValues;
      Plain = follow(Held);
    }
    Approach Out;
    if (!Plain || !Plain->hasWay()) {
      Out.Reached = Plain ? Plain->reached() : std::nullopt;
      return Out;
    }
    Out.Reached = Plain->reached();
    Out.Formulas = formulasOf(*Plain);
    const std::vector<bool> WithCapacities = guardsOf(Plain->cheap(), Held);
    if (WithCapacities == Held)
      return Out;
    std::optional<Recovery> Guarded = follow(WithCapacities);
    if (!Guarded || !Guarded->hasWay())
      return Out;
    FormulaSet Other = formulasOf(*Guarded);
    if (!Other.Peak)
      return Out;
    Out.Contradictory = Out.Formulas.Peak &&
                        !(Out.Formulas.Peak->Value.evaluate(Asked.Shape) == Other.Peak->Value.evaluate(Asked.Shape));
    Out.Formulas = std::move(Other);
    Out.Reached = Guarded->reached();
    return Out;
  }

private:
  std::optional<Outputs> figuresAt(const Shape &At) {
    const FootprintRows Rows = Evaluate.evaluateAt(Asked, std::span(&At, 1));
    return Rows.empty() || !Rows.front() ? std::nullopt : std::optional(withCost(*Rows.front()));
  }
  Outputs withCost(const FootprintRow &Row) const {
    Outputs Found = figuresOf(Row, S.Sites.size());
    Found.push_back(Row.Microseconds);
    return Found;
  }

  /// Nothing where every symbol is held.
  std::optional<Recovery> follow(const std::vector<bool> &Held) {
    Way To(Asked.Shape, Held);
    if (To.longest() == 0)
      return std::nullopt;
    RecoveryOptions Options;
    Options.Toward = std::move(To);
    Options.CostFigure = FirstSite + 1 + S.Sites.size();
    Options.WaySpan = Widths[0].Span;
    Options.FreshShapes = 60;
    Options.MaxCost = std::chrono::milliseconds(20);
    Options.Budget = Budget;
    Options.Busy = [this] { return Evaluate.busy(); };
    Options.MayHold = false;
    Options.EvaluateAll = [this](const std::vector<Shape> &Shapes) {
      std::vector<std::optional<Outputs>> Found;
      for (const std::optional<FootprintRow> &Row : Evaluate.evaluateAt(Asked, Shapes))
        Found.push_back(Row ? std::optional(withCost(*Row)) : std::nullopt);
      return Found;
    };
    return std::optional<Recovery>(
        std::in_place, Asked.Shape.size(), [this](const Shape &At) { return figuresAt(At); }, Options);
  }

  FormulaSet formulasOf(Recovery &Search) {
    FormulaSet Set;
    Set.Symbols = S.shapeSymbols();
    Set.Asked = Asked.Shape;
    for (const auto &[Span, Slack] : Widths) {
      Search.narrowWay(Span, Slack);
      Set.Peak = Search.recover(PeakFigure);
      if (Set.Peak || Search.outOfTime())
        break;
    }
    Set.OutOfTime = Search.outOfTime();
    if (!Set.Peak)
      return Set;
    for (std::size_t I = 0; I <= S.Sites.size(); ++I)
      if (std::optional<Recovered> Site = Search.recoverWithin(FirstSite + I, *Set.Peak);
          Site && Site->Valid.nearlyHolds(Set.Peak->Valid))
        (I && !S.Sites[I - 1].allocates() ? Set.Arguments : Set.Sites)
            .emplace(static_cast<std::int64_t>(I) - 1, std::move(*Site));
    Set.Total = Search.recover(TotalFigure);
    Set.Output = Search.recover(OutputFigure);
    Set.Allocations = Search.recover(AllocationsFigure);
    return Set;
  }

  /// Held, and symbols that only guard: with the asked value of one of them everything is as with the small one, and
  /// with those in between.
  std::vector<bool> guardsOf(const Shape &From, const std::vector<bool> &Before) {
    std::vector<bool> Held = Before;
    Shape Middle = From;
    for (std::size_t I = 0; I < From.size(); ++I)
      if (!Held[I])
        Middle[I] = std::max<std::int64_t>(1, From[I] / 2);
    const auto Same = [](std::optional<Outputs> A, std::optional<Outputs> B) {
      if (!A || !B)
        return false;
      A->pop_back(); // the time
      B->pop_back();
      return *A == *B;
    };
    const std::optional<Outputs> Usual = figuresAt(Middle);
    for (std::size_t I = 0; I < From.size() && Usual; ++I) {
      if (Held[I])
        continue;
      const auto Between =
          static_cast<std::int64_t>(std::sqrt(static_cast<double>(Middle[I]) * static_cast<double>(Asked.Shape[I])));
      bool Guards = true;
      for (std::int64_t Extent : {2 * Middle[I], Between, Asked.Shape[I]}) {
        Shape At = Middle;
        At[I] = Extent;
        Guards = Guards && Same(Usual, figuresAt(At));
      }
      Held[I] = Guards;
    }
    // Not all of them: something has to be smaller.
    return std::all_of(Held.begin(), Held.end(), [](bool Each) { return Each; }) ? Before : Held;
  }

  const Skeleton &S;
  const Question &Asked;
  Evaluator &Evaluate;
  const std::chrono::microseconds Budget;
};

} // namespace

Approach formulasToward(const Skeleton &S, const Question &Asked, Evaluator &Evaluate,
                        std::chrono::microseconds Budget) {
  return Approaching(S, Asked, Evaluate, Budget).run();
}

} // namespace memshape
