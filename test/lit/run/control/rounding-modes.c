// Sizes that follow from how numbers are rounded.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The caller may have set another rounding mode: an answer is exact where all modes lead to the same memory.
//
// RUN: %held -std=c11 -O2 -lm
// HELD -DSIZE=lrint(n/3.0) n=100 --bounds 132..136
// HELD -DSIZE=lrint(n/3.0) n=99
// HELD -DSIZE=ceil(n*0.1) n=100 --bounds 40..44
// HELD -DSIZE=ceil(n*0.25) n=101
// Of long double, the precision too:
// HELD -DSIZE=(int)(n*0.1L*10-99.5L) n=1001
// HELD -DSIZE=((n+0x1p-40L)-n>0?20:10) n=65537 --bounds 40..80
// Nothing is rounded, but denormals may be zero:
// HELD -DSIZE=(denormal(n)>0?20:10) n=65 --bounds 40..80
// HELD -DSIZE=ceilf(denormal(n))+9 n=65 --bounds 36..40
// Upwards, of what is left where denormals are zero:
// HELD -DSIZE=10+(n+(denormal(n)>0?0:0x1p-60)>n) n=65 --bounds 40..44

#include "../Inputs/twice.h"
#include <math.h>

static inline float denormal(int bits) {
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

MEMSHAPE_OPERATOR
float rounded(const float *in, int n) {
  float *work = malloc(sizeof(float) * (long)(SIZE));
  work[0] = in[0];
  float result = work[n / 8];
  free(work);
  return result;
}

TWICE(sink = rounded(data, number(1)))
