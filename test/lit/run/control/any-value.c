// A value that the compiler leaves open.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without optimisation it is what some register holds.
//
// RUN: %clang -std=c11 -O0 %operator
// RUN: %compare %t --shape n=100 --bounds 4..128 -- 100

#include "../Inputs/twice.h"

MEMSHAPE_OPERATOR
float any(const float *in, int n) {
  float *work = malloc(sizeof(float) * (((unsigned)__builtin_nondeterministic_value(n) & 31) + 1));
  work[0] = in[0];
  float result = work[0];
  free(work);
  return result;
}

TWICE(sink = any(data, number(1)))
