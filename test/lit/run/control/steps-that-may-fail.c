// What functions say of how they went.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that stays one says whether it went well, as data have it, and its caller goes on only then. The run that is
// expected goes on: one that ends there would leave most of the memory out of the headline.
//
// RUN: %clang -std=c11 -O2 %operator
// RUN: %compare %t --shape n=1000 --bounds 7932..12000 -- 1000
// RUN: %memshape predict %t.o --shape n=1000 --json | FileCheck %s
// CHECK: "peak_bytes": 12000,
// CHECK: "exact": false

#include "../Inputs/twice.h"

static int prepare(const float *in, long n, double *sum) {
  if (n < 8)
    return in[n] != 2.0f;
  float *copy = malloc(sizeof(float) * (size_t)n);
  for (long i = 0; i < n; ++i)
    copy[i] = in[n - 1 - i];
  const int well = prepare(in + n / 2, n / 2, sum);
  for (long i = 0; i < n; ++i)
    *sum += copy[(i * 7) % n];
  free(copy);
  return well;
}

MEMSHAPE_OPERATOR
double steps(const float *in, int n) {
  double sum = 0;
  if (!prepare(in, n, &sum))
    return 0;
  double *copy = malloc(12 * (size_t)n);
  for (long i = 0; i < n; ++i)
    copy[i] = in[n - 1 - i];
  for (long i = 0; i < n; ++i)
    sum += copy[(i * 3) % n];
  free(copy);
  return sum;
}

TWICE(sink = steps(data, number(1)))
