// A simple bound above scattered figures.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of all lines above a set of points, the one with the least sum of distances is the edge of the upper hull above the
// mean of their abscissae (linear programming in two unknowns).

#include "model/recovery/UpperEnvelope.h"

#include <algorithm>
#include <cmath>

namespace memshape {

namespace {

/// Beyond that, products of coefficients and extents leave 63 bits.
constexpr double Largest = 1e15;
/// Subsets of so many symbols are few enough to be tried.
constexpr std::size_t MostSymbols = 6;

struct Point {
  double X, Y;
};

/// Slope of the hull's edge above the mean; 0 where it falls.
double slopeAbove(std::vector<Point> Points) {
  double Mean = 0;
  for (const Point &P : Points)
    Mean += P.X / static_cast<double>(Points.size());
  std::sort(Points.begin(), Points.end(),
            [](const Point &A, const Point &B) { return A.X != B.X ? A.X < B.X : A.Y < B.Y; });
  std::vector<Point> Hull;
  for (const Point &P : Points) {
    while (!Hull.empty() && Hull.back().X == P.X)
      Hull.pop_back();
    while (Hull.size() > 1) {
      const Point &A = Hull[Hull.size() - 2], &B = Hull.back();
      if ((B.X - A.X) * (P.Y - A.Y) < (B.Y - A.Y) * (P.X - A.X))
        break;
      Hull.pop_back();
    }
    Hull.push_back(P);
  }
  for (std::size_t I = 1; I < Hull.size(); ++I)
    if (Hull[I].X >= Mean || I + 1 == Hull.size())
      return std::max(0.0, (Hull[I].Y - Hull[I - 1].Y) / (Hull[I].X - Hull[I - 1].X));
  return 0;
}

} // namespace

std::optional<Polynomial> upperEnvelope(std::size_t Symbols, const std::vector<ShapeFigure> &Figures) {
  if (Figures.empty() || Symbols > MostSymbols)
    return std::nullopt;
  for (const auto &[At, Figure] : Figures)
    if (Figure < 0 || static_cast<double>(Figure) > Largest || At.size() != Symbols)
      return std::nullopt;
  std::optional<Polynomial> Best;
  double BestRatio = 0;
  auto Try = [&](const Polynomial &G) {
    std::vector<Point> Points;
    std::vector<std::int64_t> Values;
    for (const auto &[At, Figure] : Figures) {
      std::optional<std::int64_t> X = G.evaluate(At).toInt64();
      if (!X || static_cast<double>(*X) > Largest)
        return;
      Values.push_back(*X);
      Points.push_back({static_cast<double>(*X), static_cast<double>(Figure)});
    }
    const double Slope = std::ceil(slopeAbove(Points));
    Rational A(static_cast<std::int64_t>(Slope)), C(0);
    for (std::size_t I = 0; I < Values.size(); ++I)
      if (Rational Above = Rational(Figures[I].second) - A * Rational(Values[I]); C < Above)
        C = Above;
    Polynomial Bound = G.scaled(A) + Polynomial::constant(Symbols, C);
    double Ratio = 0;
    for (const auto &[At, Figure] : Figures) {
      std::optional<std::int64_t> Above = Bound.evaluate(At).toInt64();
      if (!Above || *Above < Figure)
        return;
      Ratio += static_cast<double>(*Above) / static_cast<double>(std::max<std::int64_t>(1, Figure));
    }
    // A longer expression has to be worth its length.
    constexpr double Worth = 0.97;
    if (!Best || Ratio < Worth * BestRatio) {
      Best = std::move(Bound);
      BestRatio = Ratio;
    }
  };
  Try(Polynomial::constant(Symbols, Rational(0)));
  for (std::size_t Count = 1; Count <= Symbols; ++Count)
    for (unsigned Subset = 1; Subset < 1u << Symbols; ++Subset) {
      if (static_cast<std::size_t>(__builtin_popcount(Subset)) != Count)
        continue;
      Polynomial Sum(Symbols), Product = Polynomial::constant(Symbols, Rational(1));
      for (std::size_t I = 0; I < Symbols; ++I)
        if (Subset >> I & 1) {
          Sum = Sum + Polynomial::variable(Symbols, I);
          Product = Product * Polynomial::variable(Symbols, I);
        }
      Try(Sum);
      if (Count > 1)
        Try(Product);
    }
  return Best;
}

} // namespace memshape
