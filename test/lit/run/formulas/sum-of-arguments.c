// Sizes summed over variable arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list holds nothing but what the shape gave.
//
// RUN: %clang -std=c11 -O2 %operator
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=3 -- 3

#include "../Inputs/twice.h"
#include <stdarg.h>
#include <string.h>

static __attribute__((noinline)) size_t sum(int count, ...) {
  va_list given;
  size_t total = 0;
  va_start(given, count);
  while (count--)
    total += va_arg(given, size_t);
  va_end(given);
  return total;
}

MEMSHAPE_OPERATOR
float joined(const float *in, int n) {
  size_t length = sum(3, (size_t)n, (size_t)n * 2, (size_t)7);
  float *copy = malloc(length * sizeof(float));
  memcpy(copy, in, length * sizeof(float));
  float result = copy[n] + copy[length - 1];
  free(copy);
  return result;
}

TWICE(sink = joined(data, number(1)))
