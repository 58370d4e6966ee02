// Bytes as a function of the shape.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A formula is the greatest of a few polynomials in atoms (Atom.h), because a peak is the greatest of an operator's
// phases; or the least of them, where sizes are capped.

#pragma once

#include "model/formula/Atom.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memshape {

/// Inclusive range of one shape symbol.
struct Range {
  std::int64_t Low = 1;
  std::int64_t High = INT64_MAX;
  friend bool operator==(const Range &, const Range &) = default;
};

/// One range per shape symbol.
struct Domain {
  std::vector<Range> Ranges;
  /// For each symbol the first one that it is equal to, itself where it is free; empty where all are.
  std::vector<std::size_t> Ties = {};
  bool contains(const Shape &At) const;
  /// At has equal values for symbols that are tied.
  bool isTied(const Shape &At) const;
  /// The same with the values of those that others are tied to.
  Shape tied(Shape At) const;
  /// Holds all of Other, but for extents of a few samples.
  bool nearlyHolds(const Domain &Other) const;
  /// The shapes that lie in both.
  Domain with(const Domain &Other) const;
  /// The nearest shape inside.
  Shape clamped(Shape At) const;
  /// "1 <= ni, nx <= 1000; ns = 3; out.rows = ni"
  std::string str(const std::vector<std::string> &SymbolNames) const;
  friend bool operator==(const Domain &, const Domain &) = default;
};

class Formula {
public:
  Formula() = default;
  Formula(std::vector<Atom> Atoms, std::vector<Polynomial> Pieces, bool Least = false)
      : Atoms(std::move(Atoms)), Pieces(std::move(Pieces)), Least(Least) {}

  const std::vector<Atom> &atoms() const { return Atoms; }
  const std::vector<Polynomial> &pieces() const { return Pieces; }

  /// The symbol stands in some term.
  bool dependsOn(std::size_t Symbol) const;

  /// Exact value, whatever its size up to 128 bits; an invalid value beyond.
  Rational evaluate(const Shape &At) const;
  /// True for the least of the pieces, false for the greatest.
  bool isLeast() const { return Least; }
  /// Index of the first piece that is greatest, or least, at a shape.
  std::size_t chosen(const Shape &At) const;
  /// True where A stands before B: the greater one, or the lesser.
  bool before(const Rational &A, const Rational &B) const { return Least ? A < B : B < A; }
  std::string str(const std::vector<std::string> &SymbolNames) const;

  /// A + B; nothing where both are the greatest, or least, of several polynomials.
  static std::optional<Formula> sum(const Formula &A, const Formula &B);

private:
  std::optional<std::vector<std::int64_t>> atomValues(const Shape &At) const;

  std::vector<Atom> Atoms;
  std::vector<Polynomial> Pieces; ///< in the atoms; at least one in a formula that holds something
  bool Least = false;
};

} // namespace memshape
