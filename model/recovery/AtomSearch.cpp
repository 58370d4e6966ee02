// What does code make of its symbols?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/recovery/AtomSearch.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace memshape {

/// Consecutive extents of a line: enough to cross two powers of two and some blocks of 32.
constexpr std::size_t LongLine = 200, ShortLine = 40;
/// Of the polynomials between steps.
constexpr std::size_t Degree = 3;
/// Sets of atoms that are kept for one line, and in all.
constexpr std::size_t MaxSets = 4, MaxCombined = 12;
/// Extents of a base: primes, so that no block size divides one, and so that a period tells which symbol it is.
constexpr std::int64_t Primes[] = {29, 37, 47, 31, 61, 43, 71, 53};

/// The value that a polynomial through Degree + 1 values takes next.
static std::int64_t continued(const std::int64_t *Values) {
  static_assert(Degree == 3);
  return 4 * Values[3] - 6 * Values[2] + 4 * Values[1] - Values[0];
}

/// The polynomial through values at consecutive extents from First on, at another extent.
static Rational extrapolated(std::int64_t First, const std::vector<std::int64_t> &Values, std::int64_t At) {
  Rational Sum;
  for (std::size_t I = 0; I < Values.size(); ++I) {
    Rational Weight(Values[I]);
    for (std::size_t K = 0; K < Values.size(); ++K)
      if (K != I)
        Weight = Weight * Rational::fraction(At - First - static_cast<std::int64_t>(K),
                                             static_cast<std::int64_t>(I) - static_cast<std::int64_t>(K));
    Sum = Sum + Weight;
  }
  return Sum;
}

/// The number with most twos as factors, then most tens: limits in code are round.
static std::int64_t roundest(std::int64_t Low, std::int64_t High) {
  std::int64_t Best = Low;
  for (std::int64_t Unit = 1; Unit <= High && Unit > 0; Unit *= 2)
    if (std::int64_t Multiple = High / Unit * Unit; Multiple >= Low && Multiple > 0)
      Best = Multiple;
  std::int64_t Decimal = 0;
  std::int64_t Tens = 1;
  for (std::int64_t Unit = 10; Unit <= High; Unit *= 10)
    if (std::int64_t Multiple = High / Unit * Unit; Multiple >= Low && Multiple > 0) {
      Decimal = Multiple;
      Tens = Unit;
    }
  // A thousand is as round as 1024.
  return Decimal && Tens >= 100 && Best % Tens != 0 && (Best & -Best) < Tens ? Decimal : Best;
}

static bool isPolynomialInSteps(const std::vector<std::int64_t> &Values, std::size_t Step) {
  if (Values.size() < (Degree + 2) * Step) { // too few for more than a line
    for (std::size_t Start = 0; Start + 2 * Step < Values.size(); ++Start)
      if (Values[Start + 2 * Step] - Values[Start + Step] != Values[Start + Step] - Values[Start])
        return false;
    return Values.size() >= 3 * Step;
  }
  for (std::size_t Start = 0; Start + (Degree + 1) * Step < Values.size(); ++Start) {
    const std::int64_t Window[] = {Values[Start], Values[Start + Step], Values[Start + 2 * Step],
                                   Values[Start + 3 * Step]};
    if (continued(Window) != Values[Start + 4 * Step])
      return false;
  }
  return true;
}

AtomSearch::AtomSearch(const Domain &Box, std::size_t Index, bool Near, Sampler &Sample)
    : Box(Box), Index(Index), Near(Near), Sample(Sample) {
  for (std::size_t I = 0; I < Box.Ranges.size(); ++I) {
    const Range &R = Box.Ranges[I];
    Base.push_back(std::clamp(Primes[I % std::size(Primes)], R.Low, std::max(R.Low, R.High - 24)));
  }
}

Atom AtomSearch::withInner(const rounding::Any &How, const Polynomial &Inner) const {
  Atom Made{How, 0, Inner};
  // A symbol by itself needs no polynomial around it.
  for (std::size_t I = 0; I < Base.size(); ++I)
    if (Inner == Polynomial::variable(Base.size(), I)) {
      Made.Symbol = I;
      Made.Inner = Polynomial();
    }
  return Made;
}

