//===- Atom.h - The variables of a formula --------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An atom is a shape symbol, or what code makes of symbols before it multiplies: floor((n + 7)/8) blocks, the next
// power of two above n + m - 1, the next size with small factors, a size that is capped, a side at which halving ends.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_MODEL_ATOM_H
#define MEMSHAPE_MODEL_ATOM_H

#include "model/formula/Polynomial.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memshape {

/// Values of the shape symbols, in the order of the operator's parameters.
using Shape = std::vector<std::int64_t>;

/// A variable of a formula. What is rounded is the symbol, or Inner where that is given.
struct Atom {
  enum class Kind {
    Symbol,     ///< the shape symbol itself
    Floor,      ///< floor((symbol + Offset)/Period), or /Divisor
    PowerOfTwo, ///< the least power of two that is not below the symbol
    Halved,     ///< the symbol, divided by two as long as it is even and above Period: where such a recursion ends
    Smooth,     ///< the least integer not below the symbol whose prime factors are at most Period: sizes of transforms
    Root,       ///< floor(sqrt(symbol))
    Log2,       ///< floor(log2(symbol)), 0 for 0
    Least,      ///< min(symbol, Period)
    Above       ///< 1 where the symbol is above Period, otherwise 0
  };
  Kind What = Kind::Symbol;
  std::size_t Symbol = 0;
  std::int64_t Period = 1;
  std::int64_t Offset = 0;                 ///< of Floor, 0 <= Offset < Period
  std::optional<std::size_t> Divisor = {}; ///< of Floor: a symbol in the place of Period
  Polynomial Inner = Polynomial();         ///< in the symbols, with integers alone; of no variables: Symbol

  /// Value at a shape; nothing where there is none or it does not fit.
  std::optional<std::int64_t> evaluate(const Shape &At) const;
  std::string str(const std::vector<std::string> &SymbolNames) const;
  bool hasInner() const { return Inner.variables() != 0; }
  friend bool operator==(const Atom &, const Atom &) = default;
};

} // namespace memshape

#endif // MEMSHAPE_MODEL_ATOM_H
