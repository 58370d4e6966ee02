// Tensors that may lie in one another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is written into one tensor may be read from another one, unless the source says that they are apart; which of
// two comes first, and how far they are apart, is the caller's secret.
//
// RUN: %held -std=c11 -O2 -lm
// HELD -DAPART= -DWANTED=dims[1] n=100 --bounds 0..none --because unbounded_size
// HELD -DAPART=restrict -DWANTED=2 n=100
// HELD -DAPART= -DWANTED=(out<dims+n) n=100 --bounds 400..800
// HELD -DAPART= -DWANTED=((out-dims)&7) n=100 --bounds 400..3200

#include "../Inputs/twice.h"

MEMSHAPE_OPERATOR
float meet(int *APART dims, int n, int *APART out) {
  dims[1] = n;
  out[1] = 5;
  float *work = malloc(sizeof(float) * n * (WANTED + 1));
  work[0] = (float)out[0];
  work[n - 1] = 1;
  float result = work[n / 2];
  free(work);
  return result;
}

TWICE(sink = meet((int *)data, number(1), (int *)data))
