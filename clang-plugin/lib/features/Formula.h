//===- Formula.h - Integer polynomials in shape symbols -------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An immutable value: operations return nothing where a coefficient would leave 64 bits or the polynomial would grow
// past what a person reads. What is not polynomial (a quotient, a maximum) enters as a symbol whose name is its text.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_FEATURES_FORMULA_H
#define MEMSHAPE_FEATURES_FORMULA_H

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

class Formula {
public:
  using Monomial = std::vector<std::pair<Symbol, unsigned>>; ///< sorted by symbol, exponents > 0

  Formula() = default; ///< zero
  static Formula constant(std::int64_t Value);
  static Formula symbol(const std::string &Name, unsigned Rank);

  std::optional<std::int64_t> asConstant() const;
  bool operator==(const Formula &) const = default;
  bool mentionsLoops() const;

  /// `4*ni*nx*ns + 16`: highest degree first.
  std::string text() const;
  /// text(), in parentheses where it would bind wrongly as a factor.
  std::string factorText() const;

  friend std::optional<Formula> operator+(const Formula &A, const Formula &B);
  friend std::optional<Formula> operator*(const Formula &A, const Formula &B);

  /// Integer division: exact where every coefficient divides, else the symbol `floor(A/B)`.
  static std::optional<Formula> quotient(const Formula &A, const Formula &B);
  /// `Name(A, B)` as a symbol, folded for constants and equal arguments.
  static std::optional<Formula> maximum(const Formula &A, const Formula &B);
  static std::optional<Formula> minimum(const Formula &A, const Formula &B);
  static std::optional<Formula> composed(const std::string &Text);

  /// The formula with Replacement in the place of Name.
  std::optional<Formula> substitute(const Symbol &Name, const Formula &Replacement) const;
  /// Symbols of counted loops, and whether each occurs with positive coefficients alone.
  std::map<Symbol, bool> loopSymbols() const;

private:
  std::optional<Formula> checked() const;
  std::map<Monomial, std::int64_t> Terms; ///< no zero coefficients
};

std::optional<Formula> operator-(const Formula &A, const Formula &B);

using MaybeFormula = std::optional<Formula>;

/// The operations on values that may be unknown: unknown if one operand is.
MaybeFormula add(const MaybeFormula &A, const MaybeFormula &B);
MaybeFormula subtract(const MaybeFormula &A, const MaybeFormula &B);
MaybeFormula multiply(const MaybeFormula &A, const MaybeFormula &B);

} // namespace memshape::ast

#endif // MEMSHAPE_FEATURES_FORMULA_H
