// Objects that lead to others of their own type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The next one is taken to be null, and the answer says so. A setting has it there, a symbol says how many there are.
//
// RUN: %clangxx -std=c++17 -O2 -fplugin-arg-memshape-operator=smooth %operatorxx
// RUN: %compare %t --shape a.rows=1000 -- 1000 0
// RUN: %compare %t --shape a.rows=1000,a.coarse.rows=500 --set a.coarse.present=1 -- 1000 1
// RUN: %compare %t --shape a.rows=1000,a.coarse.rows=500,a.coarse.depth=3 --set a.coarse.present=1 -- 1000 3
// RUN: %predict --shape a.rows=1000 | %says "- 'a.coarse' is taken to be null: --set a.coarse.present=1 predicts a call with it"
// RUN: %clangxx -std=c++17 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=spread -I%include -c %s -o %t.o
// RUN: %predict --shape t.size=100 | %says "peak heap {{.*}} 800 bytes exact"
// RUN: %predict --shape t.size=100,t.left.size=10,t.left.depth=2 --set t.left.present=1 | %says "peak heap {{.*}} 960 bytes exact"
//
// RUN: %clang -x c -std=c11 -O2 -fplugin-arg-memshape-operator=smooth %operator
// RUN: %compare %t --shape a.rows=1000,a.coarse.rows=500,a.coarse.depth=3 --set a.coarse.present=1 -- 1000 3

#include "../Inputs/twice.h"

typedef struct matrix {
  int rows;
  double *values;
  int **columns;
  struct matrix *coarse, *other;
} matrix;

double smooth(const matrix *a, const double *x) {
  double last = 0;
  for (; a; a = a->coarse) {
    double *rest = (double *)malloc(sizeof(double) * a->rows);
    for (int i = 0; i < a->rows; ++i)
      rest[i] = x[i] - a->values[i];
    last += rest[0];
    x = rest;
    if (a->other)
      last += a->other->values[0];
  }
  return last;
}

static double once(float *from, int rows, int depth) {
  static double values[4096];
  matrix levels[8];
  for (int i = 0; i <= depth; ++i) {
    matrix each = {i ? rows / 2 : rows, values, 0, i < depth ? &levels[i + 1] : 0, 0};
    levels[i] = each;
  }
  values[0] = from[0];
  return smooth(levels, values);
}

TWICE(sink = (float)once(data, (int)number(1), (int)number(2)))

#ifdef __cplusplus
#include <memory>

struct tree {
  int size;
  std::unique_ptr<tree> left, right;
};

double spread(const tree &t) {
  double *all = new double[t.size];
  for (int i = 0; i < t.size; ++i)
    all[i] = i;
  double last = all[t.size - 1] + (t.left ? spread(*t.left) : 0) + (t.right ? spread(*t.right) : 0);
  delete[] all;
  return last;
}
#endif