bool AtomSearch::look(Line &Along) {
  const Range &R = Box.Ranges[Along.Symbol];
  std::vector<Shape> Wanted;
  auto Want = [&](std::int64_t Extent) {
    Wanted.push_back(Base);
    Wanted.back()[Along.Symbol] = Extent;
  };
  const std::int64_t First = Base[Along.Symbol];
  const auto Count = std::min<std::int64_t>(R.High - First + 1, Near ? LongLine / 2 : LongLine);
  if (Count < static_cast<std::int64_t>(ShortLine))
    return false;
  for (std::int64_t I = 0; I < Count; ++I)
    Want(First + I);
  if (!Near) {
    for (std::int64_t I = 0; I < 8; ++I) {
      Want(R.Low + I);
      Want(R.High - I);
    }
    for (std::int64_t Extent = First + Count; Extent < R.High; Extent += Extent / 5)
      Want(Extent);
  }
  Sample.prefetch(Wanted);
  for (std::size_t I = 0; I < Wanted.size(); ++I) {
    std::optional<std::int64_t> Value = Sample(Wanted[I], Index);
    if (!Value)
      return false;
    if (I < static_cast<std::size_t>(Count))
      Along.Values.push_back(*Value);
    Along.At.push_back(*Value);
  }
  Along.Points = std::move(Wanted);
  return true;
}

void AtomSearch::findSteps(Line &Along) const {
  const std::vector<std::int64_t> &Values = Along.Values;
  const std::int64_t First = Base[Along.Symbol];
  bool Before = false;
  for (std::size_t Next = Degree + 1; Next < Values.size(); ++Next) {
    const bool Continues = continued(&Values[Next - Degree - 1]) == Values[Next];
    if (Before && !Continues)
      Along.Steps.push_back(First + static_cast<std::int64_t>(Next));
    Before = Continues;
  }
  for (std::size_t Step = 2; Along.Period == 0 && Step <= Values.size() / 3; ++Step)
    if (isPolynomialInSteps(Values, Step))
      Along.Period = Step;
}

/// The last extent up to which the polynomial of the smallest extents holds; nothing where it holds everywhere or where
/// there is none.
std::optional<std::int64_t> AtomSearch::lastOfLow(const Shape &Through, std::size_t Symbol) {
  const Range &R = Box.Ranges[Symbol];
  auto Value = [&](std::int64_t Extent) {
    Shape At = Through;
    At[Symbol] = Extent;
    return Sample(At, Index);
  };
  std::vector<std::int64_t> Low;
  for (std::int64_t Extent = R.Low; Extent <= R.Low + static_cast<std::int64_t>(Degree) && Extent <= R.High; ++Extent) {
    std::optional<std::int64_t> Here = Value(Extent);
    if (!Here)
      return std::nullopt;
    Low.push_back(*Here);
  }
  auto Holds = [&](std::int64_t Extent) {
    std::optional<std::int64_t> Here = Value(Extent);
    return Here && extrapolated(R.Low, Low, Extent) == Rational(*Here);
  };
  std::int64_t Inside = R.Low + static_cast<std::int64_t>(Degree), Outside = R.High;
  if (Holds(Outside) || !Holds(Inside + 1) || !Holds(Inside + 2))
    return std::nullopt;
  while (Outside - Inside > 1) {
    std::int64_t Middle = Inside + (Outside - Inside) / 2;
    (Holds(Middle) ? Inside : Outside) = Middle;
  }
  return Inside;
}

std::vector<Atom> AtomSearch::symbolsOf(std::size_t Symbol) const { return {{rounding::None(), Symbol}}; }

