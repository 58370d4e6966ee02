// Does a proposal hold, and where?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/formula/DomainCut.h"
#include "model/recovery/Recovery.h"

#include "model/formula/Formula.h"
#include <algorithm>
#include <map>
#include <set>

namespace memshape {

/// A polynomial through the few powers of two of a domain says nothing about others. True where each atom takes more
/// values at Shapes than its powers could be made to fit, and each limit is seen from both sides.
static bool saysMoreThanItTakes(const Formula &Proposal, const std::vector<Shape> &Shapes) {
  constexpr std::size_t Spare = 3;    // values that no power was needed for
  constexpr std::size_t EachSide = 8; // shapes on either side of a limit
  for (std::size_t I = 0; I < Proposal.atoms().size(); ++I) {
    const Atom &A = Proposal.atoms()[I];
    if (A.isSymbol())
      continue;
    std::size_t Powers = 0;
    for (const Polynomial &Piece : Proposal.pieces()) {
      std::set<unsigned> Used;
      for (const auto &[Exponents, Coefficient] : Piece.terms())
        Used.insert(Exponents[I]);
      Powers = std::max(Powers, Used.size());
    }
    if (std::none_of(Proposal.pieces().begin(), Proposal.pieces().end(),
                     [&](const Polynomial &Piece) { return Piece.dependsOn(I); }))
      continue;
    std::map<std::int64_t, std::size_t> Values;
    for (const Shape &At : Shapes)
      if (std::optional<std::int64_t> Value = A.evaluate(At))
        ++Values[*Value];
    if (A.as<rounding::Above>()) {
      if (Values[0] < EachSide || Values[1] < EachSide)
        return false;
    } else if (Values.size() < Powers + Spare) {
      return false;
    }
  }
  return true;
}

/// Values of what an atom rounds, between Low and High, at which the atom changes: the last before a step each.
static std::vector<std::int64_t> lastBeforeSteps(const Atom &Of, std::int64_t Low, std::int64_t High) {
  std::vector<std::int64_t> Found;
  if (const auto *Over = Of.as<rounding::Above>())
    Found.push_back(Over->Limit);
  else if (const auto *Capped = Of.as<rounding::Least>())
    Found.push_back(Capped->Cap);
  else if (Of.as<rounding::PowerOfTwo>() || Of.as<rounding::Smooth>())
    for (int Exponent = 2; Exponent < 40; ++Exponent)
      Found.push_back(std::int64_t(1) << Exponent);
  else if (Of.as<rounding::Log2>())
    for (int Exponent = 2; Exponent < 40; ++Exponent)
      Found.push_back((std::int64_t(1) << Exponent) - 1);
  else if (Of.as<rounding::Root>())
    for (std::int64_t Root = 2; Root < 4000; Root += 1 + Root / 8)
      Found.push_back(Root * Root - 1);
  // Of the others steps are dense.
  std::erase_if(Found, [&](std::int64_t Value) { return Value < Low || Value >= High; });
  return Found;
}

/// Domains that are tried for one proposal.
constexpr unsigned MaxCuts = 8;
/// That are learnt from at once.
constexpr std::size_t MostMismatches = 16;

/// Number of shapes in a box, or Enough when there are at least so many.
static std::size_t cardinality(const Domain &Box, std::size_t Enough) {
  std::size_t Count = 1;
  for (const Range &R : Box.Ranges) {
    std::uint64_t Values = static_cast<std::uint64_t>(R.High) - static_cast<std::uint64_t>(R.Low) + 1;
    if (Values == 0 || Values >= Enough || Count * Values >= Enough)
      return Enough;
    Count *= Values;
  }
  return Count;
}

static std::vector<Shape> allShapes(const Domain &Box) {
  std::vector<Shape> All{{}};
  for (const Range &R : Box.Ranges) {
    std::vector<Shape> Longer;
    for (const Shape &Prefix : All)
      for (std::int64_t Value = R.Low; Value <= R.High; ++Value) {
        Longer.push_back(Prefix);
        Longer.back().push_back(Value);
      }
    All = std::move(Longer);
  }
  return All;
}

/// Extremes in all directions; of many directions, a part.
static std::vector<Shape> corners(const Domain &Box) {
  constexpr std::size_t MaxCorners = 32;
  std::vector<Shape> Found{{}};
  for (const Range &R : Box.Ranges) {
    std::vector<Shape> Longer;
    const bool Both = R.Low < R.High && Found.size() < MaxCorners; // a symbol that is held fast has one extreme
    for (const Shape &Prefix : Found) {
      Longer.push_back(Prefix);
      Longer.back().push_back(R.Low);
      if (Both) {
        Longer.push_back(Prefix);
        Longer.back().push_back(R.High);
      }
    }
    Found = std::move(Longer);
  }
  return Found;
}

bool Recovery::holdsAt(const Formula &Proposal, const Shape &At, std::size_t Index) {
  constexpr std::chrono::nanoseconds Evaluating{200};
  Sample.spend(Evaluating);
  std::optional<std::int64_t> Value = Sample(At, Index);
  return Value && Proposal.evaluate(At) == Rational(*Value);
}

/// Growth and rounding change from one value to the next, mostly while values are small: all of them are tried in each
/// direction from the least shape and from the anchor.
std::vector<Shape> Recovery::neighbours(const Domain &Box, const Region &Where) const {
  std::set<Shape> Near;
  auto Wide = std::count_if(Box.Ranges.begin(), Box.Ranges.end(), [](const Range &R) { return R.Low < R.High; });
  const std::int64_t Reach = Wide == 1 && Options.FreshShapes >= 256 ? 256 : 16;
  Shape Least;
  for (const Range &R : Box.Ranges)
    Least.push_back(R.Low);
  for (const Shape &From : {Least, Options.Anchor.empty() ? Least : Box.clamped(Options.Anchor)})
    for (std::size_t I = 0; I < Box.Ranges.size(); ++I)
      for (std::int64_t Step = 1; Step <= Reach && Step <= Box.Ranges[I].High - From[I]; ++Step) {
        Shape At = From;
        At[I] += Step;
        if (Where.holds(At))
          Near.insert(std::move(At));
      }
  return {Near.begin(), Near.end()};
}

/// Number of fresh shapes at which the proposal held; 0 when one did not, or when there were too few.
unsigned Recovery::verify(const Formula &Proposal, const Domain &Box, std::size_t Index, const Region &Where,
                          std::vector<Shape> &Mismatches) {
  std::set<Shape> Fresh;
  // A narrow parameter has few values, and all can be tried. A domain that was cut to so few is a coincidence.
  bool Exhaustive = cardinality(Where.Box, 2 * Options.FreshShapes) < 2 * Options.FreshShapes;
  if (Exhaustive) {
    for (Shape &At : allShapes(Box))
      if (Where.holds(At))
        Fresh.insert(std::move(At));
  } else {
    ShapeSource Source(Options.Seed + 1);
    for (unsigned Draws = 0; Draws < 40 * Options.FreshShapes && Fresh.size() < Options.FreshShapes; ++Draws) {
      Shape At = drawIn(Source, Box);
      if (Where.holds(At) && !Sample.wasUsed(At))
        Fresh.insert(std::move(At));
    }
  }
  std::vector<Shape> Near;
  if (!Exhaustive) {
    Near = neighbours(Box, Where);
    for (Shape &At : boundaries(Proposal, Box, Where))
      Near.push_back(std::move(At));
    for (Shape &At : corners(Box))
      if (Where.holds(At))
        Near.push_back(std::move(At));
  }
  Sample.prefetch(Near);
  for (const Shape &At : Near) {
    if (Sample.outOfTime())
      return 0;
    if (!holdsAt(Proposal, At, Index))
      Mismatches.push_back(At);
  }
  if (!Mismatches.empty())
    return 0;
  unsigned Held = 0, Seen = 0;
  // A wrong proposal mostly shows at the first few.
  constexpr unsigned FewBefore = 40;
  std::vector<Shape> Ordered(Fresh.begin(), Fresh.end());
  for (const Shape &At : Ordered) {
    if (Sample.outOfTime())
      return 0;
    if (Seen == 0)
      Sample.prefetch({Ordered.begin(), Ordered.begin() + std::min<std::ptrdiff_t>(FewBefore, std::ssize(Ordered))});
    if (Seen == FewBefore)
      Sample.prefetch(Ordered);
    ++Seen;
    if (holdsAt(Proposal, At, Index)) {
      ++Held;
      continue;
    }
    Mismatches.push_back(At);
    if (Mismatches.size() >= MostMismatches)
      return 0;
  }
  // What other proposals have asked for has to agree as well.
  std::size_t Others = 0;
  Sample.known().forEach([&](const Shape &At, const Sampler::Answer &Answer) {
    if (!Answer.Figures || Index >= Answer.Figures->size() || !Box.contains(At) || Fresh.contains(At) ||
        !Where.holds(At))
      return true;
    ++Others;
    if (!(Proposal.evaluate(At) == Rational((*Answer.Figures)[Index])))
      Mismatches.push_back(At);
    return true;
  });
  std::sort(Mismatches.begin(), Mismatches.end());
  if (Mismatches.size() > MostMismatches)
    Mismatches.resize(MostMismatches);
  // Few shapes of a narrow domain are fresh when many were asked for already. No proposal is made from as many as are
  // left out here.
  if (!Exhaustive && Held < Options.FreshShapes) {
    if (Held + Others < 2 * Options.FreshShapes)
      return 0;
    Held = static_cast<unsigned>(Held + Others) - Options.FreshShapes;
  }
  if (!Mismatches.empty() || !saysMoreThanItTakes(Proposal, Ordered))
    return 0;
  return Held;
}

std::optional<Recovered> Recovery::cutAndVerify(const Formula &Proposal, std::size_t Index, const Region &Where,
                                                bool MayCut, std::vector<Shape> &Explored) {
  std::vector<Shape> Right, Wrong;
  Sample.prefetch(Explored);
  for (const Shape &At : Explored)
    (holdsAt(Proposal, At, Index) ? Right : Wrong).push_back(At);
  if (Sample.outOfTime() || (!Wrong.empty() && !MayCut))
    return std::nullopt;
  Shape Anchor;
  if (!Options.Anchor.empty()) {
    if (!holdsAt(Proposal, Options.Anchor, Index))
      return std::nullopt;
    Anchor = Where.Box.clamped(Options.Anchor);
    if (!Wrong.empty() && !holdsAt(Proposal, Anchor, Index))
      return std::nullopt;
  }
  // Fresh shapes that refute a cut domain sharpen the next cut.
  for (unsigned Cut = 0; Cut < (MayCut ? MaxCuts : 1); ++Cut) {
    Recovered Result{Proposal, Where.Box, 0};
    if (!Wrong.empty()) {
      auto Holds = [&](const Shape &At) { return holdsAt(Proposal, At, Index); };
      std::optional<Domain> Kept = cutDomain(Where.Box, Right, Wrong, Anchor, Holds);
      if (!Kept)
        return std::nullopt;
      Result.Valid = *Kept;
    }
    std::vector<Shape> Mismatches;
    Result.VerifiedShapes = verify(Proposal, Result.Valid, Index, Where, Mismatches);
    Explored.insert(Explored.end(), Mismatches.begin(), Mismatches.end());
    Wrong.insert(Wrong.end(), Mismatches.begin(), Mismatches.end());
    if (Result.VerifiedShapes != 0) {
      Verified = true;
      return Result;
    }
    if (Mismatches.empty())
      return std::nullopt; // too few fresh shapes, or no time
  }
  return std::nullopt;
}

/// Shapes on both sides of the steps of a proposal's atoms: fresh shapes rarely meet one.
std::vector<Shape> Recovery::boundaries(const Formula &Proposal, const Domain &Box, const Region &Where) const {
  constexpr unsigned Draws = 24;
  std::set<Shape> Found;
  ShapeSource Source(Options.Seed + 9);
  for (const Atom &A : Proposal.atoms()) {
    const Polynomial Inner = A.hasInner() ? A.Inner : Polynomial::variable(Symbols, A.Symbol);
    for (unsigned Draw = 0; !A.isSymbol() && Draw < Draws; ++Draw) {
      Shape At = Source.draw(Box);
      const std::size_t Moved = Draw % Symbols;
      if (!Inner.dependsOn(Moved))
        continue;
      auto InnerAt = [&](std::int64_t Extent) {
        At[Moved] = Extent;
        return Inner.evaluate(At).toInt64().value_or(INT64_MAX);
      };
      const Range &R = Box.Ranges[Moved];
      const std::vector<std::int64_t> Steps = lastBeforeSteps(A, InnerAt(R.Low), InnerAt(R.High));
      if (Steps.empty())
        continue;
      const std::int64_t Wanted = Steps[Draw % Steps.size()];
      std::int64_t Low = R.Low, High = R.High; // Inner(Low) <= Wanted < Inner(High)
      while (High - Low > 1) {
        std::int64_t Middle = Low + (High - Low) / 2;
        (InnerAt(Middle) <= Wanted ? Low : High) = Middle;
      }
      for (std::int64_t Extent : {Low, High}) {
        At[Moved] = Extent;
        if (Where.holds(At))
          Found.insert(At);
      }
    }
  }
  return {Found.begin(), Found.end()};
}

} // namespace memshape
