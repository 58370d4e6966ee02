// Structures behind handles, which functions of the unit make.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan holds belongs together: the function that makes it is called, and its parameters are the symbols. What it
// has computed is known where no other function of the unit changes a plan, and users do not see what one is.
//
// RUN: %held -std=c11 -O2 -fplugin-arg-memshape-operator=execute
// HELD p.n=4096 p.n=4095
// HELD -DTUNED p.n=4096 --bounds 0..none --because unbounded_size
//
// RUN: %clang -std=c11 -O2 -DREUSED -fplugin=%plugin -fplugin-arg-memshape-operator=execute -I%include -c %s -o %t.o
// RUN: %memshape predict %t.o --shape p.n=4095 --json | FileCheck %s
// CHECK: "exact": false

#include "../Inputs/twice.h"
#include <string.h>

typedef struct plan *plan_t;
struct plan {
  int n, used, factors[64];
};

plan_t plan_new(int n, void *memory) {
  plan_t p = memory ? memory : malloc(sizeof *p);
  p->n = n;
  p->used = 0;
  for (int f = 2; n > 1; n /= f, p->factors[p->used++] = f)
    while (n % f)
      f = f * f > n ? n : f + 1;
  return p;
}

#ifdef REUSED
void plan_limit(plan_t p, int used) { p->used = used; }
#endif

#ifdef TUNED
void plan_tune(plan_t p, int at, int factor) { p->factors[at] = factor; }
#endif

void execute(plan_t p, const float *in, float *out) {
  for (int k = 0; k < p->used; ++k) {
    float *part = malloc(p->factors[k] * sizeof(float));
    for (int i = 0; i < p->factors[k]; ++i)
      part[i] = in[i] + out[k];
    out[k] = part[p->factors[k] / 2];
    free(part);
  }
}

TWICE(execute(plan_new((int)number(1), 0), data, more))
