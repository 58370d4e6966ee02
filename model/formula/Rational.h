// Exact fractions with checked arithmetic.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coefficients of formulas are exact. 128 bits hold every intermediate of a polynomial of degree four at shapes below
// 2^20; whatever does not fit makes the value invalid, and an invalid operand makes the result invalid, so that one
// test at the end of a computation is enough and nothing ever wraps.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace memshape {

__extension__ typedef __int128 Int128;

/// Decimal digits of Value.
std::string toDecimal(Int128 Value);

/// The number that toDecimal() has written; 0 where Text is something else.
Int128 fromDecimal(const std::string &Text);

class Rational {
public:
  Rational() = default;
  Rational(std::int64_t Value) : Num(Value) {}
  /// Num/Den in lowest terms; invalid when Den is 0.
  static Rational fraction(Int128 Num, Int128 Den);

  bool valid() const { return Den != 0; }
  bool isZero() const { return Den != 0 && Num == 0; }
  bool isInteger() const { return Den == 1; }
  Int128 numerator() const { return Num; }
  Int128 denominator() const { return Den; } ///< positive; 0 for an invalid value

  /// The value when it is an integer of 64 bits.
  std::optional<std::int64_t> toInt64() const;

  friend Rational operator+(const Rational &A, const Rational &B);
  friend Rational operator-(const Rational &A, const Rational &B);
  friend Rational operator*(const Rational &A, const Rational &B);
  /// Invalid when B is zero.
  friend Rational operator/(const Rational &A, const Rational &B);
  /// Invalid values are equal to nothing.
  friend bool operator==(const Rational &A, const Rational &B) {
    return A.valid() && B.valid() && A.Num == B.Num && A.Den == B.Den;
  }
  /// False when either is invalid or the comparison itself does not fit.
  friend bool operator<(const Rational &A, const Rational &B) {
    Rational Difference = A - B;
    return Difference.valid() && Difference.Num < 0;
  }

private:
  Int128 Num = 0;
  Int128 Den = 1;
};

} // namespace memshape
