// A size that data alone decide.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing in the source bounds it: the answer says so, and where.
//
// RUN: %clang -O2 %operator
// RUN: %compare %t --shape n=100 --bounds 100..none --because unbounded_size -- 100
// RUN: %memshape predict %t --shape n=100 --json | FileCheck %s
// CHECK: "upper_bytes": null
// CHECK: a size at {{.*}}unbounded-size.c:[[@LINE+8]] comes from data and has no bound

#include "../Inputs/twice.h"
#include <string.h>

MEMSHAPE_OPERATOR
double sized(const unsigned *in, int n) {
  char *bounded = malloc((in[1] & 15) + n);
  char *block = malloc(in[0] + n);
  double sum;
  memset(bounded, 1, n);
  memset(block, 1, n);
  sum = bounded[n / 2] + block[n / 3];
  free(block);
  free(bounded);
  return sum;
}

TWICE({
  ((unsigned *)data)[0] = 12345;
  sink = sized((unsigned *)data, number(1));
})
