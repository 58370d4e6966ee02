// Structures with more members, and more structures behind pointers, than are built.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lies behind pointers once there are 100 symbols and settings is of no known size, as what a pointer to nothing
// but numbers leads to: an operator that does not look there is answered as ever.
//
// RUN: %clang -O2 -fplugin=%plugin -c %s -I%include -o %t.o
// RUN: %predict --operator points --shape hull.dimension=3,n=100 | FileCheck %s
// CHECK: peak heap {{.*}} 2,400 bytes exact
//
// RUN: %predict --operator corners | FileCheck %s --check-prefix=BEHIND
// BEHIND: peak heap {{.*}} at least, and what k says

#include <memshape/operator.h>
#include <stdlib.h>

#define TEN(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9)
#define MEMBER(N)                                                                                                      \
  struct facet *facets##N;                                                                                             \
  struct vertex *vertices##N;                                                                                          \
  struct ridge *ridges##N;

struct facet {
  int id;
  TEN(MEMBER)
};
struct vertex {
  int id, corners;
  TEN(MEMBER)
};
struct ridge {
  int id;
  TEN(MEMBER)
};
struct hull {
  int dimension;
  TEN(MEMBER)
};

MEMSHAPE_OPERATOR
double *points(struct hull *hull, int n) { return (double *)malloc((size_t)n * hull->dimension * sizeof(double)); }

MEMSHAPE_OPERATOR
char *corners(struct hull *hull) { return (char *)malloc((size_t)hull->vertices9->corners); }
