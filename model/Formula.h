//===- Formula.h - Bytes as a function of the shape -----------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A formula is the greatest of a few polynomials in atoms. An atom is a shape symbol, or what rounding makes of one:
// floor((n + 7)/8) blocks, the next power of two, the side at which a recursion into halves ends. The greatest, because
// a peak is the greatest of an operator's phases.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_MODEL_FORMULA_H
#define MEMSHAPE_MODEL_FORMULA_H

#include "model/Polynomial.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memshape {

/// Values of the shape symbols, in the order of the operator's parameters.
using Shape = std::vector<std::int64_t>;

/// A variable of a formula.
struct Atom {
  enum class Kind {
    Symbol,     ///< the shape symbol itself
    Floor,      ///< floor((symbol + Offset)/Period)
    PowerOfTwo, ///< the least power of two that is not below the symbol
    Halved      ///< the symbol, divided by two as long as it is even and above Period: where such a recursion ends
  };
  Kind What = Kind::Symbol;
  std::size_t Symbol = 0;
  std::int64_t Period = 1; ///< of Floor and Halved
  std::int64_t Offset = 0; ///< of Floor, 0 <= Offset < Period

  /// Value at a shape; nothing where it does not fit.
  std::optional<std::int64_t> evaluate(const Shape &At) const;
  std::string str(const std::vector<std::string> &SymbolNames) const;
  friend bool operator==(const Atom &, const Atom &) = default;
};

/// Inclusive range of one shape symbol.
struct Range {
  std::int64_t Low = 1;
  std::int64_t High = INT64_MAX;
  friend bool operator==(const Range &, const Range &) = default;
};

/// One range per shape symbol.
struct Domain {
  std::vector<Range> Ranges;
  bool contains(const Shape &At) const;
  /// "1 <= ni, nx <= 1000, ns = 3"
  std::string str(const std::vector<std::string> &SymbolNames) const;
};

class Formula {
public:
  Formula() = default;
  Formula(std::vector<Atom> Atoms, std::vector<Polynomial> Pieces)
      : Atoms(std::move(Atoms)), Pieces(std::move(Pieces)) {}

  const std::vector<Atom> &atoms() const { return Atoms; }
  const std::vector<Polynomial> &pieces() const { return Pieces; }

  /// Exact value, whatever its size up to 128 bits; an invalid value beyond.
  Rational evaluate(const Shape &At) const;
  /// Index of the first piece that is greatest at a shape.
  std::size_t greatest(const Shape &At) const;
  std::string str(const std::vector<std::string> &SymbolNames) const;

  /// A + B; nothing where both round differently or where the result would be no greatest of a few polynomials.
  static std::optional<Formula> sum(const Formula &A, const Formula &B);

private:
  std::optional<std::vector<std::int64_t>> atomValues(const Shape &At) const;

  std::vector<Atom> Atoms;
  std::vector<Polynomial> Pieces; ///< in the atoms; at least one in a formula that holds something
};

} // namespace memshape

#endif // MEMSHAPE_MODEL_FORMULA_H
