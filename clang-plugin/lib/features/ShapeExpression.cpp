// Integer polynomials in shape symbols.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "features/ShapeExpression.h"

#include "llvm/ADT/STLExtras.h"

namespace memshape::ast {

ShapeExpression ShapeExpression::constant(std::int64_t Value) {
  ShapeExpression Result;
  if (Value)
    Result.Terms[{}] = Value;
  return Result;
}

std::optional<std::int64_t> ShapeExpression::asConstant() const {
  if (Terms.empty())
    return 0;
  return Terms.size() == 1 && Terms.begin()->first.empty() ? std::optional(Terms.begin()->second) : std::nullopt;
}

std::map<Symbol, bool> ShapeExpression::loopSymbols() const {
  std::map<Symbol, bool> Found;
  for (const auto &[Factors, Coefficient] : Terms)
    for (const Symbol &Name : Factors)
      if (Name.Rank == LoopRank) {
        bool &Positive = Found.try_emplace(Name, true).first->second;
        Positive = Positive && Coefficient > 0;
      }
  return Found;
}

std::string ShapeExpression::text() const {
  std::vector<std::pair<Monomial, std::int64_t>> Ordered(Terms.begin(), Terms.end());
  llvm::sort(Ordered, [](const auto &A, const auto &B) {
    return A.first.size() != B.first.size() ? A.first.size() > B.first.size() : A.first < B.first;
  });
  std::string Result;
  for (const auto &[Factors, Coefficient] : Ordered) {
    std::string Term = std::to_string(Coefficient);
    if (Coefficient < 0)
      Term.erase(0, 1);
    if (Term == "1" && !Factors.empty())
      Term.clear();
    for (const Symbol &Name : Factors)
      Term += (Term.empty() ? "" : "*") + Name.Name;
    Result += (Result.empty() ? (Coefficient < 0 ? "-" : "") : Coefficient < 0 ? " - " : " + ") + Term;
  }
  return Result.empty() ? "0" : Result;
}

MaybeFormula add(const MaybeFormula &A, const MaybeFormula &B) {
  constexpr std::size_t MaxTerms = 48;
  if (!A || !B)
    return std::nullopt;
  ShapeExpression Sum = *A;
  for (const auto &[Factors, Coefficient] : B->Terms) {
    std::int64_t &Slot = Sum.Terms[Factors];
    if (__builtin_add_overflow(Slot, Coefficient, &Slot))
      return std::nullopt;
    if (!Slot)
      Sum.Terms.erase(Factors);
  }
  return Sum.Terms.size() <= MaxTerms ? MaybeFormula(Sum) : std::nullopt;
}

MaybeFormula multiply(const MaybeFormula &A, const MaybeFormula &B) {
  constexpr std::size_t MaxDegree = 12;
  MaybeFormula Sum = A && B ? MaybeFormula(ShapeExpression()) : std::nullopt;
  if (Sum)
    for (const auto &[FactorsA, CoefficientA] : A->Terms)
      for (const auto &[FactorsB, CoefficientB] : B->Terms) {
        std::int64_t Coefficient;
        ShapeExpression::Monomial Factors = FactorsA;
        Factors.insert(Factors.end(), FactorsB.begin(), FactorsB.end());
        llvm::sort(Factors);
        if (__builtin_mul_overflow(CoefficientA, CoefficientB, &Coefficient) || Factors.size() > MaxDegree)
          return std::nullopt;
        Sum = add(Sum, ShapeExpression{{{std::move(Factors), Coefficient}}});
      }
  return Sum;
}

MaybeFormula subtract(const MaybeFormula &A, const MaybeFormula &B) {
  return add(A, multiply(B, ShapeExpression::constant(-1)));
}

MaybeFormula divide(const MaybeFormula &A, std::int64_t By) {
  MaybeFormula Result = By > 0 ? A : std::nullopt;
  if (Result)
    for (auto &[Factors, Coefficient] : Result->Terms) {
      if (Coefficient % By)
        return std::nullopt;
      Coefficient /= By;
    }
  return Result;
}

MaybeFormula substitute(const ShapeExpression &F, const Symbol &Name, const ShapeExpression &Replacement) {
  MaybeFormula Sum = ShapeExpression();
  for (const auto &[Factors, Coefficient] : F.Terms) {
    MaybeFormula Term = ShapeExpression::constant(Coefficient);
    for (const Symbol &Factor : Factors)
      Term = multiply(Term, Factor == Name ? Replacement : ShapeExpression::symbol(Factor.Name, Factor.Rank));
    Sum = add(Sum, Term);
  }
  return Sum;
}

} // namespace memshape::ast