bool AtomSearch::explains(const std::vector<Atom> &Set, const Line &Along) const {
  std::vector<Atom> Atoms = symbolsOf(Along.Symbol);
  Atoms.insert(Atoms.end(), Set.begin(), Set.end());
  const unsigned Highest = Atoms.size() > 4 ? 1 : Atoms.size() > 2 ? 2 : 3;
  // A part of the points refutes most candidates.
  for (std::size_t Each : {std::size_t(4), std::size_t(1)})
    if (!explainsPoints(Atoms, Along, Each, Highest))
      return false;
  return true;
}

bool AtomSearch::explainsPoints(const std::vector<Atom> &Atoms, const Line &Along, std::size_t Each,
                                unsigned Highest) const {
  std::vector<AtomSample> Samples;
  for (std::size_t I = 0; I < Along.Points.size(); I += Each) {
    AtomSample Next;
    for (const Atom &A : Atoms) {
      std::optional<std::int64_t> Value = A.evaluate(Along.Points[I]);
      if (!Value)
        return false;
      Next.Atoms.push_back(*Value);
    }
    Next.Value = Along.At[I];
    Samples.push_back(std::move(Next));
  }
  // Points near the base come first; those that are far apart say more.
  std::reverse(Samples.begin(), Samples.end());
  for (unsigned D : {1u, Highest})
    if (fitTerms(termsUpTo(D, Atoms), Samples))
      return true;
  return false;
}

void AtomSearch::consider(std::vector<Atom> Set, Line &Along) const {
  if (Along.Explains.size() < MaxSets &&
      std::find(Along.Explains.begin(), Along.Explains.end(), Set) == Along.Explains.end() && explains(Set, Along))
    Along.Explains.push_back(std::move(Set));
}

/// Levels of a pyramid, blocks in blocks: floors, or ceilings, of all divisors of the period.
void AtomSearch::considerChains(Line &Along) const {
  if (Along.Period == 0)
    return;
  const auto Whole = static_cast<std::int64_t>(Along.Period);
  for (bool Ceil : {false, true}) {
    std::vector<Atom> Chain;
    for (std::int64_t Part = Whole; Part >= 2; --Part)
      if (Whole % Part == 0)
        Chain.push_back({rounding::Blocks{Part, Ceil ? Part - 1 : 0}, Along.Symbol});
    if (Chain.size() > 1 && Chain.size() <= 6)
      consider(std::move(Chain), Along);
  }
}

/// Symbol plus or minus each choice of the others, and products of them.
std::vector<Polynomial> AtomSearch::sums(std::size_t Symbol) const {
  const std::size_t Count = Base.size();
  constexpr std::size_t MostTerms = 3;
  std::vector<Polynomial> Found{Polynomial::variable(Count, Symbol)};
  for (std::size_t I = 0; I < Count; ++I) {
    if (I == Symbol)
      continue;
    for (std::size_t Place = 0, End = Found.size(); Place < End; ++Place)
      for (std::int64_t Times : {1, -1, 2})
        if (Found[Place].termCount() < MostTerms)
          Found.push_back(Found[Place] + Polynomial::variable(Count, I).scaled(Rational(Times)));
  }
  return Found;
}

std::vector<Polynomial> AtomSearch::products(std::size_t Symbol) const {
  const std::size_t Count = Base.size();
  std::vector<Polynomial> Found{Polynomial::variable(Count, Symbol)};
  for (std::size_t I = 0; I < Count && Found.size() <= 16; ++I)
    if (I != Symbol)
      for (std::size_t Place = 0, End = Found.size(); Place < End; ++Place)
        Found.push_back(Found[Place] * Polynomial::variable(Count, I));
  std::erase_if(Found, [](const Polynomial &P) { return P.degree() > 3; });
  return Found;
}

