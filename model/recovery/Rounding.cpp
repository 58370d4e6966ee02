// Does a footprint round a symbol?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/recovery/Rounding.h"

#include <algorithm>

namespace memshape {

namespace {

/// Differences of this order vanish on a polynomial of degree four.
constexpr std::size_t DifferenceOrder = 5;

/// Values that are looked at in any case; enough to cross a power of two.
constexpr std::size_t LongLook = 140;

/// Periods that code rounds to: small factors, vector and cache-line widths in elements.
constexpr std::int64_t Periods[] = {2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32, 48, 64};

/// True when every run of values Step apart, between First and Last, is a polynomial of degree four.
bool polynomialInSteps(const std::vector<std::int64_t> &Values, std::size_t Step, std::size_t First, std::size_t Last) {
  static constexpr int Binomials[] = {-1, 5, -10, 10, -5, 1};
  for (std::size_t Start = First; Start + DifferenceOrder * Step <= Last; ++Start) {
    Int128 Sum = 0;
    for (std::size_t K = 0; K <= DifferenceOrder; ++K)
      Sum += Int128(Binomials[K]) * Values[Start + K * Step];
    if (Sum != 0)
      return false;
  }
  return true;
}

class Axis {
public:
  Axis(std::size_t Symbol, const Shape &Base, std::int64_t MaxValue, std::size_t Index, Sampler &Sample)
      : Symbol(Symbol), Base(Base), MaxValue(MaxValue), Index(Index), Sample(Sample) {}

  /// Makes Values hold Count values from the base on; false where there are none.
  bool extendTo(std::size_t Count) {
    std::vector<Shape> More;
    for (std::size_t I = Values.size(); I < Count; ++I) {
      More.push_back(Base);
      if ((More.back()[Symbol] += static_cast<std::int64_t>(I)) > MaxValue)
        return false;
    }
    Sample.prefetch(More);
    while (Values.size() < Count) {
      Shape At = Base;
      At[Symbol] += static_cast<std::int64_t>(Values.size());
      if (At[Symbol] > MaxValue)
        return false;
      std::optional<std::int64_t> Value = Sample(At, Index);
      if (!Value)
        return false;
      Values.push_back(*Value);
    }
    return true;
  }

  /// The polynomial with this rounding, when it holds all along the values seen. Only this axis is active.
  std::optional<Polynomial> fit(const Atom &Rounding) {
    std::vector<SymbolUse> Uses(Base.size());
    for (SymbolUse &Use : Uses)
      Use.Active = false;
    Uses[Symbol] = {true, Rounding};
    std::optional<Polynomial> Fitted = fitNear(Base, Uses, Index, Sample);
    if (!Fitted)
      return std::nullopt;
    Formula Whole(atomsOf(Uses), {*Fitted});
    Shape At = Base;
    for (std::int64_t Value : Values) {
      if (!(Whole.evaluate(At) == Rational(Value)))
        return std::nullopt;
      ++At[Symbol];
    }
    return Fitted;
  }

