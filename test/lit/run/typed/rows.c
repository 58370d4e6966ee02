// Structures that hold rows of numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows behind a pointer to pointers are a tensor, as they are where a parameter points to them.
//
// RUN: %held -std=c11 -O2 -fplugin-arg-memshape-operator=transposed
// HELD m.rows=7,m.cols=30

#include "../Inputs/twice.h"

struct matrix {
  int rows, cols;
  float **values;
};

struct matrix transposed(struct matrix m) {
  struct matrix t = {m.cols, m.rows, calloc(m.cols, sizeof(float *))};
  for (int i = 0; i < t.rows; ++i) {
    t.values[i] = calloc(t.cols, sizeof(float));
    for (int j = 0; j < t.cols; ++j)
      t.values[i][j] = m.values[j][i];
  }
  return t;
}

static float once(float *from, int rows, int cols) {
  float *lines[64];
  for (int i = 0; i < rows; ++i)
    lines[i] = from + i * cols;
  return transposed((struct matrix){rows, cols, lines}).values[0][0];
}