/// Blocks whose size is a symbol, and blocks of a sum or a product.
void AtomSearch::considerQuotients(Line &Along) const {
  if (Along.Period == 0)
    return;
  const std::size_t Count = Base.size();
  const auto Period = static_cast<std::int64_t>(Along.Period);
  // Extents of the base are primes: a period that is one of them is no other size, and few sets are kept.
  const Polynomial Less = Polynomial::constant(Count, Rational(-1)), More = Polynomial::constant(Count, Rational(1));
  for (std::size_t By = 0; By < Count; ++By)
    if (const Polynomial Up = Polynomial::variable(Count, By) + Less; By != Along.Symbol && Base[By] == Period)
      for (const Polynomial &Sum : sums(Along.Symbol))
        for (const Polynomial &Rest : {Polynomial(Count), Up, Less, More}) {
          Atom Made{rounding::Blocks{1, 0, By}, Along.Symbol, Sum + Rest};
          consider({Made}, Along);
        }
  for (const Polynomial &Product : products(Along.Symbol))
    for (std::int64_t Factor : {1, 3, 5})
      for (std::int64_t Offset : {Period - 1, std::int64_t(0)})
        consider({withInner(rounding::Blocks{Period, Offset}, Product.scaled(Rational(Factor)))}, Along);
  for (const Polynomial &Sum : sums(Along.Symbol))
    for (std::int64_t Offset = 0; Sum.termCount() > 1 && Offset < Period; ++Offset)
      consider({withInner(rounding::Blocks{Period, Offset}, Sum)}, Along);
}

/// Powers of two, sizes of transforms, roots and levels, of sums and of products.
void AtomSearch::considerRounded(Line &Along) const {
  const std::size_t Count = Base.size();
  std::vector<Polynomial> Inner;
  for (const Polynomial &Sum : sums(Along.Symbol))
    for (std::int64_t Offset : {0, -1, 1, -2, 2})
      Inner.push_back(Sum + Polynomial::constant(Count, Rational(Offset)));
  for (const Polynomial &Product : products(Along.Symbol))
    if (Product.degree() > 1)
      for (std::int64_t Offset : {0, -1, 1})
        Inner.push_back(Product + Polynomial::constant(Count, Rational(Offset)));
  for (std::int64_t Factor : {2, 3, 5})
    for (std::int64_t Offset : {0, -1, 1})
      Inner.push_back(Polynomial::variable(Count, Along.Symbol).scaled(Rational(Factor)) +
                      Polynomial::constant(Count, Rational(Offset)));
  // Where steps are a power of two apart, they tell the distance to one.
  for (std::size_t I = 0; I + 1 < Along.Steps.size(); ++I) {
    const std::int64_t Gap = Along.Steps[I + 1] - Along.Steps[I];
    if (Gap >= 8 && std::has_single_bit(static_cast<std::uint64_t>(Gap)))
      Inner.push_back(Polynomial::variable(Count, Along.Symbol) +
                      Polynomial::constant(Count, Rational(Gap + 1 - Along.Steps[I])));
  }
  static constexpr rounding::Any Roundings[] = {rounding::PowerOfTwo(), rounding::Log2(),    rounding::Root(),
                                                rounding::Smooth{5},    rounding::Smooth{7}, rounding::Smooth{3}};
  for (const Polynomial &Of : Inner)
    for (const rounding::Any &How : Roundings)
      consider({withInner(How, Of)}, Along);
}

/// The limit of Product that all lines along Symbol agree with.
std::optional<std::int64_t> AtomSearch::limitOf(const Polynomial &Product, std::size_t Symbol) {
  std::int64_t Low = 0, High = INT64_MAX;
  // The others at their base, and smaller and larger: the limit lies between Product at the last extent and at the
  // next.
  for (std::int64_t Part : {4, 8, 6, 3, 16, 2, 10, 1}) {
    Shape Through = Base;
    for (std::size_t I = 0; I < Base.size(); ++I)
      if (I != Symbol && Product.dependsOn(I))
        Through[I] = std::clamp(Base[I] * Part / 4 + (Part != 4), Box.Ranges[I].Low, Box.Ranges[I].High);
    std::optional<std::int64_t> Last = lastOfLow(Through, Symbol);
    if (!Last)
      continue;
    Through[Symbol] = *Last;
    std::optional<std::int64_t> Below = Product.evaluate(Through).toInt64();
    ++Through[Symbol];
    std::optional<std::int64_t> Beyond = Product.evaluate(Through).toInt64();
    if (!Below || !Beyond)
      return std::nullopt;
    Low = std::max(Low, *Below);
    High = std::min(High, *Beyond - 1);
    if (Low > High)
      return std::nullopt;
  }
  if (High == INT64_MAX)
    return std::nullopt;
  return roundest(Low, High);
}

