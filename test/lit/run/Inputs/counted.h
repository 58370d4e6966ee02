// Counts what arguments and calls really take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A test with many operators calls each of them by `counted(OPERATOR, SHAPE, SETTINGS, make, call)`: `make` builds the
// argument as a caller does, `call` hands it over and returns the result. What the two take is counted by operator new
// of counted.cpp, which nothing of memshape sees, and printed for typed.py, which holds predictions against it.

#pragma once

#include <cstdio>

struct Counts {
  long live, peak, total, allocations; ///< bytes and blocks since the program began; the peak since it was set
};
Counts &counts();

template <class Make, class Call>
void counted(const char *name, const char *shape, const char *settings, Make make, Call call) {
  Counts &now = counts();
  const long outside = now.live;
  auto argument = make();
  for (int turn = 0; turn < 2; ++turn) {
    const Counts before = now;
    now.peak = now.live;
    auto result = call(argument);
    if (turn)
      std::printf("%s|%s|%s|%ld|%ld|%ld|%ld|%ld\n", name, shape, settings, before.live - outside,
                  now.peak - before.live, now.total - before.total, now.allocations - before.allocations,
                  now.live - before.live);
    (void)result;
  }
}

/// The usual case: an operator of one argument. ARGUMENT stands in parentheses.
#define COUNTED(OPERATOR, SHAPE, ARGUMENT)                                                                             \
  counted(#OPERATOR, SHAPE, "", [] { return ARGUMENT; }, [](auto &a) { return OPERATOR(a); })
