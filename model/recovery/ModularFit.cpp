// The polynomial in given atoms through samples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/recovery/ModularFit.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace memshape {

/// A Mersenne prime, so that remainders are shifts and sums.
constexpr std::uint64_t Prime = (std::uint64_t(1) << 61) - 1;
/// Sums over halves, thirds, sixths, twenty-fourths and the like.
constexpr std::int64_t LargestDenominator = 5040;

static std::uint64_t reduced(std::uint64_t Value) {
  Value = (Value & Prime) + (Value >> 61);
  return Value >= Prime ? Value - Prime : Value;
}

static std::uint64_t product(std::uint64_t A, std::uint64_t B) {
  __extension__ typedef unsigned __int128 UInt128;
  UInt128 Whole = UInt128(A) * B;
  return reduced((static_cast<std::uint64_t>(Whole) & Prime) + static_cast<std::uint64_t>(Whole >> 61));
}

static std::uint64_t negative(std::uint64_t Value) { return Value ? Prime - Value : 0; }

static std::uint64_t residue(std::int64_t Value) {
  std::int64_t Rest = Value % static_cast<std::int64_t>(Prime);
  return static_cast<std::uint64_t>(Rest < 0 ? Rest + static_cast<std::int64_t>(Prime) : Rest);
}

/// Fermat.
static std::uint64_t inverse(std::uint64_t Value) {
  std::uint64_t Power = 1;
  for (std::uint64_t Exponent = Prime - 2; Exponent; Exponent >>= 1) {
    if (Exponent & 1)
      Power = product(Power, Value);
    Value = product(Value, Value);
  }
  return Power;
}

/// The fraction with a small denominator that Value is; nothing where there is none whose numerator is far below the
/// prime.
static std::optional<Rational> fractionOf(std::uint64_t Value) {
  constexpr std::int64_t LargestNumerator = std::int64_t(1) << 46;
  // Wang's reconstruction: the first remainder of Euclid's algorithm that is small enough.
  std::int64_t Remainder[2] = {static_cast<std::int64_t>(Prime), static_cast<std::int64_t>(Value)};
  std::int64_t Factor[2] = {0, 1};
  while (Remainder[1] > LargestNumerator) {
    const std::int64_t Quotient = Remainder[0] / Remainder[1];
    Remainder[0] = std::exchange(Remainder[1], Remainder[0] - Quotient * Remainder[1]);
    Factor[0] = std::exchange(Factor[1], Factor[0] - Quotient * Factor[1]);
    if (std::abs(Factor[1]) > LargestDenominator)
      return std::nullopt;
  }
  return Rational::fraction(Remainder[1], Factor[1]);
}

using Row = std::vector<std::uint64_t>; ///< of all terms, and the value

static Row rowOf(const std::vector<Polynomial::Monomial> &Terms, const AtomSample &Sample) {
  Row Entries;
  Entries.reserve(Terms.size() + 1);
  for (const Polynomial::Monomial &Powers : Terms) {
    std::uint64_t Value = 1;
    for (std::size_t I = 0; I < Powers.size(); ++I)
      for (unsigned K = 0; K < Powers[I]; ++K)
        Value = product(Value, residue(Sample.Atoms[I]));
    Entries.push_back(Value);
  }
  Entries.push_back(residue(Sample.Value));
  return Entries;
}

static void subtract(Row &From, const Row &Pivot, std::size_t Column) {
  if (From[Column] == 0)
    return;
  const std::uint64_t Times = negative(From[Column]);
  for (std::size_t I = Column; I < From.size(); ++I)
    if (Pivot[I])
      From[I] = reduced(From[I] + product(Times, Pivot[I]));
}

std::vector<Polynomial::Monomial> termsUpTo(unsigned Degree, std::span<const Atom> Atoms) {
  std::vector<Polynomial::Monomial> Terms{Polynomial::Monomial(Atoms.size(), 0)};
  for (std::size_t I = 0; I < Atoms.size(); ++I) {
    const unsigned Highest = Atoms[I].as<rounding::Above>() ? 1 : Degree;
    for (std::size_t Place = 0, End = Terms.size(); Place < End; ++Place) {
      Polynomial::Monomial Next = Terms[Place];
      unsigned Sum = std::accumulate(Next.begin(), Next.end(), 0u);
      for (; Next[I] < Highest && Sum < Degree; ++Sum) {
        ++Next[I];
        Terms.push_back(Next);
      }
    }
  }
  // Low degrees first, and symbols before what is made of them.
  auto Rank = [&](const Polynomial::Monomial &Powers) {
    unsigned Sum = 0, Made = 0;
    for (std::size_t I = 0; I < Powers.size(); ++I) {
      Sum += Powers[I];
      Made += Atoms[I].isSymbol() ? 0 : Powers[I];
    }
    return std::pair(Sum, Made);
  };
  std::sort(Terms.begin(), Terms.end(),
            [&](const auto &A, const auto &B) { return Rank(A) != Rank(B) ? Rank(A) < Rank(B) : A > B; });
  return Terms;
}

std::optional<Polynomial> fitTerms(const std::vector<Polynomial::Monomial> &Terms,
                                   const std::vector<AtomSample> &Samples) {
  if (Terms.empty() || Samples.size() < Terms.size() + SamplesBeyondTerms)
    return std::nullopt;
  // Rows in echelon form by the column of their pivot; a sample that is a combination of those before it has to agree.
  std::vector<Row> Pivots(Terms.size());
  for (const AtomSample &Sample : Samples) {
    Row Next = rowOf(Terms, Sample);
    std::size_t Column = 0;
    for (; Column < Terms.size(); ++Column) {
      if (Next[Column] == 0)
        continue;
      if (Pivots[Column].empty())
        break;
      subtract(Next, Pivots[Column], Column);
    }
    if (Column == Terms.size()) {
      if (Next.back() != 0)
        return std::nullopt;
      continue;
    }
    const std::uint64_t Scale = inverse(Next[Column]);
    for (std::size_t I = Column; I < Next.size(); ++I)
      Next[I] = product(Next[I], Scale);
    Pivots[Column] = std::move(Next);
  }
  std::vector<std::uint64_t> Solution(Terms.size(), 0);
  Polynomial Sum(Terms.front().size());
  for (std::size_t Column = Terms.size(); Column-- > 0;) {
    if (Pivots[Column].empty())
      continue; // depends on simpler terms
    std::uint64_t Value = Pivots[Column].back();
    for (std::size_t I = Column + 1; I < Terms.size(); ++I)
      if (Solution[I])
        Value = reduced(Value + negative(product(Pivots[Column][I], Solution[I])));
    Solution[Column] = Value;
    if (Value == 0)
      continue;
    std::optional<Rational> Coefficient = fractionOf(Value);
    if (!Coefficient)
      return std::nullopt;
    Sum = Sum + Polynomial::term(Terms[Column], *Coefficient);
  }
  for (const AtomSample &Sample : Samples)
    if (!(Sum.evaluate(Sample.Atoms) == Rational(Sample.Value)))
      return std::nullopt;
  return Sum;
}

} // namespace memshape
