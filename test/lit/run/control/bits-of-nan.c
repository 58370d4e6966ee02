// Bits of a number that is none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sign of 0.0 / 0.0 is set where x86 computes it, and is not where LLVM does, as it has in the program at -O2. Bits of
// numbers that cannot be NaN are what the shape makes them.
//
// RUN: %held -std=c11
// HELD -O0 -DSIZE=signbit(nothing(n)) n=100 --bounds 400..2000
// HELD -O0 -DSIZE=bits(nothing(n)) n=100 --bounds 400..2000
// HELD -O2 -DSIZE=signbit(nothing(n)) n=100
// HELD -O0 -DSIZE=bits((float)-n) n=100

#include "../Inputs/twice.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

static inline int bits(float number) {
  uint32_t all;
  memcpy(&all, &number, sizeof all);
  return all >> 31;
}

static inline float nothing(int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (float)(i - i);
  return sum / sum;
}

MEMSHAPE_OPERATOR
float sized(const float *in, int n) {
  float *copy = calloc(SIZE ? 5 : 1, 4L * n);
  copy[0] = in[0];
  float result = copy[n / 2];
  free(copy);
  return result;
}

TWICE(sink = sized(data, number(1)))
