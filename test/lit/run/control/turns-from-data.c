// Loops that turn as often as data says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One loop allocates, another one frees: both turn as often, and no more often than 31 times.
//
// RUN: %clang -O2 %operator
// RUN: %compare %t --shape n=100 --bounds 0..3348 --reached -- 100 31
// RUN: %compare %t --shape n=100 --bounds 0..3348 -- 100 -32
// RUN: %compare %t --shape n=7 --bounds 0..465 -- 7 5

#include "../Inputs/twice.h"

MEMSHAPE_OPERATOR
double levels(const int *in, int n) {
  const int count = in[0] & 31;
  char **level = malloc(count * sizeof *level);
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    level[i] = malloc(n);
    level[i][n / 2] = (char)i;
  }
  for (int i = 0; i < count; ++i) {
    sum += level[i][n / 2];
    free(level[i]);
  }
  free(level);
  return sum;
}

TWICE({
  ((int *)data)[0] = (int)number(2);
  sink = levels((int *)data, number(1));
})
