//===- Atom.cpp - The variables of a formula ------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/formula/Atom.h"

#include <algorithm>
#include <array>
#include <bit>

namespace memshape {

namespace {

/// Sizes with small factors are dense; beyond this they are not looked for.
constexpr std::int64_t LargestSmooth = std::int64_t(1) << 40;

Int128 floorOf(Int128 Number, Int128 Divisor) {
  Int128 Quotient = Number / Divisor;
  return Number % Divisor < 0 ? Quotient - 1 : Quotient;
}

constexpr std::int64_t OddPrimes[] = {3, 5, 7, 11, 13};

/// Products and what comes of multiplying them by odd primes up to Largest, none above End.
std::vector<std::int64_t> multiplied(std::vector<std::int64_t> Products, std::int64_t Largest, std::int64_t End) {
  for (std::int64_t Prime : OddPrimes)
    for (std::size_t I = 0; Prime <= Largest && I < Products.size(); ++I)
      if (Products[I] <= End / Prime)
        Products.push_back(Products[I] * Prime);
  return Products;
}

/// The extents of samples, and sums of them, are small: what comes next among those is looked up.
constexpr std::int64_t LookedUp = 1 << 14;

std::int64_t nextSmallSmooth(std::int64_t Value, std::int64_t Largest) {
  static const auto Tables = [] {
    std::vector<std::int64_t> Powers;
    for (std::int64_t Power = 1; Power <= LookedUp; Power *= 2)
      Powers.push_back(Power);
    std::array<std::vector<std::int64_t>, std::size(OddPrimes) + 1> Made;
    for (std::size_t I = 0; I < Made.size(); ++I) {
      Made[I] = multiplied(Powers, I ? OddPrimes[I - 1] : 2, LookedUp);
      std::sort(Made[I].begin(), Made[I].end());
    }
    return Made;
  }();
  const auto Which = std::upper_bound(std::begin(OddPrimes), std::end(OddPrimes), Largest) - std::begin(OddPrimes);
  const std::vector<std::int64_t> &Of = Tables[static_cast<std::size_t>(Which)];
  return *std::lower_bound(Of.begin(), Of.end(), Value);
}

/// The least product of prime factors up to Largest that is not below Value: odd ones, each filled with twos.
std::int64_t nextSmooth(std::int64_t Value, std::int64_t Largest) {
  if (Value <= LookedUp)
    return nextSmallSmooth(Value, Largest);
  std::int64_t Best = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(Value)));
  for (std::int64_t Product : multiplied({1}, Largest, Best)) {
    while (Product < Value)
      Product *= 2;
    Best = std::min(Best, Product);
  }
  return Best;
}

std::int64_t rootOf(std::int64_t Value) {
  std::int64_t Low = 0, High = 3037000499; // whose square is the last that fits
  while (Low < High) {
    std::int64_t Middle = Low + (High - Low + 1) / 2;
    if (Middle * Middle <= Value)
      Low = Middle;
    else
      High = Middle - 1;
  }
  return Low;
}

} // namespace

std::optional<std::int64_t> Atom::evaluate(const Shape &At) const {
  std::int64_t Value = 0;
  if (hasInner()) {
    std::optional<std::int64_t> Whole = Inner.evaluate(At).toInt64();
    if (!Whole)
      return std::nullopt;
    Value = *Whole;
  } else {
    Value = At[Symbol];
  }
  switch (What) {
  case Kind::Symbol:
    return Value;
  case Kind::Floor: {
    std::int64_t By = Divisor ? At[*Divisor] : Period;
    if (By <= 0)
      return std::nullopt;
    return static_cast<std::int64_t>(floorOf(Int128(Value) + Offset, By));
  }
  case Kind::PowerOfTwo:
    if (Value > (std::int64_t(1) << 62))
      return std::nullopt;
    return Value <= 1 ? 1 : static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(Value)));
  case Kind::Halved:
    while (Value > Period && Value % 2 == 0)
      Value /= 2;
    return Value;
  case Kind::Smooth:
    if (Value > LargestSmooth)
      return std::nullopt;
    return Value <= 1 ? 1 : nextSmooth(Value, Period);
  case Kind::Root:
    if (Value < 0)
      return std::nullopt;
    return rootOf(Value);
  case Kind::Log2:
    if (Value < 0)
      return std::nullopt;
    return Value == 0 ? 0 : std::bit_width(static_cast<std::uint64_t>(Value)) - 1;
  case Kind::Least:
    return std::min(Value, Period);
  case Kind::Above:
    return Value > Period ? 1 : 0;
  }
  return std::nullopt;
}

std::string Atom::str(const std::vector<std::string> &SymbolNames) const {
  const std::string Name = hasInner() ? Inner.str(SymbolNames) : SymbolNames[Symbol];
  const std::string Number = std::to_string(Period);
  switch (What) {
  case Kind::Symbol:
    return Name;
  case Kind::Floor: {
    const std::string Quotient = hasInner() && Inner.termCount() > 1 ? "(" + Name + ")/" : Name + "/";
    if (Divisor) {
      // (x + d - 1)/d
      const Polynomial One = Polynomial::constant(Inner.variables(), Rational(1));
      const Polynomial Up = Inner + One + Polynomial::variable(Inner.variables(), *Divisor).scaled(Rational(-1));
      if (!Up.dependsOn(*Divisor) && Inner.dependsOn(*Divisor))
        return "ceil(" + (Up.termCount() > 1 ? "(" + Up.str(SymbolNames) + ")/" : Up.str(SymbolNames) + "/") +
               SymbolNames[*Divisor] + ")";
      return "floor(" + Quotient + SymbolNames[*Divisor] + ")";
    }
    if (Offset == 0)
      return "floor(" + Quotient + Number + ")";
    if (Offset == Period - 1)
      return "ceil(" + Quotient + Number + ")";
    return "floor((" + Name + " + " + std::to_string(Offset) + ")/" + Number + ")";
  }
  case Kind::PowerOfTwo:
    return "pow2ceil(" + Name + ")";
  case Kind::Halved:
    return "halved(" + Name + ", " + Number + ")";
  case Kind::Smooth:
    return "smooth(" + Name + ", " + Number + ")";
  case Kind::Root:
    return "isqrt(" + Name + ")";
  case Kind::Log2:
    return "ilog2(" + Name + ")";
  case Kind::Least:
    return "min(" + Name + ", " + Number + ")";
  case Kind::Above:
    return "above(" + Name + ", " + Number + ")";
  }
  return "?";
}

} // namespace memshape
