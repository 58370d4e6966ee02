// Bytes as a function of the shape.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/formula/Formula.h"

#include <algorithm>

namespace memshape {

bool Domain::contains(const Shape &At) const {
  for (std::size_t I = 0; I < Ranges.size(); ++I)
    if (At[I] < Ranges[I].Low || At[I] > Ranges[I].High)
      return false;
  return isTied(At);
}

bool Domain::isTied(const Shape &At) const {
  for (std::size_t I = 0; I < Ties.size(); ++I)
    if (At[I] != At[Ties[I]])
      return false;
  return true;
}

Shape Domain::tied(Shape At) const {
  for (std::size_t I = 0; I < Ties.size(); ++I)
    At[I] = At[Ties[I]];
  return At;
}

Domain Domain::with(const Domain &Other) const {
  Domain Both = *this;
  for (std::size_t I = 0; I < Both.Ranges.size(); ++I)
    Both.Ranges[I] = {std::max(Ranges[I].Low, Other.Ranges[I].Low), std::min(Ranges[I].High, Other.Ranges[I].High)};
  if (Both.Ties.empty())
    Both.Ties = Other.Ties;
  return Both;
}

Shape Domain::clamped(Shape At) const {
  for (std::size_t I = 0; I < At.size(); ++I)
    At[I] = std::clamp(At[I], Ranges[I].Low, Ranges[I].High);
  return tied(std::move(At));
}

bool Domain::nearlyHolds(const Domain &Other) const {
  constexpr std::int64_t Few = 8;
  for (std::size_t I = 0; I < Ranges.size() && I < Other.Ranges.size(); ++I)
    if (Ranges[I].High < Other.Ranges[I].High || Ranges[I].Low > std::max(Few, Other.Ranges[I].Low))
      return false;
  return true;
}

std::string Domain::str(const std::vector<std::string> &SymbolNames) const {
  // Symbols with the same range are named together.
  std::vector<bool> Done(Ranges.size(), false);
  std::string Text, Equal;
  for (std::size_t I = 0; I < Ties.size(); ++I)
    if (Ties[I] != I) {
      Equal += "; " + SymbolNames[I] + " = " + SymbolNames[Ties[I]];
      Done[I] = true;
    }
  for (std::size_t I = 0; I < Ranges.size(); ++I) {
    if (Done[I])
      continue;
    std::string Names = SymbolNames[I];
    for (std::size_t K = I + 1; K < Ranges.size(); ++K)
      if (!Done[K] && Ranges[K] == Ranges[I]) {
        Names += ", " + SymbolNames[K];
        Done[K] = true;
      }
    if (!Text.empty())
      Text += "; ";
    if (Ranges[I].Low == Ranges[I].High)
      Text += Names + " = " + std::to_string(Ranges[I].Low);
    else
      Text += std::to_string(Ranges[I].Low) + " <= " + Names + " <= " + std::to_string(Ranges[I].High);
  }
  return Text + Equal;
}

std::optional<std::vector<std::int64_t>> Formula::atomValues(const Shape &At) const {
  std::vector<std::int64_t> Values;
  Values.reserve(Atoms.size());
  for (const Atom &A : Atoms) {
    std::optional<std::int64_t> Value = A.evaluate(At);
    if (!Value)
      return std::nullopt;
    Values.push_back(*Value);
  }
  return Values;
}

bool Formula::dependsOn(std::size_t Symbol) const {
  for (std::size_t I = 0; I < Atoms.size(); ++I)
    if (Atoms[I].dependsOn(Symbol) &&
        std::any_of(Pieces.begin(), Pieces.end(), [&](const Polynomial &Each) { return Each.dependsOn(I); }))
      return true;
  return false;
}

Rational Formula::evaluate(const Shape &At) const {
  std::optional<std::vector<std::int64_t>> Values = atomValues(At);
  if (!Values || Pieces.empty())
    return Rational::fraction(0, 0);
  Rational Chosen = Pieces.front().evaluate(*Values);
  for (std::size_t I = 1; I < Pieces.size(); ++I) {
    Rational Value = Pieces[I].evaluate(*Values);
    if (!Value.valid())
      return Value;
    if (before(Value, Chosen))
      Chosen = Value;
  }
  return Chosen;
}

std::size_t Formula::chosen(const Shape &At) const {
  std::optional<std::vector<std::int64_t>> Values = atomValues(At);
  std::size_t Best = 0;
  if (!Values)
    return Best;
  for (std::size_t I = 1; I < Pieces.size(); ++I)
    if (before(Pieces[I].evaluate(*Values), Pieces[Best].evaluate(*Values)))
      Best = I;
  return Best;
}

std::optional<Formula> Formula::sum(const Formula &A, const Formula &B) {
  if (A.Pieces.size() != 1 && B.Pieces.size() == 1)
    return sum(B, A);
  if (A.Pieces.size() != 1 || B.Pieces.empty())
    return std::nullopt;
  std::vector<Atom> All = A.Atoms;
  std::vector<std::size_t> PlacesOfA, PlacesOfB;
  for (std::size_t I = 0; I < A.Atoms.size(); ++I)
    PlacesOfA.push_back(I);
  for (const Atom &Each : B.Atoms) {
    PlacesOfB.push_back(static_cast<std::size_t>(std::find(All.begin(), All.end(), Each) - All.begin()));
    if (PlacesOfB.back() == All.size())
      All.push_back(Each);
  }
  const Polynomial Added = A.Pieces.front().among(All.size(), PlacesOfA);
  std::vector<Polynomial> Sums;
  for (const Polynomial &Each : B.Pieces)
    Sums.push_back(Added + Each.among(All.size(), PlacesOfB));
  return Formula(std::move(All), std::move(Sums), B.Least);
}

std::string Formula::str(const std::vector<std::string> &SymbolNames) const {
  std::vector<std::string> Names;
  for (const Atom &A : Atoms)
    Names.push_back(A.str(SymbolNames));
  if (Pieces.size() == 1)
    return Pieces.front().str(Names);
  // What all pieces share stands before them.
  Polynomial Shared = Pieces.front();
  for (const Polynomial &Piece : Pieces)
    Shared = Polynomial::common(Shared, Piece);
  std::string Text = (Shared.isZero() ? "" : Shared.str(Names) + " + ") + (Least ? "min(" : "max(");
  for (std::size_t I = 0; I < Pieces.size(); ++I)
    Text += (I ? ", " : "") + (Pieces[I] + Shared.scaled(Rational(-1))).str(Names);
  return Text + ")";
}

} // namespace memshape
