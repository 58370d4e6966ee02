// A formula, read from text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One evaluation for two kinds of numbers. What follows gives both the same operations; each says by isNumber() whether
// its result is one.

#include "model/formula/Expression.h"
#include "model/formula/IntegerFunctions.h"

#include <cmath>

namespace memshape {

/// Beyond it powers are left to double precision.
constexpr std::int64_t LargestExponent = 64;
/// Integers that a double holds, each of them.
constexpr double LargestWhole = 0x1p53;

static bool isNumber(double Value) { return std::isfinite(Value); }
static bool isNumber(const Rational &Value) { return Value.valid(); }

static double floorOf(double Value) { return std::floor(Value); }
static Rational floorOf(const Rational &Value) {
  if (!Value.valid())
    return Value;
  const Int128 Quotient = Value.numerator() / Value.denominator();
  return Rational::fraction(Value.numerator() % Value.denominator() < 0 ? Quotient - 1 : Quotient, 1);
}

static std::optional<std::int64_t> wholeOf(double Value) {
  if (std::abs(Value) >= 0x1p62 || std::floor(Value) != Value)
    return std::nullopt;
  return static_cast<std::int64_t>(Value);
}
static std::optional<std::int64_t> wholeOf(const Rational &Value) { return Value.toInt64(); }

static double powerOf(double Base, double Exponent) { return std::pow(Base, Exponent); }
static Rational powerOf(const Rational &Base, const Rational &Exponent) {
  const std::optional<std::int64_t> Times = Exponent.toInt64();
  if (!Times || *Times > LargestExponent || *Times < -LargestExponent)
    return Rational::fraction(0, 0);
  Rational Product(1);
  for (std::int64_t I = 0; I < std::abs(*Times); ++I)
    Product = Product * Base;
  return *Times < 0 ? Rational(1) / Product : Product;
}

static double rootOf(double Value) { return std::sqrt(Value); }
static Rational rootOf(const Rational &) { return Rational::fraction(0, 0); }
static double log2Of(double Value) { return std::log2(Value); }
static Rational log2Of(const Rational &) { return Rational::fraction(0, 0); }

static double quotientOf(double A, double B) { return A / B; }
static Rational quotientOf(const Rational &A, const Rational &B) { return A / B; }

template <class Number> static Number ceilOf(const Number &Value) { return Number(0) - floorOf(Number(0) - Value); }
template <class Number> static Number truncated(const Number &Value) {
  return Value < Number(0) ? ceilOf(Value) : floorOf(Value);
}

/// The difference tells which is less, where it is a number at all.
template <class Number> static std::optional<bool> isLess(const Number &A, const Number &B) {
  const Number Difference = A - B;
  return isNumber(Difference) ? std::optional(Difference < Number(0)) : std::nullopt;
}

template <class Number> std::optional<Number> Expression::apply(Kind What, const Number &A, const Number &B) {
  const auto OfWhole = [](std::optional<std::int64_t> Value, auto Function) -> std::optional<Number> {
    const std::optional<std::int64_t> Found = Value ? Function(*Value) : std::nullopt;
    return Found ? std::optional(Number(*Found)) : std::nullopt;
  };
  switch (What) {
  case Kind::Add: return A + B;
  case Kind::Subtract: return A - B;
  case Kind::Multiply: return A * B;
  case Kind::Divide: return quotientOf(A, B);
  case Kind::Power: return powerOf(A, B);
  case Kind::Negate: return Number(0) - B;
  case Kind::Max:
    if (const std::optional<bool> Less = isLess(A, B))
      return *Less ? B : A;
    return std::nullopt;
  case Kind::Min:
    if (const std::optional<bool> Less = isLess(B, A))
      return *Less ? B : A;
    return std::nullopt;
  case Kind::Above:
    if (const std::optional<bool> Less = isLess(B, A))
      return Number(*Less ? 1 : 0);
    return std::nullopt;
  case Kind::Floor: return floorOf(B);
  case Kind::Ceil: return ceilOf(B);
  case Kind::Truncate: return truncated(B);
  case Kind::Remainder: return A - B * truncated(quotientOf(A, B));
  case Kind::PowerOfTwo: return OfWhole(wholeOf(ceilOf(B)), nextPowerOfTwo);
  case Kind::IntegerRoot: return OfWhole(wholeOf(floorOf(B)), integerRoot);
  case Kind::IntegerLog2: return OfWhole(wholeOf(floorOf(B)), integerLog2);
  case Kind::Halved:
  case Kind::Smooth: {
    const std::optional<std::int64_t> By = wholeOf(floorOf(B));
    if (What == Kind::Halved && wholeOf(B) != By)
      return std::nullopt;
    return OfWhole(By ? wholeOf(What == Kind::Smooth ? ceilOf(A) : A) : std::nullopt, [&](std::int64_t Value) {
      return What == Kind::Smooth ? nextSmooth(Value, *By) : halved(Value, *By);
    });
  }
  case Kind::Root: return rootOf(B);
  case Kind::Log2: return log2Of(B);
  case Kind::Number:
  case Kind::Symbol: break;
  }
  return std::nullopt;
}

template <class Number, class Symbols> std::optional<Number> Expression::run(const Symbols &At) const {
  std::vector<Number> Stack;
  const auto Pop = [&] {
    Number Value = Stack.back();
    Stack.pop_back();
    return Value;
  };
  const auto TakesTwo = [](Kind What) {
    switch (What) {
    case Kind::Add:
    case Kind::Subtract:
    case Kind::Multiply:
    case Kind::Divide:
    case Kind::Power:
    case Kind::Max:
    case Kind::Min:
    case Kind::Above:
    case Kind::Remainder:
    case Kind::Halved:
    case Kind::Smooth: return true;
    default: return false;
    }
  };
  for (const Step &S : Steps) {
    std::optional<Number> Next;
    if (S.What == Kind::Number) {
      if constexpr (std::is_same_v<Number, double>)
        Next = S.Value;
      else
        Next = S.Exact;
    } else if (S.What == Kind::Symbol) {
      if (auto Place = At.find(S.Name); Place != At.end())
        Next = Number(Place->second);
    } else {
      const Number B = Pop();
      Next = apply(S.What, TakesTwo(S.What) ? Pop() : B, B);
    }
    if (!Next || !isNumber(*Next))
      return std::nullopt;
    Stack.push_back(std::move(*Next));
  }
  return Pop();
}

std::optional<Polynomial> Expression::polynomial(std::size_t Variables,
                                                 const std::map<std::string, Polynomial> &Symbols) const {
  constexpr std::int64_t HighestPower = 8;
  const auto ValueOf = [](const Polynomial &P) -> std::optional<Rational> {
    if (P.isZero())
      return Rational(0);
    return P.degree() == 0 ? std::optional(P.terms().begin()->second) : std::nullopt;
  };
  std::vector<Polynomial> Stack;
  for (const Step &S : Steps) {
    if (S.What == Kind::Number) {
      Stack.push_back(Polynomial::constant(Variables, S.Exact));
      continue;
    }
    if (S.What == Kind::Symbol) {
      const auto Place = Symbols.find(S.Name);
      if (Place == Symbols.end())
        return std::nullopt;
      Stack.push_back(Place->second);
      continue;
    }
    const Polynomial B = std::move(Stack.back());
    Stack.pop_back();
    if (S.What == Kind::Negate) {
      Stack.push_back(B.scaled(Rational(-1)));
      continue;
    }
    if (Stack.empty()) // a function of one argument: it rounds
      return std::nullopt;
    Polynomial &A = Stack.back();
    const std::optional<Rational> Constant = ValueOf(B);
    if (S.What == Kind::Add)
      A = A + B;
    else if (S.What == Kind::Subtract)
      A = A + B.scaled(Rational(-1));
    else if (S.What == Kind::Multiply)
      A = A * B;
    else if (S.What == Kind::Divide && Constant)
      A = A.scaled(Rational(1) / *Constant);
    else if (const std::optional<std::int64_t> Times = Constant ? Constant->toInt64() : std::nullopt;
             S.What == Kind::Power && Times && *Times >= 0 && *Times <= HighestPower) {
      const Polynomial Base = A;
      A = Polynomial::constant(Variables, Rational(1));
      for (std::int64_t I = 0; I < *Times; ++I)
        A = A * Base;
    } else
      return std::nullopt;
  }
  return Stack.back().valid() ? std::optional(std::move(Stack.back())) : std::nullopt;
}

std::optional<Rational> Expression::evaluateExactly(const std::map<std::string, std::int64_t> &Symbols) const {
  return run<Rational>(Symbols);
}

std::optional<double> Expression::evaluate(const std::map<std::string, double> &Symbols) const {
  std::map<std::string, std::int64_t> Whole;
  for (const auto &[Name, Value] : Symbols)
    if (std::abs(Value) <= LargestWhole && std::floor(Value) == Value)
      Whole.emplace(Name, static_cast<std::int64_t>(Value));
  if (const std::optional<Rational> Exact = evaluateExactly(Whole))
    return static_cast<double>(Exact->numerator()) / static_cast<double>(Exact->denominator());
  return run<double>(Symbols);
}

} // namespace memshape
