// How floating-point arithmetic rounds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cfenv>
#include <cstdint>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace memshape {

/// States in which an operator's caller may have put floating-point arithmetic.
enum class Rounding : std::uint8_t { Nearest, Downward, Upward, TowardZero, FlushedToZero, DoubleInX87, FloatInX87 };
inline constexpr std::uint64_t Roundings = 7;

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
      flushToZero();
      break;
    case Rounding::DoubleInX87:
      setPrecision(0x200);
      break;
    case Rounding::FloatInX87:
      setPrecision(0);
      break;
    }
  }
  void restore() { std::fesetenv(&Before); }

private:
  static void flushToZero() {
#if defined(__SSE__)
    constexpr unsigned FlushToZero = 1u << 15, DenormalsAreZero = 1u << 6;
    _mm_setcsr(_mm_getcsr() | FlushToZero | DenormalsAreZero);
#endif
  }

  /// Mantissas that x87 instructions, of `long double`, round to.
  static void setPrecision(unsigned short Bits) {
#if defined(__x86_64__)
    unsigned short Control;
    __asm__("fnstcw %0" : "=m"(Control));
    Control = static_cast<unsigned short>((Control & ~0x300u) | Bits);
    __asm__ volatile("fldcw %0" : : "m"(Control));
#else
    (void)Bits;
#endif
  }
  std::fenv_t Before = {};
};

} // namespace memshape
