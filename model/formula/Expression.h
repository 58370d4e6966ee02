//===- Expression.h - A footprint formula, read from text ----------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What other tools and people write about an operator: "28*a", "max(8*n^2, 4*n*m) + 44", "ceil(n/8)". Formulas that
// memshape prints are of this kind.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_MODEL_EXPRESSION_H
#define MEMSHAPE_MODEL_EXPRESSION_H

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memshape {

class Expression {
public:
  /// Sums, products, quotients, powers, parentheses, max, min, floor, ceil, pow2ceil, halved, smooth,
  /// above, isqrt, ilog2, sqrt, log2. Nothing, and
  /// one line in Why, where Text is none.
  static std::optional<Expression> parse(std::string_view Text, std::string *Why = nullptr);

  /// Value at values of the symbols; nothing where a symbol is missing or the value is not finite.
  std::optional<double> evaluate(const std::map<std::string, double> &Symbols) const;

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
    double Value = 0;
    std::string Name;
  };
  std::vector<Step> Steps; ///< operands before operators
};

} // namespace memshape

#endif // MEMSHAPE_MODEL_EXPRESSION_H
