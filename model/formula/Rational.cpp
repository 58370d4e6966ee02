// Exact fractions with checked arithmetic.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/formula/Rational.h"

#include <algorithm>
#include <numeric>

namespace memshape {

/// Integers of 64 bits, of which sums and products need no further care.
static bool small(Int128 Value) { return Value == static_cast<std::int64_t>(Value); }

static std::uint64_t magnitude(Int128 Small) { return static_cast<std::uint64_t>(Small < 0 ? -Small : Small); }

constexpr Int128 Int128Max = static_cast<Int128>(~static_cast<unsigned __int128>(0) >> 1);

static bool add(Int128 A, Int128 B, Int128 &Sum) {
  if ((B > 0 && A > Int128Max - B) || (B < 0 && A < -Int128Max - B))
    return false;
  Sum = A + B;
  return true;
}

// By division: the compiler's builtin for 128 bits calls a function that libgcc does not have.
static bool multiply(Int128 A, Int128 B, Int128 &Product) {
  if (A == 0 || B == 0 || (small(A) && small(B))) {
    Product = A * B;
    return true;
  }
  Int128 AbsA = A < 0 ? -A : A, AbsB = B < 0 ? -B : B;
  if (AbsA > Int128Max / AbsB)
    return false;
  Product = A * B;
  return true;
}

static Int128 gcd(Int128 A, Int128 B) {
  // Divisions of 128 bits take many times as long as those of 64.
  if (small(A) && small(B))
    return Int128(std::gcd(magnitude(A), magnitude(B)));
  while (B != 0) {
    Int128 Rest = A % B;
    A = B;
    B = Rest;
  }
  return A < 0 ? -A : A;
}

static Rational invalid() { return Rational::fraction(0, 0); }

std::string toDecimal(Int128 Value) {
  bool Negative = Value < 0;
  std::string Digits;
  do {
    int Digit = static_cast<int>(Value % 10);
    Digits.push_back(static_cast<char>('0' + (Digit < 0 ? -Digit : Digit)));
    Value /= 10;
  } while (Value != 0);
  if (Negative)
    Digits.push_back('-');
  std::reverse(Digits.begin(), Digits.end());
  return Digits;
}

Int128 fromDecimal(const std::string &Text) {
  Int128 Value = 0;
  for (std::size_t At = Text.starts_with('-') ? 1 : 0; At < Text.size(); ++At)
    if (Text[At] < '0' || Text[At] > '9' || !multiply(Value, 10, Value) || !add(Value, Text[At] - '0', Value))
      return 0;
  return Text.starts_with('-') ? -Value : Value;
}

Rational Rational::fraction(Int128 Num, Int128 Den) {
  Rational R;
  if (Den == 0 || Num < -Int128Max || Den < -Int128Max) {
    R.Num = 0;
    R.Den = 0;
    return R;
  }
  if (Den < 0) {
    Num = -Num;
    Den = -Den;
  }
  Int128 Common = gcd(Num, Den);
  R.Num = Num / Common;
  R.Den = Den / Common;
  return R;
}

std::optional<std::int64_t> Rational::toInt64() const {
  if (Den != 1 || Num > INT64_MAX || Num < INT64_MIN)
    return std::nullopt;
  return static_cast<std::int64_t>(Num);
}

Rational operator+(const Rational &A, const Rational &B) {
  if (A.Den == 1 && B.Den == 1) {
    Rational Sum;
    if (!add(A.Num, B.Num, Sum.Num))
      return invalid();
    return Sum;
  }
  if (!A.valid() || !B.valid())
    return invalid();
  Int128 Left, Right, Num, Den, Common = gcd(A.Den, B.Den);
  if (!multiply(A.Num, B.Den / Common, Left) || !multiply(B.Num, A.Den / Common, Right) || !add(Left, Right, Num) ||
      !multiply(A.Den, B.Den / Common, Den))
    return invalid();
  return Rational::fraction(Num, Den);
}

Rational operator-(const Rational &A, const Rational &B) {
  if (!B.valid())
    return B;
  Rational Negated = B;
  Negated.Num = -Negated.Num;
  return A + Negated;
}

Rational operator*(const Rational &A, const Rational &B) {
  if (A.Den == 1 && B.Den == 1 && small(A.Num) && small(B.Num)) {
    Rational Product;
    Product.Num = A.Num * B.Num;
    return Product;
  }
  if (!A.valid() || !B.valid())
    return invalid();
  Int128 Cross1 = gcd(A.Num, B.Den), Cross2 = gcd(B.Num, A.Den), Num, Den;
  if (!multiply(A.Num / Cross1, B.Num / Cross2, Num) || !multiply(A.Den / Cross2, B.Den / Cross1, Den))
    return invalid();
  return Rational::fraction(Num, Den);
}

Rational operator/(const Rational &A, const Rational &B) {
  if (!B.valid() || B.Num == 0)
    return invalid();
  if (A.Den == 1 && B.Den == 1 && small(A.Num) && small(B.Num) && B.Num > 0 &&
      static_cast<std::int64_t>(A.Num) % static_cast<std::int64_t>(B.Num) == 0) {
    Rational Quotient;
    Quotient.Num = static_cast<std::int64_t>(A.Num) / static_cast<std::int64_t>(B.Num);
    return Quotient;
  }
  return A * Rational::fraction(B.Den, B.Num);
}

} // namespace memshape
