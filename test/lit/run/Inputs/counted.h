// Counts what arguments and calls really take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A test with many operators calls each of them by `counted(OPERATOR, SHAPE, SETTINGS, make, call)`: `make` builds the
// argument as a caller does, `call` hands it over and returns the result. What the two take is counted by %counting,
// which nothing of memshape sees, and printed for typed.py, which holds predictions against it.

#pragma once

#include <cstdio>

extern "C" {
void counting_begin(void);
void counting_end(long *figures); ///< peak, total and allocations
long counting_live(void);
}

template <class Make, class Call>
void counted(const char *name, const char *shape, const char *settings, Make make, Call call) {
  long figures[3];
  counting_begin();
  auto argument = make();
  counting_end(figures);
  const long held = counting_live();
  for (int turn = 0; turn < 2; ++turn) {
    counting_begin();
    auto result = call(argument);
    counting_end(figures);
    if (turn)
      std::printf("%s|%s|%s|%ld|%ld|%ld|%ld|%ld\n", name, shape, settings, held, figures[0], figures[1], figures[2],
                  counting_live());
    (void)result;
  }
}

/// The usual case: an operator of one argument. ARGUMENT stands in parentheses.
#define COUNTED(OPERATOR, SHAPE, ARGUMENT)                                                                             \
  counted(#OPERATOR, SHAPE, "", [] { return ARGUMENT; }, [](auto &a) { return OPERATOR(a); })
