// An operator that frees a block of its caller.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nobody but the caller knows how large the block is. It counts as none, so that what is counted bounds the peak, and
// what lives before the block goes is reached.
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %memshape predict %t.o --operator doubled --shape n=100 --json | FileCheck %s
// RUN: %memshape predict %t.o --operator widened --shape in.n=100,more=50 --json | FileCheck --check-prefix=WIDE %s
//
// CHECK: "lower_bytes": 400,
// CHECK: "upper_bytes": 1200,
// CHECK: "exact": false,
// CHECK: the operator frees or reallocates memory of its caller, 'in': how many bytes that has is not known
//
// WIDE: "peak_bytes": 1400,
// WIDE: "lower_bytes": 200,
// WIDE: "upper_bytes": 1400,
// WIDE: "exact": false,
// WIDE: the operator frees or reallocates memory of its caller, 'in.data'

#include <memshape/operator.h>
#include <stdlib.h>

MEMSHAPE_OPERATOR
float *doubled(float *in, int n) {
  float *out = malloc(sizeof(float) * (size_t)n);
  for (int i = 0; i < n; ++i)
    out[i] = 2 * in[i];
  free(in);
  float *twice = malloc(2 * sizeof(float) * (size_t)n);
  for (int i = 0; i < n; ++i)
    twice[i] = twice[n + i] = out[i];
  free(out);
  return twice;
}

struct samples {
  int n;
  double *data;
};

MEMSHAPE_OPERATOR
struct samples widened(struct samples in, int more) {
  float *window = malloc(sizeof(float) * (size_t)more);
  for (int i = 0; i < more; ++i)
    window[i] = (float)in.data[i];
  in.data = realloc(in.data, sizeof(double) * (size_t)(in.n + more));
  for (int i = 0; i < more; ++i)
    in.data[in.n + i] = window[i];
  free(window);
  in.n += more;
  return in;
}
