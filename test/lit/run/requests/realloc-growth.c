// realloc in a loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Live bytes change by new minus old; the first call allocates.
//
// RUN: %clang -std=c11 -O2 %operator
// RUN: %compare %t --shape n=1000 -- 1000
// RUN: %compare %t --shape n=4 -- 4
// RUN: %compare %t --shape n=5 -- 5

#include "../Inputs/twice.h"

MEMSHAPE_OPERATOR
float grow(const float *in, int n) {
  size_t room = 0, used = 0;
  float *block = 0;
  for (int i = 0; i < n; ++i) {
    if (used == room) {
      room = room ? room * 3 / 2 + 1 : 4;
      block = realloc(block, room * sizeof *block);
    }
    block[used++] = in[i];
  }
  float last = used ? block[used - 1] : 0;
  free(block);
  return last;
}

TWICE(sink = grow(data, number(1)))
