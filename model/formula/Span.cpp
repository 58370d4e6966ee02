// Between which values a formula stays, and how far a symbol may grow.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/formula/Span.h"

#include <algorithm>

namespace memshape {

namespace {

/// Ranges that a search looks at: enough for all but formulas that rise and fall all the way and never leave the limit.
constexpr unsigned MostRanges = 1'000'000;

const Rational &lesser(const Rational &A, const Rational &B) { return B < A ? B : A; }
const Rational &greater(const Rational &A, const Rational &B) { return A < B ? B : A; }

Span operator+(const Span &A, const Span &B) { return {A.Low + B.Low, A.High + B.High}; }

Span operator*(const Span &A, const Span &B) {
  const Rational Ends[] = {A.Low * B.Low, A.Low * B.High, A.High * B.Low, A.High * B.High};
  Span Out{Ends[0], Ends[0]};
  for (const Rational &Each : Ends) {
    if (!Each.valid())
      return {Each, Each};
    Out = {lesser(Out.Low, Each), greater(Out.High, Each)};
  }
  return Out;
}

Span spanOf(const Polynomial &Of, const std::vector<Span> &Values) {
  Span Sum;
  for (const auto &[Powers, Coefficient] : Of.terms()) {
    Span Term{Coefficient, Coefficient};
    for (std::size_t I = 0; I < Powers.size(); ++I)
      for (unsigned K = 0; K < Powers[I]; ++K)
        Term = Term * Values[I];
    Sum = Sum + Term;
  }
  return Sum;
}

/// Of x from Low to High. What does not fall is between its values at the two ends.
struct RoundedSpan {
  std::int64_t Low, High;
  const Domain &Box;

  using Ends = std::optional<std::pair<std::int64_t, std::int64_t>>;

