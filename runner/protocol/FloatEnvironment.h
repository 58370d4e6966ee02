//===- FloatEnvironment.h - How floating-point arithmetic rounds ---------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SKELETON_FLOATENVIRONMENT_H
#define MEMSHAPE_SKELETON_FLOATENVIRONMENT_H

#include <cfenv>
#include <cstdint>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace memshape {

/// States in which an operator's caller may have put floating-point arithmetic.
enum class Rounding : std::uint8_t { Nearest, Downward, Upward, TowardZero, FlushedToZero };
inline constexpr std::uint64_t Roundings = 5;

/// Sets such a state, and restores the one before.
class FloatEnvironment {
public:
  void set(Rounding How) {
    std::fegetenv(&Before);
    switch (How) {
    case Rounding::Nearest:
      break;
    case Rounding::Downward:
      std::fesetround(FE_DOWNWARD);
      break;
    case Rounding::Upward:
      std::fesetround(FE_UPWARD);
      break;
    case Rounding::TowardZero:
      std::fesetround(FE_TOWARDZERO);
      break;
    case Rounding::FlushedToZero:
#if defined(__SSE__)
      constexpr unsigned FlushToZero = 1u << 15, DenormalsAreZero = 1u << 6;
      _mm_setcsr(_mm_getcsr() | FlushToZero | DenormalsAreZero);
#endif
      break;
    }
  }
  void restore() { std::fesetenv(&Before); }

private:
  std::fenv_t Before = {};
};

} // namespace memshape

#endif // MEMSHAPE_SKELETON_FLOATENVIRONMENT_H
