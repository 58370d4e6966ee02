//===- FormulaSearch.cpp - Formulas of everything a skeleton accounts for -===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/prediction/FormulaSearch.h"
#include "tools/prediction/ArgumentValues.h"
#include "tools/prediction/Assumptions.h"

#include <algorithm>

namespace memshape {

namespace {

constexpr std::size_t MaxValueSymbols = 3;
/// Of a size from data that nobody has assumed.
constexpr std::int64_t TypicalValue = 100;

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
  Found.Symbols = S.shapeSymbols();
  // One more symbol for each size from data. Many would only make a formula that nobody reads.
  Question Many = Asked;
  if (AtShape) {
    std::vector<std::string> Names = decisionNames(S);
    for (const DecisionUse &Use : AtShape->Decisions)
      if (Use.Id < S.Decisions.size() && S.Decisions[Use.Id].IsValue)
        Many.ValuesAt.push_back(Use.Id);
    if (Many.ValuesAt.size() > MaxValueSymbols)
      Many.ValuesAt.clear();
    for (std::uint32_t Id : Many.ValuesAt)
      Found.Symbols.push_back(Names[Id]);
  }
  if (Found.Symbols.empty())
    return Found;
  bool Lost = false;
  auto AskedAt = [&](const Shape &At) {
    Question Next = Asked;
    Next.Shape.assign(At.begin(), At.begin() + std::ssize(Symbols));
    for (std::size_t I = 0; I < Many.ValuesAt.size(); ++I)
      Next.Values[Many.ValuesAt[I]] = static_cast<std::uint64_t>(At[Symbols.size() + I]);
    return Next;
  };
  auto Sample = [&](const Shape &At) -> std::optional<Outputs> {
    if (Lost)
      return std::nullopt;
    Result<Footprint> Answer = Evaluate.evaluate(AskedAt(At));
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
    for (const std::optional<FootprintRow> &Row : Evaluate.evaluateAt(Many, Shapes)) {
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
  bool AtGivenValues = true;
  if (!Options.Anchor.empty())
    for (std::uint32_t Id : Many.ValuesAt) {
      auto Given = Asked.Values.find(Id);
      AtGivenValues &= Given != Asked.Values.end();
      // Where nobody says otherwise a size is as good as another.
      Options.Anchor.push_back(Given != Asked.Values.end() ? static_cast<std::int64_t>(Given->second) : TypicalValue);
    }
  Found.Asked = Options.Anchor;
  // A zero means "nothing to do" to most operators, and its footprint says little about others.
  if (std::find(Options.Anchor.begin(), Options.Anchor.end(), 0) != Options.Anchor.end())
    Options.Anchor.clear();
  for (const Parameter &P : Symbols)
    Options.Limits.push_back({1, largestValueOf(P)});
  for (std::size_t I = 0; I < Many.ValuesAt.size(); ++I)
    Options.Limits.push_back({1, INT32_MAX});
  Options.Cost = [&](const Shape &At) -> std::optional<std::chrono::microseconds> {
    Result<Footprint> Answer = Lost ? Result<Footprint>(Failure{}) : Evaluate.evaluate(AskedAt(At));
    if (!Answer || Answer->Outcome != Footprint::Status::Ok)
      return std::nullopt;
    return std::chrono::microseconds(static_cast<std::int64_t>(Answer->Microseconds));
  };
  Recovery Search(Found.Symbols.size(), Sample, Options);

  if (AtShape && AtShape->Outcome == Footprint::Status::Ok && AtGivenValues && !Options.Anchor.empty())
    Search.remember(Options.Anchor, figuresOf(rowOf(*AtShape), S.Sites.size()));
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
