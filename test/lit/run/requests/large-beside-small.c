// An operator too large for a compilation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What slicing takes is bounded by what compiling takes. An operator that reaches too much is left for predictions, and
// leaves the work there is to the small ones behind it; records keep the order of the source.
//
// RUN: %clang -std=c11 -O0 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %python %inputs/skeletons.py %t.o | FileCheck %s
// CHECK: large: it is too large to be sliced within the time that a compilation has
// CHECK-NEXT: small: sliced
// CHECK-NEXT: alike: sliced
//
// What is left for predictions is answered by them.
// RUN: %clang -std=c11 -O0 -DALONE -fplugin=%plugin -I%include -c %s -o %t.large.o
// RUN: %python %inputs/skeletons.py %t.large.o | %says "large: it is too large"
// RUN: %clang %t.large.o -o %t
// RUN: %compare %t --shape n=10 -- 10
//
// With nothing from which a prediction could slice, all are sliced.
// RUN: %clang -std=c11 -O0 -fplugin=%plugin -fplugin-arg-memshape-bodies=no -I%include -c %s -o %t.whole.o
// RUN: %python %inputs/skeletons.py %t.whole.o | %says "large: sliced"

#include "../Inputs/twice.h"

#define STEP(K) values[(K) % n] += values[((K) + 1) % n] * (float)(K);
#define TEN(K)                                                                                                         \
  STEP(K) STEP(K + 1) STEP(K + 2) STEP(K + 3) STEP(K + 4) STEP(K + 5) STEP(K + 6) STEP(K + 7) STEP(K + 8) STEP(K + 9)
#define HUNDRED(K)                                                                                                     \
  TEN(K) TEN(K + 10) TEN(K + 20) TEN(K + 30) TEN(K + 40) TEN(K + 50) TEN(K + 60) TEN(K + 70) TEN(K + 80) TEN(K + 90)

MEMSHAPE_OPERATOR
void large(float *data, int n) {
  float *values = calloc((size_t)n, sizeof *values);
  HUNDRED(0) HUNDRED(100) HUNDRED(200) HUNDRED(300) HUNDRED(400) data[0] = values[0];
  free(values);
}

#ifndef ALONE
MEMSHAPE_OPERATOR
void small(float *data, int n) {
  float *values = calloc((size_t)n, 2 * sizeof *values);
  data[0] = values[0];
  free(values);
}

MEMSHAPE_OPERATOR
void alike(float *data, int n) {
  float *values = calloc((size_t)n, 3 * sizeof *values);
  data[0] = values[0];
  free(values);
}
#endif

TWICE(large(data, (int)number(1)))
