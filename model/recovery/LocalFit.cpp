// The polynomial through a few neighbouring shapes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/recovery/LocalFit.h"

#include <algorithm>

namespace memshape {

namespace {

constexpr unsigned MaxDegree = 4;
/// More lattice points than this are answered by a lower degree.
constexpr std::size_t MaxPoints = 1200;

/// One direction of the lattice.
struct Direction {
  std::size_t Symbol = 0;
  std::vector<std::int64_t> Nodes; ///< the direction's values, one more than its degree
  Polynomial InAtoms;              ///< the direction's value in terms of atoms
  /// The value is a factor: InAtoms is its product with the value of the direction before it.
  bool Factor = false;
};

std::vector<Direction> directionsOf(const Shape &Base, const std::vector<SymbolUse> &Uses) {
  std::vector<Atom> Atoms = atomsOf(Uses);
  std::size_t NextRounded = Uses.size();
  std::vector<Direction> Directions;
  for (std::size_t I = 0; I < Uses.size(); ++I) {
    const Atom &Rounding = Uses[I].Rounding;
    bool Rounded = !Rounding.isSymbol();
    std::size_t RoundedAtom = Rounded ? NextRounded++ : 0;
    if (!Uses[I].Active)
      continue;
    Polynomial Symbol = Polynomial::variable(Atoms.size(), I);
    if (!Rounded) {
      Direction Plain{I, {}, Symbol};
      for (unsigned K = 0; K <= MaxDegree; ++K)
        Plain.Nodes.push_back(Base[I] + K);
      Directions.push_back(std::move(Plain));
      continue;
    }
    Polynomial Block = Polynomial::variable(Atoms.size(), RoundedAtom);
    Direction Blocks{I, {}, Block}, Rest{I, {}, Polynomial(Atoms.size())};
    unsigned RestDegree = MaxDegree;
    if (const auto *Floor = Rounding.as<rounding::Blocks>()) {
      // symbol = Size*block - Offset + rest, with 0 <= rest < Size
      std::int64_t First = Rounding.evaluate(Base).value_or(1) + 1;
      for (unsigned K = 0; K <= MaxDegree; ++K)
        Blocks.Nodes.push_back(First + K);
      RestDegree = static_cast<unsigned>(std::min<std::int64_t>(MaxDegree, Floor->Size - 1));
      Rest.InAtoms =
          Symbol + Block.scaled(Rational(-Floor->Size)) + Polynomial::constant(Atoms.size(), Rational(Floor->Offset));
    } else if (const auto *Halving = Rounding.as<rounding::Halved>()) {
      // symbol = end*2^k: odd ends above the threshold are ends for all k
      for (std::int64_t End = Halving->End + 1 + Halving->End % 2; Blocks.Nodes.size() <= MaxDegree; End += 2)
        Blocks.Nodes.push_back(End);
      for (unsigned K = 0; K <= MaxDegree; ++K)
        Rest.Nodes.push_back(std::int64_t(1) << K);
      Rest.InAtoms = Symbol;
      Rest.Factor = true;
      Directions.push_back(std::move(Blocks));
      Directions.push_back(std::move(Rest));
      continue;
    } else {
      // symbol = power - rest, with rest < power/2
      std::int64_t First = std::max<std::int64_t>(16, Rounding.evaluate(Base).value_or(16));
      for (unsigned K = 0; K <= MaxDegree; ++K)
        Blocks.Nodes.push_back(First << K);
      Rest.InAtoms = Block + Symbol.scaled(Rational(-1));
    }
    for (unsigned K = 0; K <= RestDegree; ++K)
      Rest.Nodes.push_back(K);
    Directions.push_back(std::move(Blocks));
    Directions.push_back(std::move(Rest));
  }
  return Directions;
}

/// A lattice point: the number of its node in each direction, three bits each, the first direction on top. Points of
/// one lattice are in ascending order.
using Point = std::uint64_t;
constexpr unsigned BitsPerNode = 3;
static_assert(MaxDegree < 1 << BitsPerNode);
constexpr std::size_t MaxDirections = 64 / BitsPerNode;

class Lattice {
public:
  /// All points whose numbers sum up to Degree at most.
  Lattice(const std::vector<Direction> &Directions, unsigned Degree) : Directions(Directions) {
    enumerate(0, Degree, 0);
  }

  unsigned node(Point At, std::size_t D) const {
    return static_cast<unsigned>(At >> shiftOf(D)) & ((1 << BitsPerNode) - 1);
  }
  /// The place in Points of the point one node below in direction D, which there has to be.
  std::size_t below(std::size_t Place, std::size_t D) const {
    Point Wanted = Points[Place] - (Point(1) << shiftOf(D));
    auto End = Points.begin() + static_cast<std::ptrdiff_t>(Place);
    return static_cast<std::size_t>(std::lower_bound(Points.begin(), End, Wanted) - Points.begin());
  }

  std::vector<Point> Points;

private:
  std::size_t shiftOf(std::size_t D) const { return BitsPerNode * (Directions.size() - 1 - D); }
  void enumerate(std::size_t D, unsigned Left, Point Prefix) {
    if (D == Directions.size()) {
      Points.push_back(Prefix);
      return;
    }
    for (unsigned K = 0; K <= Left && K < Directions[D].Nodes.size(); ++K)
      enumerate(D + 1, Left - K, Prefix << BitsPerNode | K);
  }

