// A hook that nobody has set yet.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries call a handler of errors where the program has set one. Nobody knows whether it has, nor what such a handler
// allocates; it is expected that none is set, as the variable says where it is defined, and there is no upper bound.
//
// RUN: %clang -std=c11 -O2 %operator
// RUN: %compare %t --shape n=100 --bounds 800..none --because left_out -- 100
// RUN: %memshape predict %t.o --shape n=100 --json | FileCheck %s
// CHECK: "peak_bytes": 800,
// CHECK: "upper_bytes": null
// CHECK: "exact": false
// CHECK: "symbol": "handler"

#include "../Inputs/twice.h"
#include <stdio.h>

typedef void Handler(const char *reason, double where);
static Handler *handler;

Handler *setHandler(Handler *next) {
  Handler *before = handler;
  handler = next;
  return before;
}

static void report(const char *reason, double where) {
  if (handler) {
    handler(reason, where);
    return;
  }
  fprintf(stderr, "%s at %g\n", reason, where);
}

MEMSHAPE_OPERATOR
double invert(const float *in, int n) {
  double *inverse = malloc(sizeof(double) * (size_t)n), sum = 0;
  for (int i = 0; i < n; ++i)
    inverse[i] = in[i] != 0 ? 1.0 / in[i] : 0;
  for (int i = 0; i < n; ++i)
    sum += inverse[n - 1 - i] * inverse[i / 2];
  if (!(sum < 1e30))
    report("singular", sum);
  free(inverse);
  return sum;
}

TWICE(sink = invert(data, number(1)))
