// How far two labels are apart.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code between them is not the skeleton's, which has no labels.
//
// RUN: %clang -std=c11 -O2 %operator
// RUN: %compare %t --shape n=50 --bounds 32..284 -- 50

#include "../Inputs/twice.h"
#include <stdint.h>

static __attribute__((noinline)) unsigned between(int n, float *out) {
  void *volatile here = &&one, *volatile there = &&two;
  const uintptr_t apart = (uintptr_t)there - (uintptr_t)here;
  if (n < 0)
    goto *here;
one:
  out[0] += 1;
two:
  out[1] += 1;
  return apart & 63;
}

MEMSHAPE_OPERATOR
float labels(const float *in, int n, float *out) {
  unsigned size = 8;
  if (n > 28)
    size += between(n, out);
  float *work = malloc(sizeof(float) * size);
  work[n & 7] = in[0];
  float result = work[0];
  free(work);
  return result;
}

TWICE(sink = labels(data, number(1), more))
