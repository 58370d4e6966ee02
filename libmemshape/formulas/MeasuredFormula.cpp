// A formula through figures that were measured.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/formulas/FormulaSearch.h"

#include <algorithm>

namespace memshape {

namespace {

using Terms = std::vector<Polynomial::Monomial>;

std::vector<Atom> symbolsAlone(std::size_t Symbols) {
  std::vector<Atom> Atoms;
  for (std::size_t I = 0; I < Symbols; ++I)
    Atoms.push_back({rounding::None(), I});
  return Atoms;
}

/// What libraries of arrays make of an extent: halves of spectra, lengths of transforms, tables of powers of two.
std::vector<rounding::Any> usualRoundings() {
  return {rounding::Blocks{2, 0}, rounding::Blocks{2, 1}, rounding::PowerOfTwo(), rounding::Smooth{5},
          rounding::Smooth{7},    rounding::Smooth{11},   rounding::Blocks{8, 7}, rounding::Blocks{64, 63}};
}

/// Products in which each symbol stands at most once, as itself or as what is made of it.
Terms productsOf(std::size_t Symbols, std::span<const Atom> Atoms) {
  Terms All = termsUpTo(static_cast<unsigned>(Symbols), Atoms);
  std::erase_if(All, [&](const Polynomial::Monomial &Powers) {
    std::vector<unsigned> Used(Symbols, 0);
    for (std::size_t I = 0; I < Powers.size(); ++I)
      Used[Atoms[I].Symbol] += Powers[I];
    return std::any_of(Used.begin(), Used.end(), [](unsigned Power) { return Power > 1; });
  });
  return All;
}

struct Candidate {
  std::vector<Atom> Atoms;
  Terms Of;
};

/// The simple ones first.
std::vector<Candidate> candidates(std::size_t Symbols) {
  const std::vector<Atom> Plain = symbolsAlone(Symbols);
  std::vector<Candidate> All{{Plain, productsOf(Symbols, Plain)}, {Plain, termsUpTo(2, Plain)}};
  if (Symbols <= 3)
    All.push_back({Plain, termsUpTo(3, Plain)});
  for (const rounding::Any &How : usualRoundings())
    for (std::size_t I = 0; I < Symbols; ++I) {
      std::vector<Atom> Atoms = Plain;
      Atoms.push_back({How, I});
      Terms Of = productsOf(Symbols, Atoms);
      All.push_back({std::move(Atoms), std::move(Of)});
    }
  return All;
}

std::optional<Polynomial> fit(const Candidate &To, const std::vector<MeasuredFigure> &Figures) {
  std::vector<AtomSample> Samples;
  for (const MeasuredFigure &Figure : Figures) {
    AtomSample Sample{{}, Figure.Bytes};
    for (const Atom &Each : To.Atoms) {
      const std::optional<std::int64_t> Value = Each.evaluate(Figure.At);
      if (!Value)
        return std::nullopt;
      Sample.Atoms.push_back(*Value);
    }
    Samples.push_back(std::move(Sample));
  }
  return fitTerms(To.Of, Samples);
}

/// Bytes are whole numbers. A polynomial is one at every shape if it is one at as many values in a row of each symbol as
/// its degree there, and one more; what is rounded is looked at where the roundings above change.
bool isWhole(const Formula &Value, std::size_t Symbols, const Domain &From) {
  constexpr unsigned Rounded = 9;
  std::vector<unsigned> InARow(Symbols, 1);
  for (const auto &[Powers, Coefficient] : Value.pieces().front().terms()) {
    std::vector<unsigned> Degree(Symbols, 0);
    for (std::size_t I = 0; I < Powers.size(); ++I)
      if (Powers[I] > 0)
        Degree[Value.atoms()[I].Symbol] += Value.atoms()[I].isSymbol() ? Powers[I] : Rounded - 1;
    for (std::size_t I = 0; I < Symbols; ++I)
      InARow[I] = std::max(InARow[I], Degree[I] + 1);
  }
  Shape Step(Symbols, 0), At(Symbols, 0);
  for (bool IsLast = false; !IsLast;) {
    for (std::size_t I = 0; I < Symbols; ++I)
      At[I] = From.Ranges[I].Low + Step[I];
    if (!Value.evaluate(At).isInteger())
      return false;
    IsLast = true;
    for (std::size_t I = 0; I < Symbols && IsLast; ++I) {
      IsLast = ++Step[I] == InARow[I];
      if (IsLast)
        Step[I] = 0;
    }
  }
  return true;
}

} // namespace

std::optional<Recovered> formulaThrough(std::size_t Symbols, const std::vector<MeasuredFigure> &Figures) {
  if (Symbols == 0 || Figures.empty())
    return std::nullopt;
  Recovered Found;
  for (std::size_t I = 0; I < Symbols; ++I) {
    const auto [Least, Most] = std::minmax_element(Figures.begin(), Figures.end(),
                                                   [I](const auto &A, const auto &B) { return A.At[I] < B.At[I]; });
    Found.Valid.Ranges.push_back({Least->At[I], Most->At[I]});
  }
  for (const Candidate &Each : candidates(Symbols))
    if (const std::optional<Polynomial> Fitted = fit(Each, Figures)) {
      Found.Value = Formula(Each.Atoms, {*Fitted});
      if (!isWhole(Found.Value, Symbols, Found.Valid))
        continue;
      Found.VerifiedShapes = static_cast<unsigned>(Figures.size() - std::min(Figures.size(), Fitted->termCount()));
      return Found;
    }
  return std::nullopt;
}

} // namespace memshape
