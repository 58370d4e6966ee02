// A formula, read from text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language of docs/formats.md (10): what memshape prints, and what other tools and people write about an operator.
// "28*a", "max(8*n^2, 4*n*m) + 44", "ceil(n/8)".

#pragma once

#include "model/formula/Polynomial.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memshape {

class Expression {
public:
  /// Nothing, and one line in Why, where Text is no formula.
  static std::optional<Expression> parse(std::string_view Text, std::string *Why = nullptr);

  /// Exact value at values of the symbols; nothing where a symbol is missing, where the formula has no value, where
  /// that is irrational, or where 128 bits do not hold it.
  std::optional<Rational> evaluateExactly(const std::map<std::string, std::int64_t> &Symbols) const;

  /// Value at values of the symbols: the exact one where there is one, otherwise computed in double precision. Nothing
  /// where a symbol is missing or the formula has no finite value.
  std::optional<double> evaluate(const std::map<std::string, double> &Symbols) const;

  /// The same as a polynomial in so many variables, where the symbols are these; nothing where it rounds, divides by a
  /// symbol, or is the greatest of several.
  std::optional<Polynomial> polynomial(std::size_t Variables, const std::map<std::string, Polynomial> &Symbols) const;

private:
  friend class ExpressionReader;
  enum class Kind {
    Number,
    Symbol,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Negate,
    Max,
    Min,
    Floor,
    Ceil,
    Truncate,
    Remainder,
    PowerOfTwo,
    Halved,
    Smooth,
    Above,
    IntegerRoot,
    IntegerLog2,
    Root,
    Log2
  };
  struct Step {
    Kind What;
    double Value = 0; ///< of Number
    Rational Exact;   ///< likewise; invalid where 128 bits do not hold it
    std::string Name; ///< of Symbol
  };
  template <class Number, class Symbols> std::optional<Number> run(const Symbols &At) const;
  template <class Number> static std::optional<Number> apply(Kind What, const Number &A, const Number &B);

  std::vector<Step> Steps; ///< operands before operators
};

} // namespace memshape
