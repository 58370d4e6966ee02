// From footprints at many shapes to a formula.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/recovery/Recovery.h"

#include <algorithm>

namespace memshape {

/// Where samples start from; no shape of a formula's domain is worth less.
constexpr std::int64_t FirstScale = 16;
/// Proposals that fresh shapes may refute before the search gives up.
constexpr unsigned Rounds = 3;
/// Shapes in a row that show no further piece before the search for pieces ends.
constexpr unsigned TriesInVain = 8;
/// Bases from which formulas for all shapes are looked for, and such with caps.
constexpr std::size_t BasesOfAll = 6, BasesOfCaps = 2;
/// Places at which axes are looked at once more.
constexpr std::size_t MaxUnlike = 4;
/// Neighbours that a polynomial has to meet before it counts as one.
constexpr unsigned Neighbours = 12;

Recovery::Recovery(std::size_t Symbols, Evaluation Evaluate, RecoveryOptions GivenOptions)
    : Symbols(Symbols), Options(std::move(GivenOptions)), Sample(std::move(Evaluate)) {
  // Evaluating and searching together.
  if (Options.Busy) {
    auto Searching = std::make_shared<std::chrono::nanoseconds>(0);
    Sample.countLookups(Searching);
    Options.Busy = [Evaluating = std::move(Options.Busy), Searching]() -> std::optional<std::chrono::nanoseconds> {
      const std::optional<std::chrono::nanoseconds> Busy = Evaluating();
      return Busy ? std::optional(*Busy + *Searching) : std::nullopt;
    };
  }
  allow(Options.Budget);
  Sample.setBatch(Options.EvaluateAll);
  if (!Options.Toward.empty()) {
    chooseWay();
    return;
  }
  if (!Options.Around.empty()) {
    chooseAround();
    return;
  }
  chooseScale();
  chooseLowest();
}

/// From half to one and a half times a shape.
void Recovery::chooseAround() {
  for (std::size_t I = 0; I < Symbols; ++I) {
    const Range Held = I < Options.Limits.size() ? Options.Limits[I] : Range();
    const std::int64_t Extent = Options.Around[I], Reach = std::max<std::int64_t>(Extent / 2, 12);
    Whole.Ranges.push_back({std::max({std::int64_t(1), Held.Low, Extent - Reach}),
                            Extent > Held.High - Reach ? Held.High : Extent + Reach});
  }
}

/// The least of three: a busy machine makes an evaluation look slower than it is, never faster.
std::optional<std::chrono::microseconds> Recovery::costAt(const Shape &At) {
  if (!Options.Cost)
    return std::chrono::microseconds(0);
  std::optional<std::chrono::microseconds> Least;
  for (int Repetition = 0; Repetition < 3; ++Repetition) {
    std::optional<std::chrono::microseconds> Spent = Options.Cost(At);
    if (!Spent)
      return std::nullopt;
    Least = Least ? std::min(*Least, *Spent) : *Spent;
    if (Options.Busy || *Least <= Options.MaxCost || *Least > 8 * Options.MaxCost)
      break; // it is counted, or no noise can change the answer
  }
  return Least;
}

/// Skeletons of some operators take time that grows with some symbols: samples stay where one evaluation is cheap. From
/// small to large, so that no step can cost much more than the one before it.
void Recovery::chooseScale() {
  Shape Corner;
  for (std::size_t I = 0; I < Symbols; ++I) {
    Range Held = I < Options.Limits.size() ? Options.Limits[I] : Range();
    Whole.Ranges.push_back({std::max<std::int64_t>(1, Held.Low), std::min(FirstScale, Held.High)});
    Corner.push_back(Whole.Ranges.back().High);
  }
  std::optional<std::chrono::microseconds> Spent = costAt(Corner);
  if (!Spent || *Spent > Options.MaxCost)
    return;
  std::vector<bool> Growing(Symbols, true);
  for (std::int64_t Largest : {std::int64_t(40), std::int64_t(120), std::int64_t(500), Options.LargestValue}) {
    auto Grown = [&](std::size_t I) {
      return std::min(Largest, I < Options.Limits.size() ? Options.Limits[I].High : INT64_MAX);
    };
    Shape All = Corner;
    for (std::size_t I = 0; I < Symbols; ++I)
      if (Growing[I])
        All[I] = Grown(I);
    // At least quadratic growth is expected of what takes noticeable time at all.
    std::int64_t Ratio = Largest / *std::max_element(Corner.begin(), Corner.end());
    std::optional<std::chrono::microseconds> Cost;
    if (*Spent * (Ratio * Ratio) <= 64 * Options.MaxCost)
      Cost = costAt(All);
    if (Cost && *Cost <= Options.MaxCost) {
      Corner = All;
      Spent = Cost;
      continue;
    }
    // One at a time: the symbols on which no time depends grow on.
    for (std::size_t I = 0; I < Symbols; ++I) {
      if (!Growing[I])
        continue;
      Shape Next = Corner;
      Next[I] = Grown(I);
      Cost = costAt(Next);
      Growing[I] = Cost && *Cost <= Options.MaxCost;
      if (Growing[I]) {
        Corner = std::move(Next);
        Spent = Cost;
      }
    }
  }
  for (std::size_t I = 0; I < Symbols; ++I)
    Whole.Ranges[I].High = Corner[I];
}

/// Many operators need a few elements in each direction. Sampling below that teaches nothing and, where it ends the
/// runner, costs much.
void Recovery::chooseLowest() {
  Shape Middle;
  for (const Range &R : Whole.Ranges)
    Middle.push_back(R.Low + (R.High - R.Low) / 2);
  if (!Sample(Middle, 0))
    return;
  for (std::size_t I = 0; I < Symbols; ++I) {
    Shape At = Middle;
    At[I] = Whole.Ranges[I].Low;
    if (Sample(At, 0))
      continue;
    std::int64_t Without = Whole.Ranges[I].Low, With = Middle[I];
    // Thresholds are small numbers: double the distance first.
    for (std::int64_t Step = 1; Without + Step < With; Step *= 2) {
      At[I] = Without + Step;
      if (Sample(At, 0))
        With = At[I];
      else
        Without = At[I];
    }
    while (With - Without > 1) {
      At[I] = Without + (With - Without) / 2;
      (Sample(At, 0) ? With : Without) = At[I];
    }
    Whole.Ranges[I].Low = With;
  }
}

std::vector<Shape> Recovery::bases(const Domain &Box) const {
  if (!Options.Toward.empty())
    return basesOnTheWay();
  std::vector<Shape> Found;
  auto Add = [&](Shape At) {
    // A lattice reaches a few values above its base.
    for (std::size_t I = 0; I < Symbols; ++I)
      At[I] = std::max(Box.Ranges[I].Low, std::min(At[I], Box.Ranges[I].High - 10));
    if (std::find(Found.begin(), Found.end(), At) == Found.end())
      Found.push_back(std::move(At));
  };
  if (!Options.Anchor.empty() && Box.contains(Options.Anchor))
    Add(Options.Anchor);
  for (auto [Start, Step] : {std::pair<std::int64_t, std::int64_t>{67, 7}, {150, 11}, {23, 3}, {400, 29}, {6, 1}}) {
    Shape Up(Symbols), Down(Symbols);
    for (std::size_t I = 0; I < Symbols; ++I) {
      Up[I] = Start + Step * static_cast<std::int64_t>(I);
      Down[I] = Start + Step * static_cast<std::int64_t>(Symbols - 1 - I);
    }
    Add(Up);
    Add(Down);
  }
  // One long side: some operators do another thing where a side is the longest.
  for (std::size_t Long = 0; Long < Symbols && Symbols > 1; ++Long) {
    Shape At;
    for (std::size_t I = 0; I < Symbols; ++I) {
      const std::int64_t Span = Box.Ranges[I].High - Box.Ranges[I].Low;
      At.push_back(Box.Ranges[I].Low +
                   (I == Long ? std::min<std::int64_t>(Span * 2 / 3, 600) : std::min<std::int64_t>(Span / 8, 40)));
    }
    Add(At);
  }
  return Found;
}

std::optional<Polynomial> Recovery::fitConsistently(const Shape &Base, std::size_t Index, const Region &Where,
                                                    const std::vector<SymbolUse> &Uses) {
  constexpr std::chrono::microseconds Fitting{40};
  Sample.spend(Fitting);
  std::optional<Polynomial> Fitted = fitNear(Base, Uses, Index, Sample);
  if (!Fitted)
    return std::nullopt;
  Formula Alone(atomsOf(Uses), {*Fitted});
  Domain Near;
  for (std::size_t I = 0; I < Symbols; ++I) {
    std::int64_t Reach = Uses[I].Active ? 7 : 0;
    Near.Ranges.push_back({Base[I], std::min(Base[I] + Reach, std::max(Base[I], Where.Box.Ranges[I].High))});
  }
  ShapeSource Source(Options.Seed);
  std::vector<Shape> Around;
  for (unsigned I = 0; I < Neighbours; ++I)
    if (Shape At = Source.draw(Near); Where.holds(At))
      Around.push_back(std::move(At));
  Sample.prefetch(Around);
  for (const Shape &At : Around)
    if (!holdsAt(Alone, At, Index))
      return std::nullopt;
  return Fitted;
}

/// The piece at Base, and further pieces seen from shapes at which the output is beyond all pieces so far.
std::vector<Polynomial> Recovery::growPieces(const Shape &Base, std::size_t Index, const Region &Where,
                                             const std::vector<SymbolUse> &Uses, const std::vector<Shape> &Explored,
                                             bool Least) {
  std::vector<Polynomial> Pieces;
  std::optional<Polynomial> First = fitConsistently(Base, Index, Where, Uses);
  if (!First)
    return Pieces;
  Pieces.push_back(*First);
  Sample.prefetch(Explored);
  std::vector<Atom> Atoms = atomsOf(Uses);
  unsigned Tries = 0, InVain = 0;
  for (const Shape &At : Explored) {
    if (Pieces.size() >= Options.MaxPieces || Tries > 4 * Options.MaxPieces || InVain >= TriesInVain ||
        Sample.outOfTime())
      break;
    std::optional<std::int64_t> Value = Sample(At, Index);
    if (Formula SoFar(Atoms, Pieces, Least); !Value || !SoFar.before(Rational(*Value), SoFar.evaluate(At)))
      continue;
    ++Tries;
    ++InVain;
    Shape Here = At;
    for (std::size_t I = 0; I < Symbols; ++I)
      if (Uses[I].Active)
        Here[I] = std::max(Where.Box.Ranges[I].Low, At[I] - 2);
    std::optional<Polynomial> Piece = fitConsistently(Here, Index, Where, Uses);
    if (!Piece && Unlike.size() < MaxUnlike)
      Unlike.push_back(At);
    if (!Piece || std::find(Pieces.begin(), Pieces.end(), *Piece) != Pieces.end())
      continue;
    // Where the pieces so far are right a further one must not be beyond: then it is no phase but another regime.
    Formula Before(Atoms, Pieces, Least), Alone(Atoms, {*Piece});
    bool Contradicts = std::any_of(Explored.begin(), Explored.end(), [&](const Shape &There) {
      return holdsAt(Before, There, Index) && Before.before(Alone.evaluate(There), Before.evaluate(There));
    });
    if (!Contradicts) {
      Pieces.push_back(*Piece);
      InVain = 0;
    }
  }
  // Drop what another piece made superfluous; the first stays first.
  for (std::size_t I = Pieces.size(); I-- > 1;) {
    std::vector<Polynomial> Fewer = Pieces;
    Fewer.erase(Fewer.begin() + static_cast<std::ptrdiff_t>(I));
    Formula Without(Atoms, Fewer, Least), With(Atoms, Pieces, Least);
    if (std::all_of(Explored.begin(), Explored.end(),
                    [&](const Shape &At) { return Without.evaluate(At) == With.evaluate(At); }))
      Pieces = std::move(Fewer);
  }
  return Pieces;
}

std::optional<Recovered> Recovery::propose(std::size_t Index, const Region &Where, const std::vector<SymbolUse> &Uses,
                                           bool MayCut, std::vector<Shape> &Explored) {
  std::vector<Atom> Atoms = atomsOf(Uses);
  std::vector<std::vector<Polynomial>> Known;
  // What holds in a part only is seen from there; what holds everywhere from anywhere.
  std::size_t Tried = 0, MostRight = 0;
  for (const Shape &Base : bases(Where.Box)) {
    if (Sample.outOfTime() ||
        (!MayCut && (Tried >= BasesOfAll || (Tried >= BasesOfCaps && MostRight > Explored.size() / 2))))
      return std::nullopt;
    if (Where.Contains && !Where.Contains(Base))
      continue;
    const unsigned Last = Tried++ < BasesOfCaps ? 2 * Rounds : Rounds;
    for (unsigned Round = 0; Round < Last; ++Round) {
      // The greatest first: caps are rarer than phases.
      const bool Least = Round >= Rounds;
      std::vector<Polynomial> Pieces = growPieces(Base, Index, Where, Uses, Explored, Least);
      if (Pieces.empty())
        break;
      std::size_t Before = Explored.size();
      const bool New = std::find(Known.begin(), Known.end(), Pieces) == Known.end() && !(Least && Pieces.size() == 1);
      if (New) {
        Known.push_back(Pieces);
        Formula Proposal(Atoms, Pieces, Least);
        if (std::optional<Recovered> Found = cutAndVerify(Proposal, Index, Where, MayCut, Explored))
          return Found;
        if (!MayCut) {
          auto Right = std::count_if(Explored.begin(), Explored.end(),
                                     [&](const Shape &At) { return holdsAt(Proposal, At, Index); });
          Refuted.push_back({std::move(Proposal), static_cast<std::size_t>(Right)});
          MostRight = std::max(MostRight, Refuted.back().Right);
        }
      }
      // A piece may overshoot elsewhere: then the one at the base alone, in a smaller domain.
      if (MayCut && New && Pieces.size() > 1)
        if (std::optional<Recovered> Found =
                cutAndVerify(Formula(Atoms, {Pieces.front()}), Index, Where, MayCut, Explored))
          return Found;
      if (Explored.size() == Before && !Least)
        Round = Rounds - 1; // nothing learnt that another round could use
      else if (Explored.size() == Before)
        break;
    }
  }
  return std::nullopt;
}

/// The values of symbols that are held.
Shape Recovery::heldShape(const Domain &Box) const {
  return Options.Anchor.empty() ? Box.clamped(Shape(Symbols, 100)) : Options.Anchor;
}

/// Where all symbols but those Free are held.
Recovery::Region Recovery::holding(const Region &Where, const std::vector<std::size_t> &Free) const {
  Region Slice = Where;
  Shape Held = heldShape(Where.Box);
  for (std::size_t I = 0; I < Symbols; ++I)
    if (std::find(Free.begin(), Free.end(), I) == Free.end())
      Slice.Box.Ranges[I] = {Held[I], Held[I]};
  return Slice;
}

std::optional<Recovered> Recovery::recover(std::size_t Index) {
  if (Symbols == 0 || (!Options.Toward.empty() && !hasWay()))
    return std::nullopt;
  return search(Index, inBox(Whole));
}

/// All shapes of a box that samples may be taken from.
Recovery::Region Recovery::inBox(const Domain &Box) const {
  if (Options.Toward.empty())
    return {Box, {}};
  return {Box, [Way = Options.Toward](const Shape &At) { return Way.isNear(At); }};
}

std::optional<Recovered> Recovery::recoverWithin(std::size_t Index, const Recovered &Peak) {
  if (Symbols == 0)
    return std::nullopt;
  Region Where = inBox(Peak.Valid);
  if (Peak.Value.pieces().size() > 1) {
    Shape From = Options.Toward.empty() ? Options.Anchor : Options.Toward.end();
    if (From.empty())
      for (const Range &R : Peak.Valid.Ranges)
        From.push_back(R.High);
    std::size_t Piece = Peak.Value.chosen(From);
    const Formula &All = Peak.Value;
    std::vector<Polynomial> Rest = All.pieces();
    Rest.erase(Rest.begin() + static_cast<std::ptrdiff_t>(Piece));
    // Where two phases are equal the first to reach the peak is taken, which need not be this one.
    Where.Contains = [Alone = Formula(All.atoms(), {All.pieces()[Piece]}),
                      Others = Formula(All.atoms(), std::move(Rest), All.isLeast()),
                      Anywhere = std::move(Where.Contains)](const Shape &At) {
      return Others.before(Alone.evaluate(At), Others.evaluate(At)) && (!Anywhere || Anywhere(At));
    };
  }
  return search(Index, Where);
}

} // namespace memshape
