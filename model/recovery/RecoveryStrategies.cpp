// What is tried, and in which order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each strategy proposes formulas of one kind; the first whose proposal passes cutAndVerify() ends the search. Cheap
// and simple kinds come first, and what one learns (a quest's findings) tells later ones whether they apply.

#include "model/recovery/Recovery.h"
#include "model/recovery/Rounding.h"

#include <algorithm>
#include <span>

namespace memshape {

/// Shapes that guide the search, before the fresh ones judge it.
constexpr std::size_t ExploredShapes = 120;

/// Of Shapes, inside Box.
static double shareOf(const Domain &Box, const std::vector<Shape> &Shapes) {
  auto Inside = std::count_if(Shapes.begin(), Shapes.end(), [&](const Shape &At) { return Box.contains(At); });
  return static_cast<double>(Inside) / static_cast<double>(std::max<std::size_t>(1, Shapes.size()));
}

static std::size_t termsOf(const Recovered &Found) {
  std::size_t Count = 0;
  for (const Polynomial &Piece : Found.Value.pieces())
    Count += Piece.termCount();
  return Count;
}

/// Most of the explored shapes lie where the formula holds.
static bool holdsInMost(const Recovered &Found, const std::vector<Shape> &Explored) {
  return shareOf(Found.Valid, Explored) > 0.5;
}

/// One kind of formulas: where it may be found, and how.
struct Recovery::Strategy {
  bool (*Applies)(const Recovery &R, const Quest &For);
  std::optional<Recovered> (Recovery::*Find)(Quest &For);
};

std::span<const Recovery::Strategy> Recovery::strategies() const {
  constexpr auto Always = [](const Recovery &, const Quest &) { return true; };
  constexpr auto MayHold = [](const Recovery &R, const Quest &) { return R.Options.MayHold; };
  static constexpr Strategy Anywhere[] = {
      {Always, &Recovery::polynomials},
      {Always, &Recovery::beyondSmallShapes},
      {Always, &Recovery::lookAtSymbols},
      {[](const Recovery &, const Quest &For) { return For.Rounded; }, &Recovery::roundedSymbols},
      {[](const Recovery &, const Quest &For) { return For.Stepped; }, &Recovery::atomsForMost},
      {Always, &Recovery::polynomialsInPart},
      {[](const Recovery &R, const Quest &For) { return R.Options.MayHold && For.Irregular; },
       &Recovery::irregularHeld},
      {MayHold, &Recovery::symbolsAlone},
  };
  static constexpr Strategy AroundShape[] = {{Always, &Recovery::symbolsAlone}};
  static constexpr Strategy OnTheWay[] = {{Always, &Recovery::searchOnTheWay}};
  if (!Options.Around.empty())
    return AroundShape;
  if (!Options.Toward.empty())
    return OnTheWay;
  return Anywhere;
}

/// Shapes of a region that guide a search, before fresh ones judge it.
std::vector<Shape> Recovery::explore(const Region &Where, std::uint64_t Seed) const {
  std::vector<Shape> Explored;
  ShapeSource Source(Seed);
  for (std::size_t Draws = 0;
       Draws < 20 * ExploredShapes && Explored.size() < std::min<std::size_t>(ExploredShapes, Options.FreshShapes);
       ++Draws) {
    Shape At = drawIn(Source, Where.Box);
    if (Where.holds(At))
      Explored.push_back(std::move(At));
  }
  return Explored;
}

std::optional<Recovered> Recovery::search(std::size_t Index, const Region &Where) {
  if (Verified)
    if (std::optional<Recovered> Found = constant(Index, Where))
      return Found;
  Sample.beginOutput();
  Unlike.clear();
  Refuted.clear();
  Quest For{Index, Where, explore(Where, Options.Seed + 2), std::vector<SymbolUse>(Symbols), Where};
  for (std::size_t I = 0; I < Symbols; ++I) {
    For.Uses[I].Rounding.Symbol = I;
    // What the region holds at one value was seen at no other: a term in it could not be verified.
    For.Uses[I].Active = Where.isFree(I);
  }
  for (const Strategy &Next : strategies()) {
    if (For.Ended)
      break;
    if (Next.Applies(*this, For))
      if (std::optional<Recovered> Found = (this->*Next.Find)(For))
        return Found;
  }
  return std::nullopt;
}

/// A site that holds nothing at the peak, a constant output: known without asking, once a formula of the same region
/// was verified at fresh shapes.
std::optional<Recovered> Recovery::constant(std::size_t Index, const Region &Where) {
  std::optional<std::int64_t> Value;
  unsigned Held = 0;
  bool Same = true;
  Sample.known().forEach([&](const Shape &At, const Sampler::Answer &Answer) {
    const std::optional<Outputs> &Found = Answer.Figures;
    if (!Found || Index >= Found->size() || !Where.holds(At))
      return true;
    Same = !Value || *Value == (*Found)[Index];
    Value = (*Found)[Index];
    ++Held;
    return Same;
  });
  if (!Same || Held < Options.FreshShapes + 1)
    return std::nullopt;
  std::vector<Atom> Symbol;
  for (std::size_t I = 0; I < Symbols; ++I)
    Symbol.push_back({rounding::None(), I});
  Formula Proposal(Symbol, {Polynomial::constant(Symbols, Rational(*Value))});
  if (!Options.Anchor.empty() && !holdsAt(Proposal, Options.Anchor, Index))
    return std::nullopt;
  return Recovered{Proposal, Where.Box, Held - 1};
}

/// The best formula so far without the smallest shapes, which libraries keep inside their objects and operators leave
/// alone.
std::optional<Recovered> Recovery::beyondSmallShapes(Quest &For) {
  constexpr std::int64_t Small = 40; // elements in one direction
  auto Best = std::max_element(Refuted.begin(), Refuted.end(),
                               [](const Refutation &A, const Refutation &B) { return A.Right < B.Right; });
  if (Best == Refuted.end() || Best->Right <= For.Explored.size() / 2)
    return std::nullopt;
  std::optional<Recovered> Found = cutAndVerify(Best->Value, For.Index, For.Where, true, For.Explored);
  for (std::size_t I = 0; Found && I < Symbols; ++I)
    if (const Range &R = Found->Valid.Ranges[I];
        R.High != For.Where.Box.Ranges[I].High || R.Low > std::max(Small, For.Where.Box.Ranges[I].Low))
      return std::nullopt;
  return Found;
}

/// The greatest or least of polynomials in the symbols, for all shapes.
std::optional<Recovered> Recovery::polynomials(Quest &For) {
  std::optional<Recovered> Found = propose(For.Index, For.Where, For.Uses, false, For.Explored);
  For.Ended = !Found && Sample.outOfTime();
  return Found;
}

/// What does each symbol do by itself? One phase may round what another leaves alone. Finds no formula, but what later
/// strategies go by.
std::optional<Recovered> Recovery::lookAtSymbols(Quest &For) {
  std::vector<Shape> Starts;
  for (std::int64_t First : {23, 180}) {
    Starts.emplace_back();
    for (std::size_t K = 0; K < Symbols; ++K)
      Starts.back().push_back(First + 3 * static_cast<std::int64_t>(K));
    Starts.back() = For.Where.Box.clamped(Starts.back());
  }
  const std::size_t Usual = Starts.size();
  for (const Shape &At : Unlike)
    Starts.push_back(At);
  for (std::size_t I = 0; I < Symbols; ++I) {
    if (!For.Where.isFree(I))
      continue;
    std::int64_t Reach = I < Options.Limits.size() ? Options.Limits[I].High : INT64_MAX;
    AxisFinding Found;
    for (std::size_t Start = 0; Start < Starts.size(); ++Start) {
      // Far enough for blocks of 64; elsewhere than usually, for small ones.
      const std::int64_t Length = Start < Usual ? 1000 : 60;
      AxisFinding Here = lookAlong(I, Starts[Start], std::min(Reach, Starts[Start][I] + Length), For.Index, Sample);
      For.Stepped |= Here.Kind == AxisKind::Irregular;
      if (Here.Kind == AxisKind::Rounded || Start == 0 ||
          (Found.Kind == AxisKind::Irregular && Here.Kind != AxisKind::Irregular))
        Found = Here;
      if (Found.Kind == AxisKind::Rounded || (Start + 1 >= Usual && Found.Kind == AxisKind::Irregular) ||
          (Found.Kind != AxisKind::Irregular && Starts.size() == Usual))
        break;
    }
    For.Uses[I].Rounding = Found.Use.Rounding;
    For.Rounded |= Found.Kind == AxisKind::Rounded;
    if (Found.Kind == AxisKind::Irregular) {
      For.Irregular = true;
      For.Uses[I].Active = true;
      std::int64_t Value = heldShape(For.Where.Box)[I];
      For.Slice.Box.Ranges[I] = {Value, Value};
    }
  }
  return std::nullopt;
}

/// Polynomials in symbols that are rounded to blocks, for all shapes.
std::optional<Recovered> Recovery::roundedSymbols(Quest &For) {
  std::optional<Recovered> Found = propose(For.Index, For.Where, For.Uses, false, For.Explored);
  // One block size for what has several makes many terms.
  constexpr std::size_t FewTerms = 6;
  if (Found && termsOf(*Found) > FewTerms)
    if (std::optional<Recovered> Other = searchAtoms(For.Index, For.Where, For.Explored);
        Other && termsOf(*Other) < termsOf(*Found) && shareOf(Other->Valid, For.Explored) >= 1)
      return Other;
  return Found;
}

std::optional<Recovered> Recovery::atomsForMost(Quest &For) {
  std::optional<Recovered> Found = searchAtoms(For.Index, For.Where, For.Explored);
  return Found && holdsInMost(*Found, For.Explored) ? Found : std::nullopt;
}

/// Polynomials in a part of the box; atoms where they describe more of it in hardly more terms.
std::optional<Recovered> Recovery::polynomialsInPart(Quest &For) {
  std::optional<Recovered> Part = propose(For.Index, For.Where, For.Uses, true, For.Explored);
  if (!For.Stepped && (!Part || shareOf(Part->Valid, For.Explored) < 0.5))
    if (std::optional<Recovered> Found = searchAtoms(For.Index, For.Where, For.Explored);
        Found && (!Part || (shareOf(Found->Valid, For.Explored) > shareOf(Part->Valid, For.Explored) &&
                            termsOf(*Found) <= termsOf(*Part) + 1)))
      return Found;
  return Part;
}

/// Some symbol obeys no polynomial (a count of iterations, a level): hold it, and describe the others.
std::optional<Recovered> Recovery::irregularHeld(Quest &For) { return searchHolding(For.Index, For.Slice, For.Uses); }

/// Symbols may obey a polynomial by themselves only: all of those together, then each.
std::optional<Recovered> Recovery::symbolsAlone(Quest &For) {
  const std::size_t Index = For.Index;
  const Region &Where = For.Where;
  const std::vector<SymbolUse> &Uses = For.Uses;
  std::vector<std::size_t> Alone;
  for (std::size_t I = 0; I < Symbols && !Sample.outOfTime(); ++I) {
    if (!Where.isFree(I))
      continue;
    Region Line = holding(Where, {I});
    std::vector<SymbolUse> One = Uses;
    for (std::size_t K = 0; K < Symbols; ++K)
      One[K].Active = K == I;
    Shape Base = heldShape(Where.Box);
    Base[I] = std::min(Base[I], std::max(Where.Box.Ranges[I].Low, Where.Box.Ranges[I].High - 10));
    if (fitConsistently(Base, Index, Line, One))
      Alone.push_back(I);
  }
  if (Alone.size() > 1)
    if (std::optional<Recovered> Found = searchHolding(Index, holding(Where, Alone), Uses))
      return Found;
  for (std::size_t I : Alone)
    if (std::optional<Recovered> Found = searchHolding(Index, holding(Where, {I}), Uses))
      return Found;
  return std::nullopt;
}

/// A formula in the symbols that Slice leaves free.
std::optional<Recovered> Recovery::searchHolding(std::size_t Index, const Region &Slice, std::vector<SymbolUse> Uses) {
  for (std::size_t I = 0; I < Symbols; ++I)
    Uses[I].Active = Slice.Box.Ranges[I].Low != Slice.Box.Ranges[I].High;
  if (std::none_of(Uses.begin(), Uses.end(), [](const SymbolUse &Use) { return Use.Active; }))
    return std::nullopt;
  std::vector<Shape> Explored = explore(Slice, Options.Seed + 3);
  if (std::optional<Recovered> Found = propose(Index, Slice, Uses, false, Explored))
    return Found;
  return propose(Index, Slice, Uses, true, Explored);
}

} // namespace memshape
