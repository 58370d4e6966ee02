// Counts what arguments and calls really take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A test with many operators calls each of them by `counted(OPERATOR, SHAPE, SETTINGS, make, call)`: `make` builds the
// argument as a caller does, `call` hands it over and returns the result. What the two take is counted by %counting,
// which nothing of memshape sees, and printed for typed.py, which holds predictions against it.

#pragma once

#include "../../../e2e/hostile/counting.h"

#include <cstdio>

template <class Make, class Call>
void counted(const char *name, const char *shape, const char *settings, Make make, Call call) {
  counting_begin();
  auto argument = make();
  const long held = counting_end().left;
  for (int turn = 0; turn < 2; ++turn) {
    counting_begin();
    auto result = call(argument);
    const requested of = counting_end();
    if (turn)
      std::printf("%s|%s|%s|%ld|%ld|%ld|%ld|%ld\n", name, shape, settings, held, of.peak, of.total, of.requests, of.left);
    (void)result;
  }
}

/// The usual case: an operator of one argument. ARGUMENT stands in parentheses.
#define COUNTED(OPERATOR, SHAPE, ARGUMENT)                                                                             \
  counted(#OPERATOR, SHAPE, "", [] { return ARGUMENT; }, [](auto &a) { return OPERATOR(a); })
