//===- LocalFit.cpp - The polynomial through a few neighbouring shapes ----===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/LocalFit.h"

#include <algorithm>
#include <bit>
#include <map>

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
};

std::vector<Direction> directionsOf(const Shape &Base, const std::vector<SymbolUse> &Uses) {
  std::vector<Atom> Atoms = atomsOf(Uses);
  std::size_t NextRounded = Uses.size();
  std::vector<Direction> Directions;
  for (std::size_t I = 0; I < Uses.size(); ++I) {
    const Atom &Rounding = Uses[I].Rounding;
    bool Rounded = Rounding.What != Atom::Kind::Symbol;
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
    if (Rounding.What == Atom::Kind::Floor) {
      // symbol = Period*block - Offset + rest, with 0 <= rest < Period
      std::int64_t First = Rounding.evaluate(Base).value_or(1) + 1;
      for (unsigned K = 0; K <= MaxDegree; ++K)
        Blocks.Nodes.push_back(First + K);
      RestDegree = static_cast<unsigned>(std::min<std::int64_t>(MaxDegree, Rounding.Period - 1));
      Rest.InAtoms = Symbol + Block.scaled(Rational(-Rounding.Period)) +
                     Polynomial::constant(Atoms.size(), Rational(Rounding.Offset));
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

using Index = std::vector<unsigned>;

void enumerate(const std::vector<Direction> &Directions, unsigned Left, Index &Prefix, std::vector<Index> &Out) {
  if (Prefix.size() == Directions.size()) {
    Out.push_back(Prefix);
    return;
  }
  std::size_t Nodes = Directions[Prefix.size()].Nodes.size();
  for (unsigned K = 0; K <= Left && K < Nodes; ++K) {
    Prefix.push_back(K);
    enumerate(Directions, Left - K, Prefix, Out);
    Prefix.pop_back();
  }
}

/// Number of lattice points of a total degree, without the caps of single directions.
std::size_t latticeSize(std::size_t Directions, unsigned Degree) {
  std::size_t Count = 1;
  for (unsigned K = 1; K <= Degree; ++K)
    Count = Count * (Directions + K) / K;
  return Count;
}

Shape shapeAt(const Index &At, const Shape &Base, const std::vector<Direction> &Directions,
              const std::vector<SymbolUse> &Uses) {
  Shape S = Base;
  for (std::size_t D = 0; D < Directions.size(); ++D) {
    std::size_t Symbol = Directions[D].Symbol;
    std::int64_t Value = Directions[D].Nodes[At[D]];
    const Atom &Rounding = Uses[Symbol].Rounding;
    if (Rounding.What == Atom::Kind::Symbol) {
      S[Symbol] = Value;
      continue;
    }
    std::int64_t Rest = Directions[D + 1].Nodes[At[D + 1]];
    S[Symbol] = Rounding.What == Atom::Kind::Floor ? Rounding.Period * Value - Rounding.Offset + Rest : Value - Rest;
    ++D;
  }
  return S;
}

} // namespace

std::vector<Atom> atomsOf(const std::vector<SymbolUse> &Uses) {
  std::vector<Atom> Atoms;
  for (std::size_t I = 0; I < Uses.size(); ++I)
    Atoms.push_back({Atom::Kind::Symbol, I, 1, 0});
  for (const SymbolUse &Use : Uses)
    if (Use.Rounding.What != Atom::Kind::Symbol)
      Atoms.push_back(Use.Rounding);
  return Atoms;
}

std::optional<Polynomial> fitNear(const Shape &Base, const std::vector<SymbolUse> &Uses, std::size_t Output,
                                  Sampler &Sample) {
  std::vector<Direction> Directions = directionsOf(Base, Uses);
  std::size_t AtomCount = atomsOf(Uses).size();
  unsigned Degree = MaxDegree;
  while (Degree > 1 && latticeSize(Directions.size(), Degree) > MaxPoints)
    --Degree;

  std::vector<Index> Lattice;
  Index Prefix;
  enumerate(Directions, Degree, Prefix, Lattice);
  std::map<Index, Rational> Difference;
  std::vector<Shape> Points;
  for (const Index &At : Lattice)
    Points.push_back(shapeAt(At, Base, Directions, Uses));
  Sample.prefetch(Points);
  for (const Index &At : Lattice) {
    std::optional<std::int64_t> Value = Sample(shapeAt(At, Base, Directions, Uses), Output);
    if (!Value)
      return std::nullopt;
    Difference.emplace(At, Rational(*Value));
  }

  // Divided differences, one direction after the other, in place: highest node first.
  for (std::size_t D = 0; D < Directions.size(); ++D) {
    const std::vector<std::int64_t> &Nodes = Directions[D].Nodes;
    for (unsigned Order = 1; Order <= Degree; ++Order)
      for (auto Place = Lattice.rbegin(); Place != Lattice.rend(); ++Place) {
        unsigned Node = (*Place)[D];
        if (Node < Order)
          continue;
        Index Below = *Place;
        --Below[D];
        Rational &Here = Difference[*Place];
        Here = (Here - Difference[Below]) / Rational(Nodes[Node] - Nodes[Node - Order]);
      }
  }

  // Newton's products of (value - node), per direction and degree.
  std::vector<std::vector<Polynomial>> Products;
  for (const Direction &D : Directions) {
    std::vector<Polynomial> Rising{Polynomial::constant(AtomCount, Rational(1))};
    for (std::int64_t Node : D.Nodes)
      Rising.push_back(Rising.back() * (D.InAtoms + Polynomial::constant(AtomCount, Rational(-Node))));
    Products.push_back(std::move(Rising));
  }
  Polynomial Sum(AtomCount);
  for (const Index &At : Lattice) {
    const Rational &Coefficient = Difference[At];
    if (Coefficient.isZero())
      continue;
    Polynomial Term = Polynomial::constant(AtomCount, Coefficient);
    for (std::size_t D = 0; D < Directions.size(); ++D)
      if (At[D])
        Term = Term * Products[D][At[D]];
    Sum = Sum + Term;
  }
  if (!Sum.valid())
    return std::nullopt;
  return Sum;
}

} // namespace memshape
