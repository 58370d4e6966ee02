// One tensor as input and output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether two tensors are one decides about a buffer: no shape tells.
//
// RUN: %clang -std=c11 -O2 %operator
// RUN: %compare %t --shape n=100 --bounds 0..400 -- 100
// RUN: %compare %t --shape n=7 --bounds 0..28 -- 7

#include "../Inputs/twice.h"

MEMSHAPE_OPERATOR
float reversed(const float *in, float *out, int n) {
  float *copy = NULL;
  if (in == out) {
    copy = malloc(n * sizeof *copy);
    for (int i = 0; i < n; ++i)
      copy[i] = in[i];
  }
  for (int i = 0; i < n; ++i)
    out[i] = (copy ? copy : in)[n - 1 - i];
  free(copy);
  return out[0];
}

TWICE(sink = reversed(data, data, number(1)))
