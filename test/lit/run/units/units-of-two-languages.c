// What a unit in C writes, C++ reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C and C++ have trees of types of their own, and a number that a unit of one wrote is read in the other: so with numbers
// behind pointers, pointers in structures, and beside a unit that is compiled without strict aliasing. The functions are
// recursive, so that they stay functions.
//
// DEFINE: %{unit} = -O2 -fplugin=%plugin -I%include -c %s -o
// RUN: %clang %{unit} %t.op-c.o -DOPERATOR
// RUN: %clangxx -x c++ %{unit} %t.op-cpp.o -DOPERATOR
// RUN: %clang %{unit} %t.tree-c.o
// RUN: %clangxx -x c++ %{unit} %t.tree-cpp.o
// RUN: %clangxx -fno-strict-aliasing -x c++ %{unit} %t.tree-any.o
//
// RUN: %clangxx %t.op-cpp.o %t.tree-c.o -o %t
// RUN: %compare %t --object "%t.op-cpp.o %t.tree-c.o" --shape n=1000,depth=5 -- 1000 5
// RUN: %clangxx %t.op-c.o %t.tree-cpp.o -o %t
// RUN: %compare %t --object "%t.op-c.o %t.tree-cpp.o" --shape n=1000,depth=5 -- 1000 5
// RUN: %clangxx %t.op-c.o %t.tree-any.o -o %t
// RUN: %compare %t --object "%t.op-c.o %t.tree-any.o" --shape n=1000,depth=5 -- 1000 5
// RUN: %clangxx %t.op-cpp.o %t.tree-cpp.o -o %t
// RUN: %compare %t --object "%t.op-cpp.o %t.tree-cpp.o" --shape n=1000,depth=5 -- 1000 5
//
// A number with a point is a pointer where a unit without strict aliasing reads one.
// RUN: %clang %{unit} %t.op-c.o -DOPERATOR -DBITS
// RUN: %clang %{unit} %t.put.o -DPUT
// RUN: %clang -fno-strict-aliasing %{unit} %t.any.o -DANY
// RUN: %clang %t.op-c.o %t.put.o %t.any.o -o %t
// RUN: %compare %t --object "%t.op-c.o %t.put.o %t.any.o" --shape n=3 --bounds 10..20 -- 3

#ifdef __cplusplus
extern "C" {
#endif
struct layer {
  struct layer *below;
  const long *extents;
  long width;
};
double tree(const int *n, int depth, const double *x);
double layers(struct layer *top, int depth, const double *x);
#ifdef __cplusplus
}
#endif

#if defined(PUT)
void put(double *d, const double *x, int depth) {
  if (depth > 1) {
    put(d, x + 1, depth - 1);
    put(d, x + 2, depth - 2);
  } else {
    *d = *x;
  }
}
#elif defined(ANY)
int any(void *const *p, int depth) { return depth > 1 ? any(p, depth - 1) + any(p, depth - 2) : *p != 0; }
#elif defined(BITS)
#include "../Inputs/twice.h"
void put(double *d, const double *x, int depth);
int any(void *const *p, int depth);

MEMSHAPE_OPERATOR
void op(const double *x, int n, char *out) {
  double d;
  put(&d, x, n);
  char *t = malloc(any((void *const *)(void *)&d, n) ? 10 : 20);
  t[0] = x[0] > 0;
  out[0] = t[n];
  free(t);
}

TWICE(op(data_storage, (int)number(1), (char *)more))
#elif defined(OPERATOR)
#include "../Inputs/twice.h"

MEMSHAPE_OPERATOR
double op(int n, int depth, const double *x) {
  const long extents[2] = {3, n};
  struct layer bottom = {0, extents, n}, top = {&bottom, extents, 2};
  return tree(&n, depth, x) + layers(&top, depth, x);
}

TWICE(sink = op((int)number(1), (int)number(2), data_storage))
#else
#include <stdlib.h>

double tree(const int *n, int depth, const double *x) {
  double *t = (double *)malloc(sizeof(double) * (unsigned long)*n);
  for (int i = 0; i < *n; i++)
    t[i] = x[i] + depth;
  double s = depth > 1 ? tree(n, depth - 1, t) : t[*n / 2];
  free(t);
  return s;
}

double layers(struct layer *top, int depth, const double *x) {
  const long size = top->width + top->extents[1] + top->extents[0];
  char *t = (char *)malloc((unsigned long)size);
  t[0] = x[0] > 0;
  const double s = top->below ? layers(top->below, depth - 1, x) : depth;
  const double first = t[0];
  free(t);
  return s + first;
}
#endif
