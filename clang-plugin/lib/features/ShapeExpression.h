// Integer polynomials in shape symbols.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An immutable value: operations return nothing where a coefficient would leave 64 bits or the polynomial would grow
// past what a person reads. What is not polynomial (a quotient, a maximum) enters as a symbol whose name is its text.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace memshape::ast {

/// A name in a formula. Rank orders names in print: parameters by their position, composed terms after them.
struct Symbol {
  unsigned Rank;
  std::string Name;
  auto operator<=>(const Symbol &) const = default;
};

inline constexpr unsigned ComposedRank = 1u << 16;
/// Variables of counted loops: they have bounds and never reach a reader.
inline constexpr unsigned LoopRank = 1u << 17;

class ShapeExpression {
public:
  using Monomial = std::vector<std::pair<Symbol, unsigned>>; ///< sorted by symbol, exponents > 0

  ShapeExpression() = default; ///< zero
  static ShapeExpression constant(std::int64_t Value);
  static ShapeExpression symbol(const std::string &Name, unsigned Rank);

  std::optional<std::int64_t> asConstant() const;
  bool operator==(const ShapeExpression &) const = default;
  bool mentionsLoops() const;

  /// `4*ni*nx*ns + 16`: highest degree first.
  std::string text() const;
  /// text(), in parentheses where it would bind wrongly as a factor.
  std::string factorText() const;
  /// text(), in parentheses where it would bind wrongly as a divisor.
  std::string divisorText() const;

  friend std::optional<ShapeExpression> operator+(const ShapeExpression &A, const ShapeExpression &B);
  friend std::optional<ShapeExpression> operator*(const ShapeExpression &A, const ShapeExpression &B);

  /// Integer division: exact where every coefficient divides, else the symbol `floor(A/B)`.
  static std::optional<ShapeExpression> quotient(const ShapeExpression &A, const ShapeExpression &B);
  /// `Name(A, B)` as a symbol, folded for constants and equal arguments.
  static std::optional<ShapeExpression> maximum(const ShapeExpression &A, const ShapeExpression &B);
  static std::optional<ShapeExpression> minimum(const ShapeExpression &A, const ShapeExpression &B);
  static std::optional<ShapeExpression> composed(const std::string &Text);

  /// The formula with Replacement in the place of Name.
  std::optional<ShapeExpression> substitute(const Symbol &Name, const ShapeExpression &Replacement) const;
  /// Symbols of counted loops, and whether each occurs with positive coefficients alone.
  std::map<Symbol, bool> loopSymbols() const;

private:
  std::optional<ShapeExpression> checked() const;
  std::map<Monomial, std::int64_t> Terms; ///< no zero coefficients
};

std::optional<ShapeExpression> operator-(const ShapeExpression &A, const ShapeExpression &B);

using MaybeFormula = std::optional<ShapeExpression>;

/// The operations on values that may be unknown: unknown if one operand is.
MaybeFormula add(const MaybeFormula &A, const MaybeFormula &B);
MaybeFormula subtract(const MaybeFormula &A, const MaybeFormula &B);
MaybeFormula multiply(const MaybeFormula &A, const MaybeFormula &B);

} // namespace memshape::ast
