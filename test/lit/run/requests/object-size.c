// What the compiler knows of an object.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without optimisation the compiler does not know which of two objects is asked for, and says so: -1. The skeleton is
// optimised, and must say what the program does.
//
// RUN: %held -std=c11
// HELD -O0 n=100
// HELD -O2 n=100

#include "../Inputs/twice.h"

MEMSHAPE_OPERATOR
float room(const float *in, int n) {
  float buffer[20], *from = n & 1 ? buffer : buffer + 3;
  from[0] = in[0];
  float *work = malloc((__builtin_object_size(from, 0) & 1023) * (unsigned)n);
  work[0] = from[0];
  work[n / 2] = __builtin_constant_p(n) ? 1.f : 2.f;
  float result = work[0] + work[n / 2];
  free(work);
  return result;
}

TWICE(sink = room(data, number(1)))