  std::vector<std::int64_t> Values;
  std::size_t Symbol;
  const Shape &Base;

private:
  std::int64_t MaxValue;
  std::size_t Index;
  Sampler &Sample;
};

/// Long blocks are polynomials in between: worth a long look only where these begin anew at least twice.
bool hasBlocks(const std::vector<std::int64_t> &Values) {
  unsigned Begins = 0;
  bool Inside = false;
  for (std::size_t Start = 0; Start + DifferenceOrder < Values.size(); ++Start) {
    const bool Smooth = polynomialInSteps(Values, 1, Start, Start + DifferenceOrder);
    Begins += Smooth && !Inside;
    Inside = Smooth;
  }
  return Begins > 2;
}

/// The offset that leaves the fewest terms: ceil(n/8) rather than floor(n/8) and a correction.
std::optional<Atom> findPeriod(Axis &Along) {
  for (std::int64_t Period : Periods) {
    std::size_t Count = static_cast<std::size_t>(Period) * (DifferenceOrder + 2);
    if (Count > LongLook && Along.Values.size() >= LongLook && !hasBlocks(Along.Values))
      return std::nullopt;
    if (!Along.extendTo(Count))
      return std::nullopt;
    if (!polynomialInSteps(Along.Values, static_cast<std::size_t>(Period), 0, Along.Values.size() - 1))
      continue;
    std::optional<Atom> Best;
    std::size_t BestTerms = 0;
    for (std::int64_t Offset = 0; Offset < Period; ++Offset) {
      Atom Rounding{rounding::Blocks{Period, Offset}, Along.Symbol};
      std::optional<Polynomial> Fitted = Along.fit(Rounding);
      if (Fitted && (!Best || Fitted->termCount() < BestTerms)) {
        Best = Rounding;
        BestTerms = Fitted->termCount();
      }
    }
    return Best;
  }
  return std::nullopt;
}

/// Where a recursion into halves ends. Odd values are no halves, and lie on a polynomial; even ones do up to the
/// threshold.
std::optional<Atom> findHalving(Axis &Along) {
  const std::vector<std::int64_t> &Values = Along.Values;
  const std::int64_t First = Along.Base[Along.Symbol];
  std::size_t Odd = First % 2 == 0;
  std::vector<std::int64_t> AtOdd;
  for (std::size_t I = Odd; I < Values.size(); I += 2)
    AtOdd.push_back(Values[I]);
  if (!polynomialInSteps(AtOdd, 1, 0, AtOdd.size() - 1))
    return std::nullopt;
  // The polynomial of degree four through the odd values around an even one.
  auto LiesOnIt = [&](std::size_t Even) {
    static constexpr int Weights[] = {3, -20, 90, 60, -5};
    Int128 Sum = 0;
    for (std::size_t K = 0; K < std::size(Weights); ++K)
      Sum += Int128(Weights[K]) * Values[Even - 5 + 2 * K];
    return Sum == Int128(128) * Values[Even];
  };
  std::optional<std::int64_t> Threshold;
  std::size_t Even = Odd + 5;
  for (; Even + 3 < Values.size() && LiesOnIt(Even); Even += 2)
    Threshold = First + static_cast<std::int64_t>(Even);
  if (Even + 3 >= Values.size())
    return std::nullopt;
  for (std::size_t Later = Even; Later + 3 < Values.size(); Later += 2)
    if (LiesOnIt(Later))
      return std::nullopt;
  // Below what was seen all thresholds look alike; small ones are tried.
  std::vector<std::int64_t> Tried;
  if (Threshold)
    Tried.push_back(*Threshold);
  else
    for (std::int64_t Small = First + 4; Small >= 1; --Small)
      if (Small == 1 || Small % 2 == 0)
        Tried.push_back(Small);
  for (std::int64_t Ends : Tried) {
    Atom Rounding{rounding::Halved{Ends}, Along.Symbol};
    if (Along.fit(Rounding))
      return Rounding;
  }
  return std::nullopt;
}

} // namespace

AxisFinding lookAlong(std::size_t Symbol, const Shape &Base, std::int64_t MaxValue, std::size_t Index,
                      Sampler &Sample) {
  Axis Along(Symbol, Base, MaxValue, Index, Sample);
  AxisFinding Found;
  Found.Use.Rounding = {rounding::None(), Symbol};
  if (!Along.extendTo(LongLook) && !Along.extendTo(24))
    return Found;
  bool Constant = std::all_of(Along.Values.begin(), Along.Values.end(),
                              [&](std::int64_t Value) { return Value == Along.Values.front(); });
  if (Constant) {
    Found.Kind = AxisKind::Constant;
    return Found;
  }
  if (polynomialInSteps(Along.Values, 1, 0, Along.Values.size() - 1)) {
    Found.Kind = AxisKind::Polynomial;
    return Found;
  }
  std::optional<Atom> Rounding = findPeriod(Along);
  if (!Rounding && Along.extendTo(LongLook)) {
    Atom Power{rounding::PowerOfTwo(), Symbol};
    if (Along.fit(Power))
      Rounding = Power;
    else
      Rounding = findHalving(Along);
  }
  if (Rounding) {
    Found.Kind = AxisKind::Rounded;
    Found.Use.Rounding = *Rounding;
  }
  return Found;
}

} // namespace memshape