/// Sizes that are capped, and buffers that are needed only beyond a size, or up to one.
void AtomSearch::considerThresholds(Line &Along) {
  if (Near || !lastOfLow(Base, Along.Symbol))
    return;
  for (const auto &Inner : {products(Along.Symbol), sums(Along.Symbol)})
    for (const Polynomial &Of : Inner) {
      if (Along.Explains.size() >= MaxSets)
        return;
      std::optional<std::int64_t> Limit = limitOf(Of, Along.Symbol);
      if (!Limit || *Limit < 1)
        continue;
      for (const rounding::Any &How : {rounding::Any(rounding::Least{*Limit}), rounding::Any(rounding::Above{*Limit})})
        consider({withInner(How, Of)}, Along);
    }
}

void AtomSearch::explain(Line &Along) {
  considerChains(Along);
  if (Along.Period && Along.Explains.empty())
    for (std::int64_t Offset = 0; Offset < static_cast<std::int64_t>(Along.Period); ++Offset)
      consider({{rounding::Blocks{static_cast<std::int64_t>(Along.Period), Offset}, Along.Symbol}}, Along);
  considerQuotients(Along);
  if (Along.Explains.empty())
    considerThresholds(Along);
  // What is smooth near the base rounds nothing there.
  if ((Along.Explains.empty() || Along.Period == 0) && !Along.Steps.empty())
    considerRounded(Along);
}

/// One set that explains each line, from those that explain single ones.
void AtomSearch::combine(const std::vector<Line> &Lines, std::vector<Atom> Set,
                         std::vector<std::vector<Atom>> &Found) const {
  if (Found.size() >= MaxCombined)
    return;
  auto Open = std::find_if(Lines.begin(), Lines.end(), [&](const Line &L) { return !explains(Set, L); });
  if (Open == Lines.end()) {
    Found.push_back(std::move(Set));
    return;
  }
  for (const std::vector<Atom> &More : Open->Explains) {
    std::vector<Atom> Both = Set;
    for (const Atom &A : More)
      if (std::find(Both.begin(), Both.end(), A) == Both.end())
        Both.push_back(A);
    if (Both.size() > Set.size() && Both.size() <= 8)
      combine(Lines, std::move(Both), Found);
  }
}

std::vector<std::vector<Atom>> AtomSearch::candidates() {
  std::vector<Line> Lines;
  for (std::size_t I = 0; I < Base.size() && !Sample.outOfTime(); ++I) {
    if (Box.Ranges[I].Low == Box.Ranges[I].High)
      continue;
    Line Along;
    Along.Symbol = I;
    if (!look(Along))
      return {};
    if (explains({}, Along))
      continue;
    findSteps(Along);
    Lines.push_back(std::move(Along));
  }
  for (Line &Along : Lines) {
    explain(Along);
    if (Sample.outOfTime())
      return {};
  }
  // A line that no atom by itself explains may be one where those of two others meet.
  auto Explained = [](const Line &L) { return !L.Explains.empty(); };
  std::vector<Line> Ordered;
  std::copy_if(Lines.begin(), Lines.end(), std::back_inserter(Ordered), Explained);
  std::remove_copy_if(Lines.begin(), Lines.end(), std::back_inserter(Ordered), Explained);
  std::vector<std::vector<Atom>> Found;
  if (!Ordered.empty())
    combine(Ordered, {}, Found);
  // Few atoms first; the order of equal ones is kept.
  std::vector<std::vector<Atom>> Sorted;
  for (std::size_t Size = 1; Sorted.size() < Found.size(); ++Size)
    std::copy_if(Found.begin(), Found.end(), std::back_inserter(Sorted),
                 [&](const std::vector<Atom> &Set) { return Set.size() == Size; });
  return Sorted;
}

} // namespace memshape
