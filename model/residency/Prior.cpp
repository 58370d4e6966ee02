// What is believed of an operator that nobody has run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/residency/Prior.h"

#include <charconv>
#include <cstdio>
#include <numbers>
#include <vector>

namespace memshape {

constexpr std::string_view Head = "memshape-model 1";
constexpr std::size_t MostNumbers = 4096;

static std::string digits(double Value) {
  char Text[40];
  std::snprintf(Text, sizeof Text, "%.9g", Value);
  return Text;
}

/// "name number number ..." into numbers; false where something else stands there.
static bool readNumbers(std::string_view Text, std::vector<double> &Into) {
  while (true) {
    while (!Text.empty() && Text.front() == ' ')
      Text.remove_prefix(1);
    if (Text.empty())
      return true;
    double Value = 0;
    auto [End, Error] = std::from_chars(Text.data(), Text.data() + Text.size(), Value);
    if (Error != std::errc() || !std::isfinite(Value) || Into.size() >= MostNumbers)
      return false;
    Into.push_back(Value);
    Text.remove_prefix(static_cast<std::size_t>(End - Text.data()));
  }
}

/// The members of a spread, in the order of the model file.
constexpr double Spread::*Members[] = {&Spread::BaseBytes, &Spread::WideBytes,  &Spread::WideOdds,
                                       &Spread::Untouched, &Spread::HeapFactor, &Spread::HeapOdds,
                                       &Spread::Noise,     &Spread::NoiseFloor, &Spread::Shape};

constexpr double CeilingScale::*CeilingMembers[] = {&CeilingScale::Base, &CeilingScale::Library, &CeilingScale::Share};

constexpr double OwnMemory::*OwnMembers[] = {&OwnMemory::Median, &OwnMemory::Deviation, &OwnMemory::TensorOdds};

template <class Of, std::size_t Count>
static bool take(const std::vector<double> &Numbers, double Of::*const (&Into)[Count], Of &To,
                 bool MayBeNothing = false) {
  for (std::size_t I = 0; Numbers.size() == Count && I < Count; ++I) {
    if (!(Numbers[I] > 0 || (MayBeNothing && Numbers[I] == 0)))
      return false;
    To.*Into[I] = Numbers[I];
  }
  return Numbers.size() == Count;
}

/// The first number says which pool it is.
static bool takePool(const std::vector<double> &Numbers, std::array<ScorePool, PoolHistories.size()> &Into) {
  return Numbers.size() >= 2 && Numbers[0] >= 0 && Numbers[0] < static_cast<double>(Into.size()) &&
         ScorePool::fromNumbers({Numbers.begin() + 1, Numbers.end()}, Into[static_cast<std::size_t>(Numbers[0])]);
}

static void appendPools(std::string &Text, const char *Key, const std::array<ScorePool, PoolHistories.size()> &Pools) {
  for (std::size_t I = 0; I < Pools.size(); ++I) {
    if (Pools[I].empty())
      continue;
    Text += std::string("\n") + Key + " " + std::to_string(I);
    for (double Value : Pools[I].numbers())
      Text += " " + digits(Value);
  }
}

double OwnMemory::logDensity(double Bytes) const {
  double Z = std::log(std::max(Bytes, 1.0) / Median) / Deviation;
  return -0.5 * Z * Z - std::log(std::max(Bytes, 1.0) * Deviation) - 0.5 * std::log(2 * std::numbers::pi);
}

double Prior::mean(const Situation &At) const { return Coefficients.dot(priorTerms(At)); }

double CeilingScale::at(const Situation &At, double AllTouched) const {
  return Base + Library * priorTerms(At)[LibraryCount] / LibraryUnit + Share * std::max(AllTouched, 0.0);
}

std::size_t Prior::poolFor(std::size_t Runs) {
  std::size_t Index = 0;
  while (Index + 1 < PoolHistories.size() && PoolHistories[Index + 1] <= Runs)
    ++Index;
  return Index;
}

Prior Prior::uninformed() {
  Prior P;
  P.Coefficients = Row::Zero(static_cast<int>(PriorTerms));
  // Some 0.7 MB for a program and the C library, and 0.4 MB for every library: pages that relocation and the first
  // calls touch, with their neighbours.
  P.Coefficients[Base] = 0.6;
  P.Coefficients[LibraryCount] = 6;
  P.Coefficients[CalledBytes] = 1; // pages that were seen in memory
  P.Coefficients[HeldBytes] = P.Coefficients[HeapBytes] = P.Coefficients[BlockOverhead] = P.Coefficients[OneTimeBytes] =
      1;
  P.Provenance = "untrained";
  return P;
}

std::optional<Prior> Prior::parse(std::string_view Text, std::string *Why) {
  auto Fail = [&](const std::string &What) -> std::optional<Prior> {
    if (Why)
      *Why = What;
    return std::nullopt;
  };
  Prior P;
  std::size_t Line = 0;
  bool HasCoefficients = false, HasSpread = false;
  while (!Text.empty()) {
    std::size_t End = Text.find('\n');
    std::string_view Now = Text.substr(0, End);
    Text.remove_prefix(End == std::string_view::npos ? Text.size() : End + 1);
    if (++Line == 1) {
      if (Now != Head)
        return Fail(Now.starts_with("memshape-model ") ? "it is of another version than this memshape reads"
                                                       : "it is no model of memshape");
      continue;
    }
    std::size_t Blank = Now.find(' ');
    std::string_view Key = Now.substr(0, Blank), Rest = Blank == std::string_view::npos ? "" : Now.substr(Blank + 1);
    std::string Wrong = "line " + std::to_string(Line) + " is not what it should be";
    if (Key == "provenance") {
      P.Provenance = std::string(Rest);
      continue;
    }
    std::vector<double> Numbers;
    if (Key == "coefficients" || Key == "spread" || Key == "pool" || Key == "ceiling" || Key == "ceiling-pool" ||
        Key == "own") {
      if (!readNumbers(Rest, Numbers))
        return Fail(Wrong);
    } else
      continue;
    if (Key == "coefficients") {
      if (Numbers.size() != PriorTerms)
        return Fail(Wrong);
      P.Coefficients = Eigen::Map<Eigen::VectorXd>(Numbers.data(), static_cast<int>(PriorTerms));
      HasCoefficients = true;
    } else if (Key == "spread") {
      if (!take(Numbers, Members, P.Around) || P.Around.Shape <= 1)
        return Fail(Wrong);
      HasSpread = true;
    } else if (Key == "own") {
      if (!take(Numbers, OwnMembers, P.Own))
        return Fail(Wrong);
    } else if (Key == "ceiling" ? !take(Numbers, CeilingMembers, P.Above, true)
                                : !takePool(Numbers, Key == "pool" ? P.Pools : P.CeilingPools))
      return Fail(Wrong);
  }
  if (!HasCoefficients || !HasSpread)
    return Fail("it ends too early");
  return P;
}

std::string Prior::text() const {
  std::string Text(Head);
  Text += "\nprovenance " + Provenance + "\ncoefficients";
  for (double Value : Coefficients)
    Text += " " + digits(Value);
  const auto Append = [&](const char *Key, const auto &Which, const auto &From) {
    Text += std::string("\n") + Key;
    for (auto Member : Which)
      Text += " " + digits(From.*Member);
  };
  Append("spread", Members, Around);
  Append("ceiling", CeilingMembers, Above);
  Append("own", OwnMembers, Own);
  appendPools(Text, "pool", Pools);
  appendPools(Text, "ceiling-pool", CeilingPools);
  return Text + "\n";
}

} // namespace memshape
