// Text that the C library makes and keeps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of an error that nobody knows, the C library makes the text anew, in a block that it keeps until the next one. Data
// tells whether there is one.
//
// RUN: %clang -std=c11 -O2 %operator -lm
// RUN: %compare %t --shape n=100 --bounds 0..none --because unbounded_size -- 100

#include "../Inputs/twice.h"
#include <string.h>

MEMSHAPE_OPERATOR
float described(const float *in, int n) {
  char *work = malloc(n);
  work[0] = strerror((int)(in[0] * 1000))[0];
  work[n - 1] = 1;
  float result = work[n / 2];
  free(work);
  return result;
}

TWICE(sink = described(data, number(1)))
