//===- FormulaSearch.cpp - Formulas of everything a skeleton accounts for -===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libmemshape/formulas/FormulaSearch.h"
#include "libmemshape/formulas/FiguresOfRows.h"
#include "libmemshape/formulas/FormulaCache.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/skeletons/Assumptions.h"

#include <algorithm>

namespace memshape {

namespace {

constexpr std::size_t MaxValueSymbols = 3;
/// Of a size from data that nobody has assumed.
constexpr std::int64_t TypicalValue = 100;

std::uint64_t bytesOr0(const std::optional<Recovered> &Found, const std::vector<std::int64_t> &At) {
  if (!Found)
    return 0;
  Rational Value = Found->Value.evaluate(At);
  return Value.valid() && Value.isInteger() && Value.numerator() >= 0 && Value.numerator() <= INT64_MAX
             ? static_cast<std::uint64_t>(Value.numerator())
             : 0;
}

/// The formulas say what the skeleton said at the asked shape, the sites' among them.
bool agree(const FormulaSet &Found, const Footprint &AtShape) {
  auto Says = [&](const Recovered &R, std::uint64_t Bytes) {
    return R.Value.evaluate(Found.Asked) == Rational(static_cast<std::int64_t>(Bytes));
  };
  if (!Found.Peak || !Says(*Found.Peak, AtShape.Peak))
    return false;
  return std::all_of(Found.Sites.begin(), Found.Sites.end(), [&](const auto &Site) {
    auto Held = AtShape.SiteBytes.find(Site.first);
    return Says(Site.second, Held == AtShape.SiteBytes.end() ? 0 : Held->second);
  });
}

/// Where libraries hold something at the peak, and the formula of all leaves symbols out, those of the rest are looked
/// for.
void addPart(FormulaSet &Found, const PartSearch &For, Evaluator &Evaluate, const Footprint &AtShape) {
  auto Inside = AtShape.SiteBytes.find(LibrarySite);
  if (Inside != AtShape.SiteBytes.end() && Inside->second && (!Found.Peak || heldSymbols(Found.Peak->Valid)))
    Found.Part = searchBesideLibraries(For, Evaluate);
}

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

/// From Valid one may go on to At: upwards, in symbols that were varied.
static bool reaches(const Domain &Valid, const std::vector<std::int64_t> &At) {
  for (std::size_t I = 0; I < Valid.Ranges.size(); ++I) {
    const Range &R = Valid.Ranges[I];
    if (I >= At.size() || At[I] < R.Low || (R.Low == R.High && At[I] != R.Low))
      return false;
  }
  return true;
}

std::ptrdiff_t heldSymbols(const Domain &Valid) {
  return std::count_if(Valid.Ranges.begin(), Valid.Ranges.end(), [](const Range &R) { return R.Low == R.High; });
}

bool FormulaSet::prefersPart() const {
  return Part && (!Peak || (!Asked.empty() && !HoldsAtShape) || heldSymbols(Part->Valid) < heldSymbols(Peak->Valid));
}

FormulaSet searchFormulas(const Skeleton &S, const Question &Asked, Evaluator &Evaluate,
                          std::chrono::microseconds Budget, const Footprint *AtShape, const FormulaCache &Cache) {
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
  // As a row: what else a footprint says takes longer to write and to read than most evaluations take.
  auto Sample = [&](const Shape &At) -> std::optional<Outputs> {
    if (Lost)
      return std::nullopt;
    const FootprintRows Answer = Evaluate.evaluateAt(Many, std::span(&At, 1));
    Lost = Answer.empty(); // no runner any more
    if (Lost || !Answer.front())
      return std::nullopt;
    return figuresOf(*Answer.front(), S.Sites.size());
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

  /// A search asks for about as many shapes before it proposes a formula as it does to verify one.
  constexpr unsigned AsksPerFresh = 2;
  RecoveryOptions Options;
  Options.EvaluateAll = SampleAll;
  Options.Budget = Budget;
  Options.Busy = [&] { return Evaluate.busy(); };
  const auto Spent = [&]() -> std::chrono::nanoseconds {
    return Evaluate.busy().value_or(std::chrono::steady_clock::now().time_since_epoch());
  };
  for (const Parameter &P : Symbols)
    Options.Limits.push_back({1, largestValueOf(P)});
  for (std::size_t I = 0; I < Many.ValuesAt.size(); ++I)
    Options.Limits.push_back({1, INT32_MAX});
  std::vector<bool> OfPeak;
  for (const SkeletonSite &Site : S.Sites)
    OfPeak.push_back(Site.Space.empty() || Site.Space == "host");
  // A way to a library and back may take far longer than what is measured there.
  auto Quickest = std::chrono::nanoseconds::max();
  Options.Cost = [&](const Shape &At) -> std::optional<std::chrono::microseconds> {
    if (Lost)
      return std::nullopt;
    const std::chrono::nanoseconds Start = Spent();
    const FootprintRows Answer = Evaluate.evaluateAt(Many, std::span(&At, 1));
    if (Answer.empty() || !Answer.front())
      return std::nullopt;
    Quickest = std::min<std::chrono::nanoseconds>(Quickest, Spent() - Start);
    return std::chrono::microseconds(Answer.front()->Microseconds);
  };
  bool HasPoint = AtShape && AtShape->Outcome == Footprint::Status::Ok && !Asked.Shape.empty();
  // Somebody waits for the figures at a shape; a formula that is hard to find can be had from a report.
  if (HasPoint)
    Options.AtomBudget = Budget / 40;
  bool Hurried = false;
  const std::chrono::nanoseconds Begin = Spent();
  /// One way to search: many cheap shapes, few that may be expensive, or few around the asked one.
  struct Manner {
    RecoveryOptions Options;
    double Cheap = 0;               ///< symbols are held only where the asked shape takes less, in microseconds
    std::optional<Recovery> Search; ///< starts to ask as soon as it is there
  };
  Manner Usual{Options, 1000, {}}, Thorough{Options, 0, {}}, Nearby{Options, 4000, {}};
  Thorough.Options.FreshShapes = 120;
  Thorough.Options.MaxCost = std::chrono::microseconds(2000);
  Nearby.Options.FreshShapes = 60;
  auto RecoverIn = [&](Manner &How, const Shape &Anchor) {
    FormulaSet Set;
    Set.Symbols = Found.Symbols;
    Set.Asked = Found.Asked;
    const auto Left = std::chrono::duration_cast<std::chrono::microseconds>(Budget - (Spent() - Begin));
    if (Left < Budget / 8) {
      Set.OutOfTime = true;
      return Set;
    }
    if (!How.Search)
      How.Search.emplace(Found.Symbols.size(), Sample, How.Options);
    // Too few could be verified in time. One answer may be late because the machine is busy; of many, few are.
    const unsigned Asks = AsksPerFresh * How.Options.FreshShapes;
    if (Quickest != std::chrono::nanoseconds::max() && Quickest * Asks > Budget && !Lost) {
      constexpr unsigned Tried = 16;
      const std::chrono::nanoseconds Start = Spent();
      if (SampleAll(std::vector<Shape>(Tried, Shape(Found.Symbols.size(), 16))).size() == Tried)
        Quickest = std::min<std::chrono::nanoseconds>(Quickest, (Spent() - Start) / Tried);
    }
    if (Quickest != std::chrono::nanoseconds::max() && Quickest * Asks > Budget) {
      Set.OutOfTime = true;
      return Set;
    }
    // Held symbols only at the asked shape, and only where to ask around it takes no longer than elsewhere.
    How.Search->anchorAt(Anchor,
                         !HasPoint || (!Anchor.empty() && static_cast<double>(AtShape->WorkMicroseconds) < How.Cheap));
    // Half of what is left: another manner may need the rest.
    How.Search->allow(std::max(Left / 2, std::min(Left, Budget / 4)));
    Set.Peak = How.Search->recover(PeakFigure);
    if (Set.Peak) {
      for (std::size_t I = 0; I <= S.Sites.size(); ++I)
        // It stands beside that of the peak without a range of its own: it has to hold where that one does.
        if (std::optional<Recovered> Site = How.Search->recoverWithin(FirstSite + I, *Set.Peak);
            Site && Site->Valid.nearlyHolds(Set.Peak->Valid))
          Set.Sites.emplace(static_cast<std::int64_t>(I) - 1, std::move(*Site));
      Set.Total = How.Search->recover(TotalFigure);
      Set.Output = How.Search->recover(OutputFigure);
      Set.Allocations = How.Search->recover(AllocationsFigure);
    }
    Set.OutOfTime = How.Search->outOfTime() || Lost;
    Hurried |= How.Search->hurried();
    return Set;
  };
  bool Elsewhere = false; // a formula was found that does not hold at the asked shape
  auto Recover = [&](const Shape &Anchor) {
    FormulaSet Set = RecoverIn(Usual, Anchor);
    // Where there is a shape the others come when nothing was found around it either. What contradicts a formula of
    // others may have wrapped, and is none to look around.
    if (Set.Peak || Lost || Elsewhere || (HasPoint && Anchor.empty()))
      return Set;
    if (!Anchor.empty() && static_cast<double>(AtShape->WorkMicroseconds) < Nearby.Cheap) {
      Nearby.Options.Around = Anchor;
      Set = RecoverIn(Nearby, Anchor);
    }
    return Set.Peak || Lost ? Set : RecoverIn(Thorough, {});
  };
  auto RecoverOrFind = [&](const Shape &Anchor) {
    if (!AtShape)
      return Recover(Anchor);
    std::string Key = FormulaCache::keyOf(S, Asked, *AtShape, !Anchor.empty());
    // What was found in a hurry serves those who are in a hurry too.
    const std::string HurriedKey = Key + "-hurried";
    std::optional<FormulaSet> Known = Cache.find(Key);
    if (!Known && HasPoint)
      Known = Cache.find(HurriedKey);
    if (Known && Known->Symbols == Found.Symbols) {
      Known->Asked = Found.Asked;
      return std::move(*Known);
    }
    Hurried = false;
    FormulaSet New = Recover(Anchor);
    if (Anchor.empty() && !Lost)
      addPart(New, {Many, Found.Symbols.size(), OfPeak, Options.Limits}, Evaluate, *AtShape);
    if (!Lost)
      Cache.keep(Hurried ? HurriedKey : Key, New);
    return New;
  };

  // For all shapes first: that serves every further question about the operator.
  Footprint Here;
  if (HasPoint) {
    Here = *AtShape;
    Found.Asked = Asked.Shape;
    bool AtGivenValues = true;
    for (std::uint32_t Id : Many.ValuesAt) {
      auto Given = Asked.Values.find(Id);
      AtGivenValues &= Given != Asked.Values.end();
      // Where nobody says otherwise a size is as good as another.
      Found.Asked.push_back(Given != Asked.Values.end() ? static_cast<std::int64_t>(Given->second) : TypicalValue);
    }
    if (!AtGivenValues) {
      Result<Footprint> Answer = Evaluate.evaluate(AskedAt(Found.Asked));
      HasPoint = Answer && Answer->Outcome == Footprint::Status::Ok;
      if (HasPoint)
        Here = std::move(*Answer);
    }
  } else if (!Asked.Shape.empty() && Many.ValuesAt.empty()) {
    Found.Asked = Asked.Shape;
  }
  FormulaSet General = RecoverOrFind({});
  std::optional<PartFormula> Part = std::move(General.Part);
  General.Part.reset();
  if (HasPoint && Part && !agreesWith(*Part, Here, Found.Asked))
    Part.reset();
  auto WithPart = [&](FormulaSet Set) {
    Set.Part = std::move(Part);
    if (Set.prefersPart())
      Set.Sites = Set.Part->Sites;
    return Set;
  };
  if (!HasPoint || agree(General, Here)) {
    General.HoldsAtShape = HasPoint && General.Peak;
    return WithPart(std::move(General));
  }
  Elsewhere = General.Peak.has_value();
  // A zero means "nothing to do" to most operators, and its footprint says little about others.
  bool Usable = std::find(Found.Asked.begin(), Found.Asked.end(), 0) == Found.Asked.end();
  FormulaSet Local = Usable ? RecoverOrFind(Found.Asked) : FormulaSet();
  if (Local.Peak && agree(Local, Here)) {
    Local.HoldsAtShape = true;
    return WithPart(std::move(Local));
  }
  General.OutOfTime |= Local.OutOfTime;
  std::erase_if(General.Sites, [&](const auto &Site) {
    auto Held = Here.SiteBytes.find(Site.first);
    return !(Site.second.Value.evaluate(Found.Asked) ==
             Rational(static_cast<std::int64_t>(Held == Here.SiteBytes.end() ? 0 : Held->second)));
  });
  General.HoldsAtShape = agree(General, Here);
  return WithPart(std::move(General));
}

std::optional<Footprint> extrapolated(const FormulaSet &Formulas, const std::vector<std::int64_t> &At) {
  if (!Formulas.Peak || !reaches(Formulas.Peak->Valid, At))
    return std::nullopt;
  Rational Peak = Formulas.Peak->Value.evaluate(At);
  if (!Peak.valid() || !Peak.isInteger() || Peak.numerator() < 0 || Peak.numerator() > INT64_MAX)
    return std::nullopt;
  Footprint Heap;
  Heap.Outcome = Footprint::Status::Ok;
  Heap.Peak = static_cast<std::uint64_t>(Peak.numerator());
  Heap.Total = std::max(Heap.Peak, bytesOr0(Formulas.Total, At));
  Heap.Output = bytesOr0(Formulas.Output, At);
  Heap.Allocations = bytesOr0(Formulas.Allocations, At);
  Heap.Spaces["host"] = Heap.Peak;
  // Each was verified by itself: where together they hold more than the peak, they do not go as far as it does.
  unsigned __int128 Sum = 0;
  for (const auto &[Site, Found] : Formulas.Sites)
    if (std::uint64_t Held = bytesOr0(Found, At)) {
      Heap.SiteBytes[Site] = Held;
      Sum += Held;
    }
  if (Sum > Heap.Peak)
    Heap.SiteBytes.clear();
  return Heap;
}

} // namespace memshape
