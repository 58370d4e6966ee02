// Objects that an operator hands back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pointer to a pointer that is only assigned is where the operator puts what it makes: it has no symbols. One that is
// read leads to an object that is built.
//
// RUN: %clang -std=c11 -O2 -fplugin-arg-memshape-operator=measured %operator
// RUN: %compare %t --shape n=100 -- 100
// RUN: %memshape predict %t --shape n=100 --json | FileCheck %s
// CHECK: "n": 100
// CHECK-NEXT: }
// CHECK: "peak_bytes": 816,
// CHECK: "exact": true,
// CHECK: "output_bytes": 816,
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=copied -I%include -c %s -o %t.o
// RUN: %predict --shape of.n=7 | %says "peak heap {{.*}} 56 bytes exact"
//
// A number that an argument has at the return is told only where allocations ask for what it is made of.
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=counted -I%include -c %s -o %t.o
// RUN: %predict --shape r.n=7 | FileCheck --check-prefix=TOLD %s
// TOLD: peak heap {{.*}} 56 bytes exact
// TOLD: What it returns
// TOLD-NEXT: r.n {{ *}}14
// TOLD-NOT: r.calls

#include "../Inputs/twice.h"

struct profile {
  int n;
  double *mean;
};

int measured(const float *in, int n, struct profile **out) {
  if (out == NULL)
    return 1;
  struct profile *made = malloc(sizeof(*made));
  made->n = n;
  made->mean = malloc(n * sizeof(double));
  for (int i = 0; i < n; ++i)
    made->mean[i] = in[i];
  *out = made;
  return 0;
}

double *copied(struct profile **of) {
  double *copy = malloc((*of)->n * sizeof(double));
  for (int i = 0; i < (*of)->n; ++i)
    copy[i] = (*of)->mean[i];
  return copy;
}

struct record {
  int n, calls;
  double *values;
};

void counted(struct record *r, const double *in) {
  double *values = malloc(r->n * sizeof(double));
  for (int i = 0; i < r->n; ++i)
    values[i] = in[i];
  r->values = values;
  r->n *= 2;
  r->calls += 1;
}

TWICE({
  struct profile *made;
  measured(data, number(1), &made);
  sink = made->mean[0];
})
