// A global variable that the program sets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Its value at the call is not the one that it started with.
//
// RUN: %clang -std=c11 -O2 %operator
// RUN: %compare %t --shape n=100 --bounds 0..none --because unbounded_size -- 100
// RUN: %compare %t --shape n=7 --bounds 0..none --because unbounded_size -- 7

#include "../Inputs/twice.h"

static int block = 64;

void setBlock(int bytes) { block = bytes; }

MEMSHAPE_OPERATOR
int blocks(const float *in, int n) {
  char *all = malloc((size_t)block * n);
  all[0] = in[0] > 0;
  int other = all[n];
  free(all);
  return other;
}

TWICE(sink = (setBlock(128), blocks(data, number(1))))
