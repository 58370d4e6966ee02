// How floating-point arithmetic rounds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cfenv>
#include <cstdint>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace memshape {

/// A state in which an operator's caller may have put floating-point arithmetic: a direction, and denormals that are
/// zero or a precision of x87 instructions. 0: as usual.
class Rounding {
public:
  enum Direction : std::uint32_t { Nearest, Downward, Upward, TowardZero };
  enum Beside : std::uint32_t { Nothing, FlushedToZero, DoubleInX87, FloatInX87 };
  static constexpr std::uint32_t States = 16;

  constexpr explicit Rounding(std::uint32_t State = 0) : State(State) {}
  constexpr Direction direction() const { return Direction(State % 4); }
  constexpr Beside beside() const { return Beside(State / 4); }
  /// It differs from the usual one in two ways.
  constexpr bool isCombined() const { return direction() && beside(); }

private:
  std::uint32_t State;
};

/// What floating-point arithmetic has met. A state that differs in two ways leads elsewhere only where both ways matter:
/// then some number is rounded in a state that differs in one way.
struct FloatEvents {
  static constexpr std::uint32_t Rounded = 1, RoundedInX87 = 2;

  /// These events call for states like How, which is combined, to be tried.
  static constexpr bool callFor(Rounding How, std::uint32_t Events) {
    return Events & (How.beside() == Rounding::FlushedToZero ? Rounded : RoundedInX87);
  }
};

/// Sets such a state, and restores the one before.
class FloatEnvironment {
public:
  void set(Rounding How) {
    constexpr int Directions[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    std::fegetenv(&Before);
    std::feclearexcept(FE_ALL_EXCEPT);
    if (How.direction())
      std::fesetround(Directions[How.direction()]);
    if (How.beside() == Rounding::FlushedToZero)
      flushToZero();
    else if (How.beside())
      setPrecision(How.beside() == Rounding::DoubleInX87 ? 0x200 : 0);
  }

  /// Gives what was met since: flags of FloatEvents.
  std::uint32_t restore() {
    const std::uint32_t Met = events();
    std::fesetenv(&Before);
    return Met;
  }

private:
  static std::uint32_t events() {
    std::uint32_t Met = 0;
#if defined(__SSE__)
    constexpr unsigned Inexact = 1u << 5;
    const unsigned Flags = _mm_getcsr();
    Met |= Flags & Inexact ? FloatEvents::Rounded : 0;
    unsigned short InX87;
    __asm__ volatile("fnstsw %0" : "=m"(InX87));
    Met |= InX87 & Inexact ? FloatEvents::RoundedInX87 : 0;
#endif
    return Met;
  }

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
