// Integer polynomials in shape symbols.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "features/ShapeExpression.h"

#include <algorithm>

namespace memshape::ast {

namespace {

constexpr std::size_t MaxTerms = 48;
constexpr unsigned MaxDegree = 12;
constexpr std::size_t MaxComposedText = 160;

unsigned degree(const ShapeExpression::Monomial &M) {
  unsigned Sum = 0;
  for (const auto &[Name, Exponent] : M)
    Sum += Exponent;
  return Sum;
}

ShapeExpression::Monomial product(const ShapeExpression::Monomial &A, const ShapeExpression::Monomial &B) {
  std::map<Symbol, unsigned> Powers(A.begin(), A.end());
  for (const auto &[Name, Exponent] : B)
    Powers[Name] += Exponent;
  return {Powers.begin(), Powers.end()};
}

} // namespace

ShapeExpression ShapeExpression::constant(std::int64_t Value) {
  ShapeExpression Result;
  if (Value)
    Result.Terms[{}] = Value;
  return Result;
}

ShapeExpression ShapeExpression::symbol(const std::string &Name, unsigned Rank) {
  ShapeExpression Result;
  Result.Terms[{{Symbol{Rank, Name}, 1u}}] = 1;
  return Result;
}

std::optional<ShapeExpression> ShapeExpression::composed(const std::string &Text) {
  if (Text.size() > MaxComposedText)
    return std::nullopt;
  return symbol(Text, ComposedRank);
}

std::optional<std::int64_t> ShapeExpression::asConstant() const {
  if (Terms.empty())
    return 0;
  if (Terms.size() == 1 && Terms.begin()->first.empty())
    return Terms.begin()->second;
  return std::nullopt;
}

bool ShapeExpression::mentionsLoops() const { return !loopSymbols().empty(); }

std::map<Symbol, bool> ShapeExpression::loopSymbols() const {
  std::map<Symbol, bool> Found;
  for (const auto &[Powers, Coefficient] : Terms)
    for (const auto &[Name, Exponent] : Powers)
      if (Name.Rank == LoopRank) {
        bool &Positive = Found.try_emplace(Name, true).first->second;
        Positive = Positive && Coefficient > 0;
      }
  return Found;
}

std::optional<ShapeExpression> ShapeExpression::checked() const {
  if (Terms.size() > MaxTerms)
    return std::nullopt;
  for (const auto &[Powers, Coefficient] : Terms)
    if (degree(Powers) > MaxDegree)
      return std::nullopt;
  return *this;
}

std::optional<ShapeExpression> operator+(const ShapeExpression &A, const ShapeExpression &B) {
  ShapeExpression Sum = A;
  for (const auto &[Powers, Coefficient] : B.Terms) {
    std::int64_t &Slot = Sum.Terms[Powers];
    if (__builtin_add_overflow(Slot, Coefficient, &Slot))
      return std::nullopt;
    if (!Slot)
      Sum.Terms.erase(Powers);
  }
  return Sum.checked();
}

std::optional<ShapeExpression> operator*(const ShapeExpression &A, const ShapeExpression &B) {
  std::optional<ShapeExpression> Sum = ShapeExpression();
  for (const auto &[PowersA, CoefficientA] : A.Terms)
    for (const auto &[PowersB, CoefficientB] : B.Terms) {
      ShapeExpression Term;
      std::int64_t Coefficient;
      if (__builtin_mul_overflow(CoefficientA, CoefficientB, &Coefficient))
        return std::nullopt;
      Term.Terms[product(PowersA, PowersB)] = Coefficient;
      Sum = *Sum + Term;
      if (!Sum)
        return std::nullopt;
    }
  return Sum;
}

std::optional<ShapeExpression> operator-(const ShapeExpression &A, const ShapeExpression &B) {
  return add(A, ShapeExpression::constant(-1) * B);
}

std::optional<ShapeExpression> ShapeExpression::quotient(const ShapeExpression &A, const ShapeExpression &B) {
  std::optional<std::int64_t> Divisor = B.asConstant(), Dividend = A.asConstant();
  if (Divisor && *Divisor == 0)
    return std::nullopt;
  if (Divisor && Dividend)
    return constant(*Dividend / *Divisor);
  if (A == B)
    return constant(1);
  if (Divisor && *Divisor > 0) {
    ShapeExpression Exact;
    for (const auto &[Powers, Coefficient] : A.Terms) {
      if (Coefficient % *Divisor)
        return composed("floor(" + A.factorText() + "/" + B.text() + ")");
      Exact.Terms[Powers] = Coefficient / *Divisor;
    }
    return Exact;
  }
  return composed("floor(" + A.factorText() + "/" + B.divisorText() + ")");
}

namespace {
std::optional<ShapeExpression> chosen(const char *Function, bool Larger, const ShapeExpression &A,
                                      const ShapeExpression &B) {
  if (A == B)
    return A;
  std::optional<std::int64_t> X = A.asConstant(), Y = B.asConstant();
  if (X && Y)
    return ShapeExpression::constant(Larger ? std::max(*X, *Y) : std::min(*X, *Y));
  std::string Left = A.text(), Right = B.text();
  if (Y && !X)
    return ShapeExpression::composed(std::string(Function) + "(" + Left + ", " + Right + ")");
  if (X && !Y)
    std::swap(Left, Right);
  else if (Right < Left)
    std::swap(Left, Right);
  return ShapeExpression::composed(std::string(Function) + "(" + Left + ", " + Right + ")");
}
} // namespace

std::optional<ShapeExpression> ShapeExpression::maximum(const ShapeExpression &A, const ShapeExpression &B) {
  return chosen("max", true, A, B);
}
std::optional<ShapeExpression> ShapeExpression::minimum(const ShapeExpression &A, const ShapeExpression &B) {
  return chosen("min", false, A, B);
}

std::optional<ShapeExpression> ShapeExpression::substitute(const Symbol &Name,
                                                           const ShapeExpression &Replacement) const {
  std::optional<ShapeExpression> Sum = ShapeExpression();
  for (const auto &[Powers, Coefficient] : Terms) {
    std::optional<ShapeExpression> Term = constant(Coefficient);
    for (const auto &[Factor, Exponent] : Powers)
      for (unsigned I = 0; I < Exponent; ++I)
        Term = multiply(Term, Factor == Name ? Replacement : symbol(Factor.Name, Factor.Rank));
    Sum = add(Sum, Term);
  }
  return Sum;
}

std::string ShapeExpression::text() const {
  if (Terms.empty())
    return "0";
  std::vector<std::pair<Monomial, std::int64_t>> Ordered(Terms.begin(), Terms.end());
  std::sort(Ordered.begin(), Ordered.end(), [](const auto &A, const auto &B) {
    unsigned DegreeA = degree(A.first), DegreeB = degree(B.first);
    return DegreeA != DegreeB ? DegreeA > DegreeB : A.first < B.first;
  });
  std::string Result;
  for (const auto &[Powers, Coefficient] : Ordered) {
    bool Negative = Coefficient < 0;
    // In 128 bits, so that the smallest 64-bit number has an absolute value.
    __int128 Wide = Coefficient;
    auto Magnitude = static_cast<unsigned long long>(Negative ? -Wide : Wide);
    if (Result.empty())
      Result = Negative ? "-" : "";
    else
      Result += Negative ? " - " : " + ";
    std::string Term;
    if (Magnitude != 1 || Powers.empty())
      Term = std::to_string(Magnitude);
    for (const auto &[Name, Exponent] : Powers)
      for (unsigned I = 0; I < Exponent; ++I)
        Term += (Term.empty() ? "" : "*") + Name.Name;
    Result += Term;
  }
  return Result;
}

/// A product behind a division would be divided by its first factor alone.
std::string ShapeExpression::divisorText() const {
  const std::string Text = text();
  const bool IsOneFactor =
      asConstant() || (Terms.size() == 1 && degree(Terms.begin()->first) == 1 && Terms.begin()->second == 1);
  return IsOneFactor ? Text : "(" + Text + ")";
}

std::string ShapeExpression::factorText() const { return Terms.size() > 1 ? "(" + text() + ")" : text(); }

MaybeFormula add(const MaybeFormula &A, const MaybeFormula &B) { return A && B ? *A + *B : std::nullopt; }
MaybeFormula subtract(const MaybeFormula &A, const MaybeFormula &B) { return A && B ? *A - *B : std::nullopt; }
MaybeFormula multiply(const MaybeFormula &A, const MaybeFormula &B) { return A && B ? *A * *B : std::nullopt; }

} // namespace memshape::ast
