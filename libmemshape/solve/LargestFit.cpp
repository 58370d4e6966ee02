// The greatest value that fits, with all smaller ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/solve/LargestFit.h"
#include "libmemshape/text/Try.h"

#include <algorithm>
#include <map>
#include <set>

namespace memshape {

namespace {

using v1::ErrorCode;
using v1::Expected;

/// What does not fit 63 bits.
constexpr std::uint64_t TooLarge = INT64_MAX;
/// The least value that is allowed is looked for up to here.
constexpr std::int64_t MostLeast = 1 << 12;
/// Values that are all asked for: one by one, and many at once.
constexpr std::int64_t MostTried = 64, MostTriedAtOnce = 20'000, AtOnce = 500;
/// Smaller values at which an answer is tried, and larger ones at which it may fit again.
constexpr int Tried = 24, TriedBeyond = 12;

class FitSearch {
public:
  explicit FitSearch(const FitQuestion &Of) : Of(Of) {}

  Expected<Fit> run() {
    MEMSHAPE_CHECK(findLeast());
    if (!fits(Found.Least)) {
      Found.Next = {Found.Least, bytesAt(Found.Least)};
      Found.Proven = true;
    } else {
      const bool Lawful = followLaw();
      if (!Lawful)
        bracket(Found.Least, Of.Values.High);
      // One that is smaller and does not fit moves the answer down.
      while (const std::optional<std::int64_t> Less = smallerMisfit())
        bracket(Found.Least, *Less);
      Found.Proven = tryEach() || (Lawful && isLawful());
      Found.Bytes = bytesAt(*Found.Largest);
      if (*Found.Largest < Of.Values.High)
        Found.Next = {*Found.Largest + 1, bytesAt(*Found.Largest + 1)};
    }
    if (Found.Next)
      lookBeyond();
    if (Wrong)
      return *Wrong;
    return Found;
  }

private:
  /// Kept. Where there is no such call it does not fit.
  std::uint64_t bytesAt(std::int64_t Value) {
    if (const auto Before = Known.find(Value); Before != Known.end())
      return Before->second;
    const Expected<std::uint64_t> Bytes = Of.Ask(Value);
    if (!Bytes && Bytes.error().code != ErrorCode::too_large && Bytes.error().code != ErrorCode::no_answer)
      Wrong = Bytes.error();
    return Known[Value] = Bytes ? *Bytes : TooLarge;
  }
  bool fits(std::int64_t Value) { return isWithin(bytesAt(Value)); }
  bool isWithin(std::uint64_t Bytes) const { return Bytes <= Of.MemoryBytes && Bytes < TooLarge; }

  std::optional<std::uint64_t> lawAt(std::int64_t Value) const {
    Shape At = Of.At;
    At[Of.Symbol] = Value;
    const std::optional<std::int64_t> Bytes = Of.Law->evaluate(At).toInt64();
    return Bytes && *Bytes >= 0 ? std::optional(static_cast<std::uint64_t>(*Bytes)) : std::nullopt;
  }
  bool agrees(std::int64_t Value) { return bytesAt(Value) == lawAt(Value).value_or(TooLarge); }

  /// The least value with an answer.
  std::optional<v1::Error> findLeast() {
    const auto Answers = [&](std::int64_t Value) { return Of.Ask(Value).has_value(); };
    const Expected<std::uint64_t> First = Of.Ask(Of.Values.Low);
    Found.Least = Of.Values.Low;
    if (First || First.error().code == ErrorCode::too_large)
      return std::nullopt;
    std::int64_t Without = Of.Values.Low, With = 0;
    for (std::int64_t Value = 2; !With && Value <= std::min(MostLeast, Of.Values.High); Value *= 2)
      (Answers(Value) ? With : Without) = Value;
    if (!With)
      return First.error();
    while (With - Without > 1) {
      const std::int64_t Middle = Without + (With - Without) / 2;
      (Answers(Middle) ? With : Without) = Middle;
    }
    Found.Least = With;
    return std::nullopt;
  }

