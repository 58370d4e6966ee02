// A place in sorted data as a size.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C library sorts and searches with a function of the program's.
//
// RUN: %clang -std=c11 -O2 %operator
// RUN: %compare %t --shape n=100 --bounds 400..none --because endless_answers -- 100
// RUN: %compare %t --shape n=3 --bounds 12..none --because endless_answers -- 3
//

#include "../Inputs/twice.h"
#include <string.h>

static int compare(const void *one, const void *other) {
  float a = *(const float *)one, b = *(const float *)other;
  return (a > b) - (a < b);
}

MEMSHAPE_OPERATOR
float rank(const float *in, int n) {
  float *sorted = malloc(n * sizeof(float));
  memcpy(sorted, in, n * sizeof(float));
  qsort(sorted, n, sizeof(float), compare);
  float *found = bsearch(&in[n / 3], sorted, n, sizeof(float), compare);
  float *below = malloc((found - sorted + 1) * sizeof(float));
  memcpy(below, sorted, (found - sorted + 1) * sizeof(float));
  float result = below[(found - sorted) / 2];
  free(below);
  free(sorted);
  return result;
}

TWICE(sink = rank(data, number(1)))
