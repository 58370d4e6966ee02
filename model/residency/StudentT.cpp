//===- StudentT.cpp - Student's t distribution ---------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "model/residency/StudentT.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace memshape {

namespace {

/// Beyond this many degrees of freedom the distribution is normal to double precision for all that follows.
constexpr double NormalFrom = 1e7;

/// The continued fraction of the incomplete beta function by Lentz's method (DLMF 8.17.22, 3.10).
double betaFraction(double X, double A, double B) {
  constexpr double Tiny = 1e-300;
  double C = 1, D = 1 - (A + B) * X / (A + 1);
  D = 1 / (std::abs(D) < Tiny ? Tiny : D);
  double Value = D;
  for (int M = 1; M <= 300; ++M) {
    double Even = M * (B - M) * X / ((A + 2 * M - 1) * (A + 2 * M));
    D = 1 + Even * D;
    C = 1 + Even / C;
    D = 1 / (std::abs(D) < Tiny ? Tiny : D);
    C = std::abs(C) < Tiny ? Tiny : C;
    Value *= D * C;
    double Odd = -(A + M) * (A + B + M) * X / ((A + 2 * M) * (A + 2 * M + 1));
    D = 1 + Odd * D;
    C = 1 + Odd / C;
    D = 1 / (std::abs(D) < Tiny ? Tiny : D);
    C = std::abs(C) < Tiny ? Tiny : C;
    Value *= D * C;
    if (std::abs(D * C - 1) < 1e-15)
      break;
  }
  return Value;
}

double standardLogDensity(double Value, double Degrees) {
  if (Degrees > NormalFrom)
    return -0.5 * (Value * Value + std::log(2 * std::numbers::pi));
  return std::lgamma((Degrees + 1) / 2) - std::lgamma(Degrees / 2) - 0.5 * std::log(Degrees * std::numbers::pi) -
         (Degrees + 1) / 2 * std::log1p(Value * Value / Degrees);
}

/// Tail above a positive value from the quantile's side: Hill's approximation, good to some digits.
double hill(double TwoSided, double N) {
  if (N < 1.5)
    return 1 / std::tan(TwoSided * std::numbers::pi / 2);
  if (N < 2.5)
    return std::sqrt(2 / (TwoSided * (2 - TwoSided)) - 2);
  double A = 1 / (N - 0.5), B = 48 / (A * A);
  double C = ((20700 * A / B - 98) * A - 16) * A + 96.36;
  double D = ((94.5 / (B + C) - 3) / B + 1) * std::sqrt(A * std::numbers::pi / 2) * N;
  double Y = std::pow(D * TwoSided, 2 / N);
  if (Y > 0.05 + A) {
    // Near the centre from the normal quantile (Abramowitz and Stegun 26.2.23).
    double T = std::sqrt(-2 * std::log(TwoSided / 2));
    double X = -(T - (2.515517 + T * (0.802853 + T * 0.010328)) / (1 + T * (1.432788 + T * (0.189269 + T * 0.001308))));
    Y = X * X;
    if (N < 5)
      C += 0.3 * (N - 4.5) * (X + 0.6);
    C = (((0.05 * D * X - 5) * X - 7) * X - 2) * X + B + C;
    Y = (((((0.4 * Y + 6.3) * Y + 36) * Y + 94.5) / C - Y - 3) / B + 1) * X;
    Y = std::expm1(A * Y * Y);
  } else {
    Y = ((1 / (((N + 6) / (N * Y) - 0.089 * D - 0.822) * (N + 2) * 3) + 0.5 / (N + 4)) * Y - 1) * (N + 1) / (N + 2) +
        1 / Y;
  }
  return std::sqrt(N * std::max(Y, 0.0));
}

} // namespace

double upperTail(double Value, double Degrees) {
  if (Degrees > NormalFrom)
    return 0.5 * std::erfc(Value / std::numbers::sqrt2);
  double X = Degrees / (Degrees + Value * Value), A = Degrees / 2, B = 0.5;
  if (X >= 1)
    return 0.5;
  double LogFront = std::lgamma(A + B) - std::lgamma(A) - std::lgamma(B) + A * std::log(X) + B * std::log1p(-X);
  if (X < (A + 1) / (A + B + 2))
    return 0.5 * std::exp(LogFront) * betaFraction(X, A, B) / A;
  return 0.5 * (1 - std::exp(LogFront) * betaFraction(1 - X, B, A) / B);
}

double standardQuantile(double Probability, double Degrees) {
  if (Probability == 0.5)
    return 0;
  bool Lower = Probability < 0.5;
  double Tail = Lower ? Probability : 1 - Probability;
  double Value = hill(2 * Tail, std::min(Degrees, NormalFrom));
  for (int Step = 0; Step < 20; ++Step) {
    double Slope = std::exp(standardLogDensity(Value, Degrees));
    double Change = (upperTail(Value, Degrees) - Tail) / Slope;
    double Next = std::max(Value + Change, Value / 2);
    bool Done = std::abs(Next - Value) <= 1e-12 * (1 + Value);
    Value = Next;
    if (Done)
      break;
  }
  return Lower ? -Value : Value;
}

Truncated exceedingMoments(double Limit, double Degrees) {
  Truncated Found;
  double Above = Limit >= 0 ? upperTail(Limit, Degrees) : 1 - upperTail(-Limit, Degrees);
  if (Above < 1e-290) { // the tail is a power law: its conditional moments are those of a Pareto variable
    Found.Mean = Limit * Degrees / (Degrees - 1);
    Found.MeanSquare = Limit * Limit * Degrees / (Degrees - 2);
    return Found;
  }
  double Density = std::exp(standardLogDensity(Limit, Degrees));
  Found.Mean = Density * (Degrees + Limit * Limit) / (Degrees - 1) / Above;
  // E[T^2; T > c] = n (n-1)/(n-2) P(T' > c sqrt((n-2)/n)) - n P(T > c), T' with n-2 degrees of freedom.
  double Shrunk = Limit * std::sqrt((Degrees - 2) / Degrees);
  double Other = Shrunk >= 0 ? upperTail(Shrunk, Degrees - 2) : 1 - upperTail(-Shrunk, Degrees - 2);
  Found.MeanSquare = Degrees * ((Degrees - 1) / (Degrees - 2) * Other - Above) / Above;
  Found.MeanSquare = std::max(Found.MeanSquare, Found.Mean * Found.Mean);
  return Found;
}

double StudentT::exceeding(double Value) const {
  double Standard = (Value - Location) / Scale;
  return Standard >= 0 ? upperTail(Standard, Degrees) : 1 - upperTail(-Standard, Degrees);
}

double StudentT::cumulative(double Value) const {
  double Standard = (Value - Location) / Scale;
  return Standard >= 0 ? 1 - upperTail(Standard, Degrees) : upperTail(-Standard, Degrees);
}

double StudentT::quantile(double Probability) const {
  return Location + Scale * standardQuantile(Probability, Degrees);
}

double StudentT::logDensity(double Value) const {
  return standardLogDensity((Value - Location) / Scale, Degrees) - std::log(Scale);
}

double StudentT::variance() const {
  return Degrees > 2 ? Scale * Scale * Degrees / (Degrees - 2) : std::numeric_limits<double>::infinity();
}

} // namespace memshape
