// Success comes first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a factorisation fails is up to the data: a decision. The answer that is taken first is that it does not.
//
// RUN: %clang -std=c11 -O1 -shared -fPIC %inputs/closed-library.c -o %t.library.so
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -fplugin-arg-memshape-summaries=%inputs/closed-library.json \
// RUN:   -I%include -c %s -o %t.o
// RUN: %clang %t.o %t.library.so -o %t
// RUN: %compare %t --shape n=1000 --bounds 4000..36000 -- 1000
// RUN: %memshape predict %t --shape n=1000 --json | FileCheck %s
// CHECK: "peak_bytes": 4000
// CHECK: "upper_bytes": 36000
// CHECK: the library call before it is taken to succeed

#include "../Inputs/twice.h"
#include <string.h>

void closed_factor(float *data, int n, int *status);

MEMSHAPE_OPERATOR
void process(const float *in, int n, float *out) {
  float *copy = (float *)malloc((size_t)n * sizeof(float));
  memcpy(copy, in, (size_t)n * sizeof(float));
  int status;
  closed_factor(copy, n, &status);
  if (status != 0) {
    double *again = (double *)malloc((size_t)n * 4 * sizeof(double));
    for (int i = 0; i < 4 * n; ++i)
      again[i] = copy[i % n] + 1;
    out[1] = (float)again[n];
    free(again);
  }
  out[0] = copy[0];
  free(copy);
}

TWICE(process(data, (int)number(1), more))
