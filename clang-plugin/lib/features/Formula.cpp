//===- Formula.cpp - Integer polynomials in shape symbols -----------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "features/Formula.h"

#include <algorithm>

namespace memshape::ast {

namespace {

constexpr std::size_t MaxTerms = 48;
constexpr unsigned MaxDegree = 12;
constexpr std::size_t MaxComposedText = 160;

unsigned degree(const Formula::Monomial &M) {
  unsigned Sum = 0;
  for (const auto &[Name, Exponent] : M)
    Sum += Exponent;
  return Sum;
}

Formula::Monomial product(const Formula::Monomial &A, const Formula::Monomial &B) {
  std::map<Symbol, unsigned> Powers(A.begin(), A.end());
  for (const auto &[Name, Exponent] : B)
    Powers[Name] += Exponent;
  return {Powers.begin(), Powers.end()};
}

} // namespace

Formula Formula::constant(std::int64_t Value) {
  Formula Result;
  if (Value)
    Result.Terms[{}] = Value;
  return Result;
}

Formula Formula::symbol(const std::string &Name, unsigned Rank) {
  Formula Result;
  Result.Terms[{{Symbol{Rank, Name}, 1u}}] = 1;
  return Result;
}

std::optional<Formula> Formula::composed(const std::string &Text) {
  if (Text.size() > MaxComposedText)
    return std::nullopt;
  return symbol(Text, ComposedRank);
}

std::optional<std::int64_t> Formula::asConstant() const {
  if (Terms.empty())
    return 0;
  if (Terms.size() == 1 && Terms.begin()->first.empty())
    return Terms.begin()->second;
  return std::nullopt;
}

bool Formula::mentionsLoops() const { return !loopSymbols().empty(); }

std::map<Symbol, bool> Formula::loopSymbols() const {
  std::map<Symbol, bool> Found;
  for (const auto &[Powers, Coefficient] : Terms)
    for (const auto &[Name, Exponent] : Powers)
      if (Name.Rank == LoopRank) {
        bool &Positive = Found.try_emplace(Name, true).first->second;
        Positive = Positive && Coefficient > 0;
      }
  return Found;
}

std::optional<Formula> Formula::checked() const {
  if (Terms.size() > MaxTerms)
    return std::nullopt;
  for (const auto &[Powers, Coefficient] : Terms)
    if (degree(Powers) > MaxDegree)
      return std::nullopt;
  return *this;
}

std::optional<Formula> operator+(const Formula &A, const Formula &B) {
  Formula Sum = A;
  for (const auto &[Powers, Coefficient] : B.Terms) {
    std::int64_t &Slot = Sum.Terms[Powers];
    if (__builtin_add_overflow(Slot, Coefficient, &Slot))
      return std::nullopt;
    if (!Slot)
      Sum.Terms.erase(Powers);
  }
  return Sum.checked();
}

std::optional<Formula> operator*(const Formula &A, const Formula &B) {
  std::optional<Formula> Sum = Formula();
  for (const auto &[PowersA, CoefficientA] : A.Terms)
    for (const auto &[PowersB, CoefficientB] : B.Terms) {
      Formula Term;
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

std::optional<Formula> operator-(const Formula &A, const Formula &B) { return add(A, Formula::constant(-1) * B); }

std::optional<Formula> Formula::quotient(const Formula &A, const Formula &B) {
  std::optional<std::int64_t> Divisor = B.asConstant(), Dividend = A.asConstant();
  if (Divisor && *Divisor == 0)
    return std::nullopt;
  if (Divisor && Dividend)
    return constant(*Dividend / *Divisor);
  if (A == B)
    return constant(1);
  if (Divisor && *Divisor > 0) {
    Formula Exact;
    for (const auto &[Powers, Coefficient] : A.Terms) {
      if (Coefficient % *Divisor)
        return composed("floor(" + A.factorText() + "/" + B.text() + ")");
      Exact.Terms[Powers] = Coefficient / *Divisor;
    }
    return Exact;
  }
  return composed("floor(" + A.factorText() + "/" + B.factorText() + ")");
}

namespace {
std::optional<Formula> chosen(const char *Function, bool Larger, const Formula &A, const Formula &B) {
  if (A == B)
    return A;
  std::optional<std::int64_t> X = A.asConstant(), Y = B.asConstant();
  if (X && Y)
    return Formula::constant(Larger ? std::max(*X, *Y) : std::min(*X, *Y));
  std::string Left = A.text(), Right = B.text();
  if (Y && !X)
    return Formula::composed(std::string(Function) + "(" + Left + ", " + Right + ")");
  if (X && !Y)
    std::swap(Left, Right);
  else if (Right < Left)
    std::swap(Left, Right);
  return Formula::composed(std::string(Function) + "(" + Left + ", " + Right + ")");
}
} // namespace

std::optional<Formula> Formula::maximum(const Formula &A, const Formula &B) { return chosen("max", true, A, B); }
std::optional<Formula> Formula::minimum(const Formula &A, const Formula &B) { return chosen("min", false, A, B); }

std::optional<Formula> Formula::substitute(const Symbol &Name, const Formula &Replacement) const {
  std::optional<Formula> Sum = Formula();
  for (const auto &[Powers, Coefficient] : Terms) {
    std::optional<Formula> Term = constant(Coefficient);
    for (const auto &[Factor, Exponent] : Powers)
      for (unsigned I = 0; I < Exponent; ++I)
        Term = multiply(Term, Factor == Name ? Replacement : symbol(Factor.Name, Factor.Rank));
    Sum = add(Sum, Term);
  }
  return Sum;
}

std::string Formula::text() const {
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

std::string Formula::factorText() const { return Terms.size() > 1 ? "(" + text() + ")" : text(); }

MaybeFormula add(const MaybeFormula &A, const MaybeFormula &B) { return A && B ? *A + *B : std::nullopt; }
MaybeFormula subtract(const MaybeFormula &A, const MaybeFormula &B) { return A && B ? *A - *B : std::nullopt; }
MaybeFormula multiply(const MaybeFormula &A, const MaybeFormula &B) { return A && B ? *A * *B : std::nullopt; }

} // namespace memshape::ast
