//===- FormulaSearch.cpp - Formulas of everything a skeleton accounts for -===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/prediction/FormulaSearch.h"
#include "tools/prediction/ArgumentValues.h"

#include <algorithm>

namespace memshape {

namespace {

/// Order of the figures of one evaluation; the sites follow, the libraries' site first.
enum Figure : std::size_t { PeakFigure, TotalFigure, OutputFigure, AllocationsFigure, FirstSite };

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

} // namespace

FormulaSet searchFormulas(const Skeleton &S, const Question &Asked, Evaluator &Evaluate,
                          std::chrono::microseconds Budget, const Footprint *AtShape) {
  FormulaSet Found;
  std::vector<Parameter> Symbols = S.parametersOf(Role::Shape);
  if (Symbols.empty())
    return Found;
  bool Lost = false;
  auto Sample = [&](const Shape &At) -> std::optional<Outputs> {
    if (Lost)
      return std::nullopt;
    Question Next = Asked;
    Next.Shape = At;
    Result<Footprint> Answer = Evaluate.evaluate(Next);
    if (!Answer) {
      Lost = true; // no runner any more
      return std::nullopt;
    }
    if (Answer->Outcome != Footprint::Status::Ok)
      return std::nullopt;
    return figuresOf(rowOf(*Answer), S.Sites.size());
  };
  auto SampleAll = [&](const std::vector<Shape> &Shapes) {
    std::vector<std::optional<Outputs>> Found;
    if (Lost)
      return Found;
    for (const std::optional<FootprintRow> &Row : Evaluate.evaluateAt(Asked, Shapes)) {
      Found.emplace_back();
      if (Row)
        Found.back() = figuresOf(*Row, S.Sites.size());
    }
    return Found;
  };

  RecoveryOptions Options;
  Options.EvaluateAll = SampleAll;
  Options.Budget = Budget;
  Options.Anchor = Asked.Shape;
  // A zero means "nothing to do" to most operators, and its footprint says little about others.
  if (std::find(Options.Anchor.begin(), Options.Anchor.end(), 0) != Options.Anchor.end())
    Options.Anchor.clear();
  for (const Parameter &P : Symbols)
    Options.Limits.push_back({1, largestValueOf(P)});
  Options.Cost = [&](const Shape &At) -> std::optional<std::chrono::microseconds> {
    Question Next = Asked;
    Next.Shape = At;
    Result<Footprint> Answer = Lost ? Result<Footprint>(Failure{}) : Evaluate.evaluate(Next);
    if (!Answer || Answer->Outcome != Footprint::Status::Ok)
      return std::nullopt;
    return std::chrono::microseconds(static_cast<std::int64_t>(Answer->Microseconds));
  };
  Recovery Search(Symbols.size(), Sample, Options);

  if (AtShape && AtShape->Outcome == Footprint::Status::Ok)
    Search.remember(Asked.Shape, figuresOf(rowOf(*AtShape), S.Sites.size()));
  Found.Peak = Search.recover(PeakFigure);
  Found.HoldsAtShape = Found.Peak && !Options.Anchor.empty();
  if (!Found.Peak && !Options.Anchor.empty()) {
    Search.forgetAnchor();
    Found.Peak = Search.recover(PeakFigure);
  }
  if (Found.Peak) {
    for (std::size_t I = 0; I <= S.Sites.size(); ++I)
      if (std::optional<Recovered> Site = Search.recoverWithin(FirstSite + I, *Found.Peak))
        Found.Sites.emplace(static_cast<std::int64_t>(I) - 1, std::move(*Site));
    Found.Total = Search.recover(TotalFigure);
    Found.Output = Search.recover(OutputFigure);
    Found.Allocations = Search.recover(AllocationsFigure);
  }
  Found.OutOfTime = Search.outOfTime() || Lost;
  return Found;
}

} // namespace memshape
