// What code makes of sizes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/formula/IntegerFunctions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace memshape {

/// Sizes with small factors are dense; beyond this they are not looked for.
constexpr std::int64_t LargestSmooth = std::int64_t(1) << 40;

constexpr std::int64_t OddPrimes[] = {3, 5, 7, 11, 13};

/// Products and what comes of multiplying them by odd primes up to Largest, none above End.
static std::vector<std::int64_t> multiplied(std::vector<std::int64_t> Products, std::int64_t Largest,
                                            std::int64_t End) {
  for (std::int64_t Prime : OddPrimes)
    for (std::size_t I = 0; Prime <= Largest && I < Products.size(); ++I)
      if (Products[I] <= End / Prime)
        Products.push_back(Products[I] * Prime);
  return Products;
}

/// The extents of samples, and sums of them, are small: what comes next among those is looked up.
constexpr std::int64_t LookedUp = 1 << 14;

static std::int64_t nextSmallSmooth(std::int64_t Value, std::int64_t Largest) {
  static const auto Tables = [] {
    std::vector<std::int64_t> Powers;
    for (std::int64_t Power = 1; Power <= LookedUp; Power *= 2)
      Powers.push_back(Power);
    std::array<std::vector<std::int64_t>, std::size(OddPrimes) + 1> Made;
    for (std::size_t I = 0; I < Made.size(); ++I) {
      Made[I] = multiplied(Powers, I ? OddPrimes[I - 1] : 2, LookedUp);
      std::sort(Made[I].begin(), Made[I].end());
    }
    return Made;
  }();
  const auto Which = std::upper_bound(std::begin(OddPrimes), std::end(OddPrimes), Largest) - std::begin(OddPrimes);
  const std::vector<std::int64_t> &Of = Tables[static_cast<std::size_t>(Which)];
  return *std::lower_bound(Of.begin(), Of.end(), Value);
}

/// The least product of prime factors up to Largest that is not below Value: odd ones, each filled with twos.
static std::int64_t nextLargeSmooth(std::int64_t Value, std::int64_t Largest) {
  std::int64_t Best = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(Value)));
  for (std::int64_t Product : multiplied({1}, Largest, Best)) {
    while (Product < Value)
      Product *= 2;
    Best = std::min(Best, Product);
  }
  return Best;
}

std::optional<std::int64_t> nextPowerOfTwo(std::int64_t Value) {
  if (Value > (std::int64_t(1) << 62))
    return std::nullopt;
  return Value <= 1 ? 1 : static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(Value)));
}

std::optional<std::int64_t> halved(std::int64_t Value, std::int64_t End) {
  if (End < 1)
    return std::nullopt;
  while (Value > End && Value % 2 == 0)
    Value /= 2;
  return Value;
}

std::optional<std::int64_t> nextSmooth(std::int64_t Value, std::int64_t Largest) {
  if (Value > LargestSmooth)
    return std::nullopt;
  if (Value <= 1)
    return 1;
  return Value <= LookedUp ? nextSmallSmooth(Value, Largest) : nextLargeSmooth(Value, Largest);
}

std::optional<std::int64_t> integerRoot(std::int64_t Value) {
  if (Value < 0)
    return std::nullopt;
  std::int64_t Low = 0, High = 3037000499; // whose square is the last that fits
  while (Low < High) {
    std::int64_t Middle = Low + (High - Low + 1) / 2;
    if (Middle * Middle <= Value)
      Low = Middle;
    else
      High = Middle - 1;
  }
  return Low;
}

std::optional<std::int64_t> integerLog2(std::int64_t Value) {
  if (Value < 0)
    return std::nullopt;
  return Value == 0 ? 0 : std::bit_width(static_cast<std::uint64_t>(Value)) - 1;
}

} // namespace memshape
