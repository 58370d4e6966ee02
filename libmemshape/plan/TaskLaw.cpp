// What a call takes, at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/plan/TaskLaw.h"
#include "model/formula/Span.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace memshape {

static double valueOf(const Rational &R) {
  return R.valid() ? static_cast<double>(R.numerator()) / static_cast<double>(R.denominator())
                   : std::numeric_limits<double>::infinity();
}

static bool isPlain(const Atom &A) { return std::holds_alternative<rounding::None>(A.How) && !A.hasInner(); }

FormulaLaw::FormulaLaw(const Formula &Of) : Of(Of) {
  const std::vector<Atom> &Atoms = Of.atoms();
  std::size_t Symbols = 0;
  for (const Atom &Each : Atoms)
    Symbols = std::max({Symbols, Each.Symbol + 1, Each.Inner.variables()});
  for (std::size_t Symbol = 0; Symbol < Symbols; ++Symbol)
    Grows = Grows && neverFalls(Of, Symbol, /*Least=*/1);
  if (!std::all_of(Atoms.begin(), Atoms.end(), isPlain))
    return;
  for (const Polynomial &Piece : Of.pieces()) {
    std::vector<Term> &Terms = Pieces.emplace_back();
    for (const auto &[Powers, Factor] : Piece.terms()) {
      Term &Each = Terms.emplace_back();
      Each.Factor = valueOf(Factor);
      for (std::size_t I = 0; I < Powers.size(); ++I)
        Each.Symbols.insert(Each.Symbols.end(), Powers[I], static_cast<std::uint32_t>(Atoms[I].Symbol));
    }
  }
}

double FormulaLaw::bytes(std::span<const std::int64_t> At) const {
  if (Pieces.empty())
    return valueOf(Of.evaluate(Shape(At.begin(), At.end())));
  double Chosen = Of.isLeast() ? std::numeric_limits<double>::infinity() : 0;
  for (const std::vector<Term> &Terms : Pieces) {
    double Sum = 0;
    for (const Term &Each : Terms) {
      double Product = Each.Factor;
      for (std::uint32_t Symbol : Each.Symbols)
        Product *= static_cast<double>(At[Symbol]);
      Sum += Product;
    }
    Chosen = Of.isLeast() ? std::min(Chosen, Sum) : std::max(Chosen, Sum);
  }
  return std::max(Chosen, 0.0);
}

double PowerLaw::bytes(std::span<const std::int64_t> Shape) const {
  double Bytes = Value, Log = 0;
  for (std::size_t I = 0; I < At.size(); ++I) {
    const double Here = static_cast<double>(Shape[I]), There = static_cast<double>(At[I]);
    if (Powers[I] == 1)
      Bytes = Bytes * Here / There; // no digit is lost
    else if (Powers[I] > 0)
      Log += Powers[I] * std::log(Here / There);
  }
  return Bytes * std::exp(Log);
}

} // namespace memshape