  /// Takes the formula's answer where what is predicted on its two sides agrees.
  bool followLaw() {
    if (!Of.Law)
      return false;
    const Rational Limit(static_cast<std::int64_t>(std::min<std::uint64_t>(Of.MemoryBytes, TooLarge - 1)));
    const Reach Reached = reachWithin(*Of.Law, Of.At, Of.Symbol, {Found.Least, Of.Values.High}, Limit);
    if (!Reached.Complete || Reached.Last < Found.Least || !agrees(Reached.Last))
      return false;
    if (Reached.Last < Of.Values.High && (fits(Reached.Last + 1) || !agrees(Reached.Last + 1)))
      return false;
    Found.Largest = Reached.Last;
    return isLawful();
  }

  /// The formula says what is predicted at smaller values, too.
  bool isLawful() {
    for (std::int64_t Value : smaller())
      if (!agrees(Value))
        return false;
    return true;
  }

  /// Values up to the answer: small ones, large ones, neighbours.
  std::set<std::int64_t> smaller() const {
    std::set<std::int64_t> Values;
    const std::int64_t Least = Found.Least, Most = *Found.Largest;
    for (int I = 1; I <= Tried / 3; ++I) {
      Values.insert(std::max(Least, Most - I));
      Values.insert(Least + (Most - Least) / (Tried / 3 + 1) * I);
      Values.insert(std::min(Most, std::max(Least, Most >> I)));
    }
    return Values;
  }

  /// The answer between a value that fits and one that is not known to, as if bytes grew.
  void bracket(std::int64_t Fitting, std::int64_t End) {
    std::int64_t Last = Fitting, Step = 1;
    while (Last < End) {
      const std::int64_t Next = Step < End - Last ? Last + Step : End;
      if (!fits(Next)) {
        End = Next - 1;
        break;
      }
      Last = Next;
      Step = Step <= INT64_MAX / 2 ? 2 * Step : Step;
    }
    while (Last < End) {
      const std::int64_t Middle = Last + (End - Last - 1) / 2 + 1;
      if (fits(Middle))
        Last = Middle;
      else
        End = Middle - 1;
    }
    Found.Largest = Last;
  }

  /// The least of those that are known to be no answer, below the answer.
  std::optional<std::int64_t> smallerMisfit() {
    for (std::int64_t Value : smaller())
      bytesAt(Value);
    for (const auto &[Value, Bytes] : Known)
      if (Value >= Found.Least && Value < *Found.Largest && !isWithin(Bytes))
        return Value - 1;
    return std::nullopt;
  }

  /// Each value up to the answer, where that takes no time. The answer moves down to the first that does not fit.
  bool tryEach() {
    const std::int64_t Count = *Found.Largest - Found.Least;
    if (Count < MostTried) {
      for (std::int64_t Value = Found.Least; Value < *Found.Largest; ++Value)
        if (!fits(Value))
          Found.Largest = Value - 1;
      return true;
    }
    if (!Of.AskMany || Count > MostTriedAtOnce)
      return false;
    for (std::int64_t Begin = Found.Least; Begin <= *Found.Largest; Begin += AtOnce) {
      std::vector<std::int64_t> Values;
      for (std::int64_t Value = Begin; Value <= *Found.Largest && Value < Begin + AtOnce; ++Value)
        Values.push_back(Value);
      const std::vector<std::uint64_t> Bytes = Of.AskMany(Values);
      for (std::size_t I = 0; I < Bytes.size(); ++I) {
        if (const auto Before = Known.find(Values[I]); Before != Known.end() && Before->second != Bytes[I])
          return false; // it is not what is predicted
        if (!isWithin(Bytes[I])) {
          Found.Largest = Values[I] - 1;
          return bytesAt(Values[I]) == Bytes[I];
        }
      }
      if (Bytes.size() < Values.size())
        return false;
    }
    return true;
  }

  /// A larger value that fits again.
  void lookBeyond() {
    const std::int64_t First = Found.Next->first, Most = Of.Values.High;
    std::int64_t Step = 1;
    for (std::int64_t Value = First; !Found.Again && Value <= Most - Step && Step < First; Step += Step < 64 ? 1 : Step)
      if (const std::int64_t Larger = Value + Step;
          Of.Law ? isWithin(lawAt(Larger).value_or(TooLarge)) && fits(Larger) : Step <= TriedBeyond && fits(Larger))
        Found.Again = Larger;
  }

  const FitQuestion &Of;
  Fit Found;
  std::map<std::int64_t, std::uint64_t> Known;
  std::optional<v1::Error> Wrong;
};

} // namespace

Expected<Fit> largestFit(const FitQuestion &Of) { return FitSearch(Of).run(); }

} // namespace memshape
