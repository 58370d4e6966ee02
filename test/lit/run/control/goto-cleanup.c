// Error exits in C.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One exit that frees what has been allocated so far; allocation itself does not fail.
//
// RUN: %clang -std=c11 -O2 %operator
// RUN: %compare %t --shape n=60 -- 60
// RUN: %compare %t --shape n=5 -- 5

#include "../Inputs/twice.h"

MEMSHAPE_OPERATOR
int solve(const float *in, int n, float *out) {
  int status = -1;
  double *matrix = NULL, *right = NULL;
  matrix = malloc((size_t)n * n * sizeof *matrix);
  if (!matrix)
    goto done;
  right = calloc(n, sizeof *right);
  if (!right)
    goto done;
  for (int i = 0; i < n; ++i)
    right[i] = matrix[i * n] = in[i];
  out[0] = (float)right[n - 1];
  status = 0;
done:
  free(right);
  free(matrix);
  return status;
}

TWICE(sink = solve(data, number(1), more))
