// Sizes that follow from how numbers are rounded.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The caller may have set another rounding mode: an answer is exact where all modes lead to the same memory.
//
// RUN: %clang -std=c11 -O2 -DSIZE='lrint(n/3.0)' %operator -lm
// RUN: %compare %t --shape n=100 --bounds 132..136 -- 100
// RUN: %clang -std=c11 -O2 -DSIZE='lrint(n/3.0)' %operator -lm
// RUN: %compare %t --shape n=99 -- 99
// RUN: %clang -std=c11 -O2 -DSIZE='ceil(n*0.1)' %operator -lm
// RUN: %compare %t --shape n=100 --bounds 40..44 -- 100
// RUN: %clang -std=c11 -O2 -DSIZE='ceil(n*0.25)' %operator -lm
// RUN: %compare %t --shape n=101 -- 101
//
// Of long double, the precision too:
//
// RUN: %clang -std=c11 -O2 -DSIZE='(int)(n*0.1L*10-99.5L)' %operator -lm
// RUN: %compare %t --shape n=1001 -- 1001
// RUN: %clang -std=c11 -O2 -DSIZE='((n+0x1p-40L)-n>0?20:10)' %operator -lm
// RUN: %compare %t --shape n=65537 --bounds 40..80 -- 65537

#include "../Inputs/twice.h"
#include <math.h>

MEMSHAPE_OPERATOR
float rounded(const float *in, int n) {
  float *work = malloc(sizeof(float) * (long)(SIZE));
  work[0] = in[0];
  float result = work[n / 8];
  free(work);
  return result;
}

TWICE(sink = rounded(data, number(1)))
