// Bytes as a function of the shape.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/formula/Formula.h"

#include <algorithm>

namespace memshape {

bool Domain::contains(const Shape &At) const {
  for (std::size_t I = 0; I < Ranges.size(); ++I)
    if (At[I] < Ranges[I].Low || At[I] > Ranges[I].High)
      return false;
  return true;
}

Shape Domain::clamped(Shape At) const {
  for (std::size_t I = 0; I < At.size(); ++I)
    At[I] = std::clamp(At[I], Ranges[I].Low, Ranges[I].High);
  return At;
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
  std::string Text;
  for (std::size_t I = 0; I < Ranges.size(); ++I) {
    if (Done[I])
      continue;
    std::string Names = SymbolNames[I];
    for (std::size_t K = I + 1; K < Ranges.size(); ++K)
      if (Ranges[K] == Ranges[I]) {
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
  return Text;
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
  if (A.Atoms != B.Atoms || A.Pieces.size() != 1 || B.Pieces.size() != 1)
    return std::nullopt;
  return Formula(A.Atoms, {A.Pieces.front() + B.Pieces.front()});
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
