// What code makes of sizes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of formulas on integers (docs/formats.md), for atoms and for formulas that were read from text.
// Nothing where a value is not defined or does not fit.

#pragma once

#include <cstdint>
#include <optional>

namespace memshape {

/// The least power of two that is not below Value; up to 2^62.
std::optional<std::int64_t> nextPowerOfTwo(std::int64_t Value);

/// Value, divided by two as long as it is even and above End. End is positive.
std::optional<std::int64_t> halved(std::int64_t Value, std::int64_t End);

/// The least positive integer not below Value, up to 2^40, whose prime factors are 2 or odd primes up to Largest
/// and 13.
std::optional<std::int64_t> nextSmooth(std::int64_t Value, std::int64_t Largest);

/// The integer part of the square root. Value is not negative.
std::optional<std::int64_t> integerRoot(std::int64_t Value);

/// The integer part of the binary logarithm, 0 for 0. Value is not negative.
std::optional<std::int64_t> integerLog2(std::int64_t Value);

} // namespace memshape