  Ends operator()(const rounding::Blocks &How) const {
    if (!How.SizeSymbol)
      return ends(How);
    const Range &By = Box.Ranges[*How.SizeSymbol];
    return both(at(How, Low, Low < 0 ? By.Low : By.High), at(How, High, High < 0 ? By.High : By.Low));
  }
  /// The last half is above half of the end, where anything is halved.
  Ends operator()(const rounding::Halved &How) const {
    if (Low == High)
      return ends(How);
    return {{std::min(Low, How.End / 2), High}};
  }
  template <class Monotone> Ends operator()(const Monotone &How) const { return ends(How); }

private:
  static Ends both(std::optional<std::int64_t> First, std::optional<std::int64_t> Second) {
    return First && Second ? Ends({*First, *Second}) : std::nullopt;
  }
  Ends ends(const rounding::Any &How) const { return both(at(How, Low), at(How, High)); }
  static std::optional<std::int64_t> at(const rounding::Any &How, std::int64_t X) { return Atom{How, 0}.evaluate({X}); }
  static std::optional<std::int64_t> at(rounding::Blocks How, std::int64_t X, std::int64_t By) {
    How.SizeSymbol = 1;
    return Atom{How, 0}.evaluate({X, By});
  }
};

std::optional<Span> spanOf(const Atom &Of, const Domain &Box, const std::vector<Span> &Symbols) {
  const Span Inner = Of.hasInner() ? spanOf(Of.Inner, Symbols) : Symbols[Of.Symbol];
  const std::optional<std::int64_t> Low = Inner.Low.toInt64(), High = Inner.High.toInt64();
  if (!Low || !High)
    return std::nullopt;
  const RoundedSpan::Ends Rounded = std::visit(RoundedSpan{*Low, *High, Box}, Of.How);
  return Rounded ? std::optional(Span{Rounded->first, Rounded->second}) : std::nullopt;
}

bool isNegative(const Rational &Value) { return !Value.valid() || Value < Rational(0); }

bool hasNegative(const Polynomial &Of) {
  return std::any_of(Of.terms().begin(), Of.terms().end(), [](const auto &Term) { return isNegative(Term.second); });
}

/// Of with x + By in the place of variable Index.
Polynomial shifted(const Polynomial &Of, std::size_t Index, std::int64_t By) {
  const Polynomial Sum =
      Polynomial::variable(Of.variables(), Index) + Polynomial::constant(Of.variables(), Rational(By));
  Polynomial Out(Of.variables());
  for (const auto &[Powers, Coefficient] : Of.terms()) {
    Polynomial::Monomial Others = Powers;
    Others[Index] = 0;
    Polynomial Term = Polynomial::term(Others, Coefficient);
    for (unsigned K = 0; K < Powers[Index]; ++K)
      Term = Term * Sum;
    Out = Out + Term;
  }
  return Out;
}

/// Where symbols begin: the one that grows at 1, the others at Least.
struct Begin {
  std::size_t Symbol;
  std::int64_t Least;
  std::int64_t of(std::size_t Other) const { return Other == Symbol ? 1 : Least; }
};

/// What is rounded, no less where its symbols grow from where they begin, and not negative then.
bool innerGrows(const Atom &Of, const Begin &From) {
  Polynomial Inner = Of.Inner;
  for (std::size_t I = 0; I < Inner.variables(); ++I)
    Inner = shifted(Inner, I, From.of(I));
  return !hasNegative(Inner);
}

/// The same of an atom.
bool grows(const Atom &Of, const Begin &From) {
  const auto *Blocks = Of.as<rounding::Blocks>();
  return innerGrows(Of, From) && !Of.as<rounding::Halved>() && !(Blocks && Blocks->SizeSymbol);
}

/// It is not negative at any shape.
bool isCount(const Atom &Of, const Begin &From) { return innerGrows(Of, From); }

/// What a step of the symbol adds has no term that takes away. Its atom is number Index.
bool stepsUpwards(const Polynomial &Of, std::size_t Index, const std::vector<Atom> &Atoms, const Begin &From) {
  Polynomial Step = shifted(Of, Index, 1) + Of.scaled(Rational(-1));
  for (std::size_t I = 0; I < Atoms.size(); ++I)
    if (Atoms[I].isSymbol())
      Step = shifted(Step, I, From.of(Atoms[I].Symbol));
  return !hasNegative(Step);
}

} // namespace

std::optional<Span> spanOf(const Formula &Of, const Domain &Box) {
  std::vector<Span> Symbols, Atoms;
  for (const Range &Each : Box.Ranges)
    Symbols.push_back({Each.Low, Each.High});
  for (const Atom &Each : Of.atoms()) {
    const std::optional<Span> Found = spanOf(Each, Box, Symbols);
    if (!Found)
      return std::nullopt;
    Atoms.push_back(*Found);
  }
  std::optional<Span> All;
  for (const Polynomial &Piece : Of.pieces()) {
    const Span Here = spanOf(Piece, Atoms);
    if (!Here.Low.valid() || !Here.High.valid())
      return std::nullopt;
    if (!All)
      All = Here;
    else if (Of.isLeast())
      All = {lesser(All->Low, Here.Low), lesser(All->High, Here.High)};
    else
      All = {greater(All->Low, Here.Low), greater(All->High, Here.High)};
  }
  return All;
}

bool neverFalls(const Formula &Of, std::size_t Symbol, std::int64_t Least) {
  const Begin From{Symbol, Least};
  const std::vector<Atom> &Atoms = Of.atoms();
  std::vector<std::size_t> Depending;
  for (std::size_t I = 0; I < Atoms.size(); ++I) {
    if (!isCount(Atoms[I], From))
      return false;
    if (Atoms[I].dependsOn(Symbol))
      Depending.push_back(I);
  }
  return std::all_of(Of.pieces().begin(), Of.pieces().end(), [&](const Polynomial &Piece) {
    if (Depending.size() == 1 && Atoms[Depending.front()].isSymbol())
      return stepsUpwards(Piece, Depending.front(), Atoms, From);
    return std::all_of(Depending.begin(), Depending.end(), [&](std::size_t I) {
      return grows(Atoms[I], From) && std::none_of(Piece.terms().begin(), Piece.terms().end(), [&](const auto &Term) {
               return Term.first[I] && isNegative(Term.second);
             });
    });
  });
}

Reach reachWithin(const Formula &Of, Shape At, std::size_t Symbol, const Range &Over, const Rational &Limit) {
  Domain Box;
  for (std::int64_t Each : At)
    Box.Ranges.push_back({Each, Each});
  Range &Here = Box.Ranges[Symbol];
  const auto Fits = [&](const Span &Values) { return !(Values.Low < Rational(0)) && !(Limit < Values.High); };
  Reach Found{Over.Low - 1};
  std::int64_t Step = 1; // as long as ranges fit the next is twice as long; otherwise it is halved
  for (unsigned Ranges = 0; Found.Last < Over.High; ++Ranges) {
    if (Ranges == MostRanges) {
      Found.Complete = false;
      break;
    }
    Step = std::min(Step, Over.High - Found.Last);
    Here = {Found.Last + 1, Found.Last + Step};
    const std::optional<Span> Values = spanOf(Of, Box);
    if (Values && Fits(*Values)) {
      Found.Last += Step;
      Step = Step <= INT64_MAX / 2 ? Step * 2 : Step;
    } else if (Step == 1)
      break;
    else
      Step /= 2;
  }
  return Found;
}

} // namespace memshape
