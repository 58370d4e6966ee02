// Handles that are made from a structure: it has symbols of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function that makes them returns null where it is handed null, so that the structure is no option. What it points
// to is null where there is none of it.
//
// RUN: %clang -O2 -fplugin=%plugin -fplugin-arg-memshape-operator='*' -c %s -o %t.o
// RUN: %predict --operator workspace --shape p.s.rows=10,p.s.cols=5,p.s.weights.count=0,p.s.weights.n=0 | %says "peak heap {{.*}} 200 bytes exact"
// RUN: %predict --operator workspace --shape p.s.rows=10,p.s.cols=5,p.s.weights.count=1,p.s.weights.n=7 | %says "peak heap {{.*}} 228 bytes exact"

#include <stdio.h>
#include <stdlib.h>

struct weights {
  int n;
};
struct spec {
  int rows, cols;
  struct weights *weights;
};
typedef struct plan {
  int cells, more;
} *plan_t;

plan_t plan_new(const struct spec *s) {
  if (!s || s->rows < 0) {
    puts("no description");
    return NULL;
  }
  plan_t p = malloc(sizeof *p);
  p->cells = s->rows * s->cols;
  p->more = s->weights ? s->weights->n : 0;
  return p;
}

int *workspace(plan_t p) { return malloc((p->cells + p->more) * sizeof(int)); }
