// Sparse polynomials with exact coefficients.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/formula/Rational.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace memshape {

/// A polynomial in numbered variables. Immutable in spirit: operations give new values. A coefficient that does not fit
/// makes the polynomial invalid as a whole.
class Polynomial {
public:
  /// Exponent of every variable.
  using Monomial = std::vector<unsigned>;

  explicit Polynomial(std::size_t Variables = 0) : Variables(Variables) {}
  static Polynomial constant(std::size_t Variables, const Rational &Value);
  static Polynomial variable(std::size_t Variables, std::size_t Index);

  static Polynomial term(const Monomial &Powers, const Rational &Coefficient);

  const std::map<Monomial, Rational> &terms() const { return Terms; }
  /// In the order in which they are written: highest degree first.
  std::vector<std::pair<Monomial, Rational>> ordered() const;
  std::size_t variables() const { return Variables; }
  bool valid() const;
  bool isZero() const { return Terms.empty(); }
  std::size_t termCount() const { return Terms.size(); }
  unsigned degree() const;
  /// True when the variable stands in some term.
  bool dependsOn(std::size_t Index) const;

  friend Polynomial operator+(const Polynomial &A, const Polynomial &B);
  friend Polynomial operator*(const Polynomial &A, const Polynomial &B);
  Polynomial scaled(const Rational &Factor) const;
  /// The same in so many variables, of which number Places[i] is number i of this.
  Polynomial among(std::size_t Variables, const std::vector<std::size_t> &Places) const;
  /// Of all terms together: the least number that makes each coefficient whole.
  Int128 denominator() const;
  friend bool operator==(const Polynomial &A, const Polynomial &B) {
    return A.Variables == B.Variables && A.Terms == B.Terms;
  }

  /// The terms that A and B share, coefficients included.
  static Polynomial common(const Polynomial &A, const Polynomial &B);

  /// Exact value, invalid when an intermediate does not fit 128 bits.
  Rational evaluate(const std::vector<std::int64_t> &Values) const;

  /// As people write it: "48*ni*nx*ns + 44", highest degree first; fractions as "(n^2 + n)/2".
  std::string str(const std::vector<std::string> &Names) const;

private:
  void add(const Monomial &Powers, const Rational &Coefficient);

  std::size_t Variables;
  std::map<Monomial, Rational> Terms; ///< no zero coefficients
};

} // namespace memshape