  const std::vector<Direction> &Directions;
};

/// Number of lattice points of a total degree, without the caps of single directions.
std::size_t latticeSize(std::size_t Directions, unsigned Degree) {
  std::size_t Count = 1;
  for (unsigned K = 1; K <= Degree; ++K)
    Count = Count * (Directions + K) / K;
  return Count;
}

Shape shapeAt(Point At, const Lattice &Of, const Shape &Base, const std::vector<Direction> &Directions,
              const std::vector<SymbolUse> &Uses) {
  Shape S = Base;
  for (std::size_t D = 0; D < Directions.size(); ++D) {
    std::size_t Symbol = Directions[D].Symbol;
    std::int64_t Value = Directions[D].Nodes[Of.node(At, D)];
    const Atom &Rounding = Uses[Symbol].Rounding;
    if (Rounding.isSymbol()) {
      S[Symbol] = Value;
      continue;
    }
    std::int64_t Rest = Directions[D + 1].Nodes[Of.node(At, D + 1)];
    if (const auto *Floor = Rounding.as<rounding::Blocks>())
      S[Symbol] = Floor->Size * Value - Floor->Offset + Rest;
    else
      S[Symbol] = Rounding.as<rounding::Halved>() ? Value * Rest : Value - Rest;
    ++D;
  }
  return S;
}

/// Values on a lattice, changed in place, one direction after the other.
class Interpolation {
public:
  Interpolation(const Lattice &Of, const std::vector<Direction> &Directions, std::vector<Rational> Values)
      : Values(std::move(Values)), Of(Of), Directions(Directions), Below(Directions.size()) {
    for (std::size_t D = 0; D < Directions.size(); ++D) {
      Below[D].resize(Of.Points.size());
      for (std::size_t Place = 0; Place < Of.Points.size(); ++Place)
        if (nodeAt(Place, D))
          Below[D][Place] = Of.below(Place, D);
    }
  }

  /// Values at nodes become coefficients of Newton's products.
  void divideDifferences(std::size_t D) {
    const std::vector<std::int64_t> &Nodes = Directions[D].Nodes;
    // Highest node first: a difference needs what stands below it as it was.
    for (unsigned Order = 1; Order < Nodes.size(); ++Order)
      for (std::size_t Place = Values.size(); Place-- > 0;)
        if (unsigned Node = nodeAt(Place, D); Node >= Order)
          Values[Place] = (Values[Place] - Values[Below[D][Place]]) / Rational(Nodes[Node] - Nodes[Node - Order]);
  }

  /// These become coefficients of powers, from the innermost product out: c0 + (v - n0)*(c1 + (v - n1)*(c2 + ...)).
  void expandProducts(std::size_t D) {
    const std::vector<std::int64_t> &Nodes = Directions[D].Nodes;
    for (std::size_t Innermost = Nodes.size() - 1; Innermost-- > 0;)
      for (std::size_t Place = 0; Place < Values.size(); ++Place)
        if (nodeAt(Place, D) > Innermost && !Values[Place].isZero()) {
          Rational &Lower = Values[Below[D][Place]];
          Lower = Lower - Values[Place] * Rational(Nodes[Innermost]);
        }
  }

  unsigned nodeAt(std::size_t Place, std::size_t D) const { return Of.node(Of.Points[Place], D); }
  std::vector<Rational> Values; ///< by place in the lattice

private:
  const Lattice &Of;
  const std::vector<Direction> &Directions;
  std::vector<std::vector<std::size_t>> Below; ///< by direction and place
};

} // namespace

std::vector<Atom> atomsOf(const std::vector<SymbolUse> &Uses) {
  std::vector<Atom> Atoms;
  for (std::size_t I = 0; I < Uses.size(); ++I)
    Atoms.push_back({rounding::None(), I});
  for (const SymbolUse &Use : Uses)
    if (!Use.Rounding.isSymbol())
      Atoms.push_back(Use.Rounding);
  return Atoms;
}

std::optional<Polynomial> fitNear(const Shape &Base, const std::vector<SymbolUse> &Uses, std::size_t Output,
                                  Sampler &Sample) {
  std::vector<Direction> Directions = directionsOf(Base, Uses);
  std::size_t AtomCount = atomsOf(Uses).size();
  if (Directions.size() > MaxDirections)
    return std::nullopt;
  unsigned Degree = MaxDegree;
  while (Degree > 1 && latticeSize(Directions.size(), Degree) > MaxPoints)
    --Degree;

  Lattice Of(Directions, Degree);
  std::vector<Shape> Shapes;
  for (Point At : Of.Points)
    Shapes.push_back(shapeAt(At, Of, Base, Directions, Uses));
  Sample.prefetch(Shapes);
  std::vector<Rational> Values;
  for (const Shape &At : Shapes) {
    std::optional<std::int64_t> Value = Sample(At, Output);
    if (!Value)
      return std::nullopt;
    Values.emplace_back(*Value);
  }
  Interpolation Through(Of, Directions, std::move(Values));
  for (std::size_t D = 0; D < Directions.size(); ++D)
    Through.divideDifferences(D);
  for (std::size_t D = 0; D < Directions.size(); ++D)
    Through.expandProducts(D);

  Polynomial Sum(AtomCount);
  for (std::size_t Place = 0; Place < Of.Points.size(); ++Place) {
    if (Through.Values[Place].isZero())
      continue;
    Polynomial Term = Polynomial::constant(AtomCount, Through.Values[Place]);
    for (std::size_t D = 0; D < Directions.size(); ++D) {
      unsigned Power = Through.nodeAt(Place, D);
      // What a factor stands with is part of its product.
      if (D + 1 < Directions.size() && Directions[D + 1].Factor) {
        unsigned Products = Through.nodeAt(Place, D + 1);
        if (Products > Power)
          return std::nullopt;
        Power -= Products;
      }
      for (unsigned K = 0; K < Power; ++K)
        Term = Term * Directions[D].InAtoms;
    }
    Sum = Sum + Term;
  }
  if (!Sum.valid())
    return std::nullopt;
  return Sum;
}

} // namespace memshape
