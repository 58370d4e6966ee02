// Sparse polynomials with exact coefficients.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/formula/Polynomial.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace memshape {

static unsigned totalDegree(const Polynomial::Monomial &Powers) {
  return std::accumulate(Powers.begin(), Powers.end(), 0u);
}

Polynomial Polynomial::constant(std::size_t Variables, const Rational &Value) {
  Polynomial P(Variables);
  P.add(Monomial(Variables, 0), Value);
  return P;
}

Polynomial Polynomial::variable(std::size_t Variables, std::size_t Index) {
  Polynomial P(Variables);
  Monomial Powers(Variables, 0);
  Powers[Index] = 1;
  P.add(Powers, Rational(1));
  return P;
}

Polynomial Polynomial::term(const Monomial &Powers, const Rational &Coefficient) {
  Polynomial P(Powers.size());
  P.add(Powers, Coefficient);
  return P;
}

void Polynomial::add(const Monomial &Powers, const Rational &Coefficient) {
  if (Coefficient.isZero())
    return;
  auto [Place, New] = Terms.try_emplace(Powers, Coefficient);
  if (New)
    return;
  Place->second = Place->second + Coefficient;
  if (Place->second.isZero())
    Terms.erase(Place);
}

bool Polynomial::valid() const {
  return std::all_of(Terms.begin(), Terms.end(), [](const auto &Term) { return Term.second.valid(); });
}

unsigned Polynomial::degree() const {
  unsigned Degree = 0;
  for (const auto &[Powers, Coefficient] : Terms)
    Degree = std::max(Degree, totalDegree(Powers));
  return Degree;
}

bool Polynomial::dependsOn(std::size_t Index) const {
  return std::any_of(Terms.begin(), Terms.end(), [&](const auto &Term) { return Term.first[Index] != 0; });
}

Polynomial operator+(const Polynomial &A, const Polynomial &B) {
  Polynomial Sum = A;
  for (const auto &[Powers, Coefficient] : B.Terms)
    Sum.add(Powers, Coefficient);
  return Sum;
}

Polynomial operator*(const Polynomial &A, const Polynomial &B) {
  Polynomial Product(A.Variables);
  for (const auto &[PowersA, CoefficientA] : A.Terms)
    for (const auto &[PowersB, CoefficientB] : B.Terms) {
      Polynomial::Monomial Powers = PowersA;
      for (std::size_t I = 0; I < Powers.size(); ++I)
        Powers[I] += PowersB[I];
      Product.add(Powers, CoefficientA * CoefficientB);
    }
  return Product;
}

Polynomial Polynomial::scaled(const Rational &Factor) const {
  Polynomial Result(Variables);
  for (const auto &[Powers, Coefficient] : Terms)
    Result.add(Powers, Coefficient * Factor);
  return Result;
}

Polynomial Polynomial::among(std::size_t All, const std::vector<std::size_t> &Places) const {
  Polynomial Result(All);
  for (const auto &[Powers, Coefficient] : Terms) {
    Monomial Moved(All, 0);
    for (std::size_t I = 0; I < Powers.size(); ++I)
      Moved[Places[I]] += Powers[I];
    Result.add(Moved, Coefficient);
  }
  return Result;
}

Int128 Polynomial::denominator() const {
  Int128 Denominator = 1;
  for (const auto &[Powers, Coefficient] : Terms)
    Denominator *= (Coefficient * Rational::fraction(Denominator, 1)).denominator();
  return Denominator;
}

Polynomial Polynomial::common(const Polynomial &A, const Polynomial &B) {
  Polynomial Shared(A.Variables);
  for (const auto &[Powers, Coefficient] : A.Terms)
    if (auto Place = B.Terms.find(Powers); Place != B.Terms.end() && Place->second == Coefficient)
      Shared.add(Powers, Coefficient);
  return Shared;
}

/// Of whole coefficients where all fits 64 bits, as it mostly does: a search for formulas evaluates millions of times.
static bool evaluateWhole(const std::map<Polynomial::Monomial, Rational> &Terms,
                          const std::vector<std::int64_t> &Values, std::int64_t &Sum) {
  Sum = 0;
  for (const auto &[Powers, Coefficient] : Terms) {
    auto Term = static_cast<std::int64_t>(Coefficient.numerator());
    if (!Coefficient.isInteger() || Term != Coefficient.numerator())
      return false;
    for (std::size_t I = 0; I < Powers.size(); ++I)
      for (unsigned K = 0; K < Powers[I]; ++K)
        if (__builtin_mul_overflow(Term, Values[I], &Term))
          return false;
    if (__builtin_add_overflow(Sum, Term, &Sum))
      return false;
  }
  return true;
}

Rational Polynomial::evaluate(const std::vector<std::int64_t> &Values) const {
  if (std::int64_t Whole; evaluateWhole(Terms, Values, Whole))
    return Whole;
  Rational Sum;
  for (const auto &[Powers, Coefficient] : Terms) {
    Rational Term = Coefficient;
    for (std::size_t I = 0; I < Powers.size(); ++I)
      for (unsigned K = 0; K < Powers[I]; ++K)
        Term = Term * Rational(Values[I]);
    Sum = Sum + Term;
  }
  return Sum;
}

std::vector<std::pair<Polynomial::Monomial, Rational>> Polynomial::ordered() const {
  std::vector<std::pair<Monomial, Rational>> Ordered(Terms.begin(), Terms.end());
  std::sort(Ordered.begin(), Ordered.end(), [](const auto &A, const auto &B) {
    unsigned DegreeA = totalDegree(A.first), DegreeB = totalDegree(B.first);
    return DegreeA != DegreeB ? DegreeA > DegreeB : A.first > B.first;
  });
  return Ordered;
}

std::string Polynomial::str(const std::vector<std::string> &Names) const {
  if (Terms.empty())
    return "0";
  if (!valid())
    return "?";
  // One denominator for all terms: n*(n+1)/2 reads better as (n^2 + n)/2 than with two fractions.
  const Int128 Denominator = denominator();

  const std::vector<std::pair<Monomial, Rational>> Ordered = ordered();
  std::string Text;
  for (const auto &[Powers, Coefficient] : Ordered) {
    Int128 Factor = (Coefficient * Rational::fraction(Denominator, 1)).numerator();
    bool Negative = Factor < 0;
    if (Negative)
      Factor = -Factor;
    if (Text.empty())
      Text += Negative ? "-" : "";
    else
      Text += Negative ? " - " : " + ";
    std::string Product;
    for (std::size_t I = 0; I < Powers.size(); ++I) {
      if (Powers[I] == 0)
        continue;
      if (!Product.empty())
        Product += "*";
      Product += Names[I];
      if (Powers[I] > 1)
        Product += "^" + std::to_string(Powers[I]);
    }
    if (Product.empty())
      Text += toDecimal(Factor);
    else if (Factor == 1)
      Text += Product;
    else
      Text += toDecimal(Factor) + "*" + Product;
  }
  if (Denominator == 1)
    return Text;
  return (Ordered.size() > 1 ? "(" + Text + ")" : Text) + "/" + toDecimal(Denominator);
}

} // namespace memshape
