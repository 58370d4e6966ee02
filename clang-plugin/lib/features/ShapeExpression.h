// Integer polynomials in shape symbols.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace memshape::ast {

/// A name in a formula. Rank orders names in print: parameters by their position.
struct Symbol {
  unsigned Rank;
  std::string Name;
  auto operator<=>(const Symbol &) const = default;
};

/// Variables of counted loops: they have bounds and never reach a reader.
inline constexpr unsigned LoopRank = 1u << 16;

struct ShapeExpression {
  using Monomial = std::vector<Symbol>;   ///< sorted; a symbol stands once for each of its powers
  std::map<Monomial, std::int64_t> Terms; ///< no zero coefficients

  static ShapeExpression constant(std::int64_t Value);
  static ShapeExpression symbol(const std::string &Name, unsigned Rank) { return {{{{{Rank, Name}}, 1}}}; }

  std::optional<std::int64_t> asConstant() const;
  bool operator==(const ShapeExpression &) const = default;
  /// Symbols of counted loops, and whether each occurs with positive coefficients alone.
  std::map<Symbol, bool> loopSymbols() const;
  /// `4*ni*nx*ns + 16`: highest degree first.
  std::string text() const;
};

using MaybeFormula = std::optional<ShapeExpression>;

/// Unknown if one operand is, if a coefficient would leave 64 bits, or if the polynomial would grow past what a person
/// reads.
MaybeFormula add(const MaybeFormula &A, const MaybeFormula &B);
MaybeFormula multiply(const MaybeFormula &A, const MaybeFormula &B);
MaybeFormula subtract(const MaybeFormula &A, const MaybeFormula &B);
/// Unknown where a coefficient is no multiple of By.
MaybeFormula divide(const MaybeFormula &A, std::int64_t By);
/// F with Replacement in the place of Name.
MaybeFormula substitute(const ShapeExpression &F, const Symbol &Name, const ShapeExpression &Replacement);

} // namespace memshape::ast
