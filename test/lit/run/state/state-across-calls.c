// What earlier calls leave behind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A counter and the largest shape so far change what later calls find. What is made once and then stays is exact, and so
// is an arena that a call of this shape has grown before.
//
// RUN: %held -std=c11 -O2 -lm
// HELD -DSIZE=counted() n=100 --bounds 0..none --because earlier_calls
// HELD -DSIZE=arena(n) n=100
// HELD -DSIZE=most(n) n=100 --bounds 0..none --because earlier_calls
// HELD -DSIZE=once(n) n=100

#include "../Inputs/twice.h"

static long calls, largest, capacity;
static char *base;
static float table[16];

static long counted(void) { return ++calls; }

static long arena(int n) {
  if (n > capacity) {
    capacity = 2L * n;
    base = realloc(base, capacity);
  }
  base[0] = 1;
  return base[0];
}

static long most(int n) { return largest = n > largest ? n : largest; }

static long once(int n) {
  if (table[15] == 0)
    for (int at = 0; at < 16; ++at)
      table[at] = at + 1;
  return (long)table[n & 7];
}

MEMSHAPE_OPERATOR
float later(const float *in, int n) {
  float *work = malloc(sizeof(float) * (n + SIZE));
  work[0] = in[0];
  work[n - 1] = 1;
  float result = work[n / 2];
  free(work);
  return result;
}

TWICE(sink = later(data, number(1)))
