// The variables of a formula.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An atom is a shape symbol, or what code makes of symbols before it multiplies: floor((n + 7)/8) blocks, the next
// power of two above n + m - 1, the next size with small factors, a size that is capped, a side at which halving ends.

#pragma once

#include "model/formula/Polynomial.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace memshape {

/// Values of the shape symbols, in the order of the operator's parameters.
using Shape = std::vector<std::int64_t>;

/// What code makes of x, a symbol or a polynomial in symbols.
namespace rounding {
/// x itself.
struct None {
  friend bool operator==(const None &, const None &) = default;
};
/// floor((x + Offset)/Size), 0 <= Offset < Size, or floor(x/symbol).
struct Blocks {
  std::int64_t Size = 1;
  std::int64_t Offset = 0;
  std::optional<std::size_t> SizeSymbol = {}; ///< in the place of Size, without an offset
  friend bool operator==(const Blocks &, const Blocks &) = default;
};
/// The least power of two that is not below x.
struct PowerOfTwo {
  friend bool operator==(const PowerOfTwo &, const PowerOfTwo &) = default;
};
/// x, divided by two as long as it is even and above End: where such a recursion ends.
struct Halved {
  std::int64_t End = 1;
  friend bool operator==(const Halved &, const Halved &) = default;
};
/// The least integer not below x whose prime factors are at most LargestPrime: sizes of transforms.
struct Smooth {
  std::int64_t LargestPrime = 2;
  friend bool operator==(const Smooth &, const Smooth &) = default;
};
/// floor(sqrt(x)).
struct Root {
  friend bool operator==(const Root &, const Root &) = default;
};
/// floor(log2(x)), 0 for 0.
struct Log2 {
  friend bool operator==(const Log2 &, const Log2 &) = default;
};
/// min(x, Cap).
struct Least {
  std::int64_t Cap = 1;
  friend bool operator==(const Least &, const Least &) = default;
};
/// 1 where x is above Limit, otherwise 0.
struct Above {
  std::int64_t Limit = 1;
  friend bool operator==(const Above &, const Above &) = default;
};
using Any = std::variant<None, Blocks, PowerOfTwo, Halved, Smooth, Root, Log2, Least, Above>;
} // namespace rounding

/// A variable of a formula. What is rounded is the symbol, or Inner where that is given.
struct Atom {
  rounding::Any How = rounding::None();
  std::size_t Symbol = 0;
  Polynomial Inner = Polynomial(); ///< in the symbols, with integers alone; of no variables: Symbol

  /// The rounding where it is of kind Kind, otherwise null.
  template <class Kind> const Kind *as() const { return std::get_if<Kind>(&How); }
  /// The shape symbol itself.
  bool isSymbol() const { return as<rounding::None>() != nullptr; }

  /// Value at a shape; nothing where there is none or it does not fit.
  std::optional<std::int64_t> evaluate(const Shape &At) const;
  std::string str(const std::vector<std::string> &SymbolNames) const;
  /// Its value may change with the symbol.
  bool dependsOn(std::size_t Symbol) const;
  bool hasInner() const { return Inner.variables() != 0; }
  friend bool operator==(const Atom &, const Atom &) = default;
};

} // namespace memshape
