//===- Atom.cpp - The variables of a formula ------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/formula/Atom.h"
#include "model/formula/IntegerFunctions.h"

#include <algorithm>

namespace memshape {

namespace {

Int128 floorOf(Int128 Number, Int128 Divisor) {
  Int128 Quotient = Number / Divisor;
  return Number % Divisor < 0 ? Quotient - 1 : Quotient;
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
    return nextPowerOfTwo(Value);
  case Kind::Halved:
    return halved(Value, Period);
  case Kind::Smooth:
    return nextSmooth(Value, Period);
  case Kind::Root:
    return integerRoot(Value);
  case Kind::Log2:
    return integerLog2(Value);
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
