// Structures behind handles, which functions of the unit make.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan holds belongs together: the function that makes it is called, and its parameters are the symbols. What it
// has computed is known where no other function of the unit changes a plan, and users do not see what one is.
//
// RUN: %held -std=c11 -O2 -fplugin-arg-memshape-operator=execute -fplugin-arg-memshape-operator=work \
// RUN:   -fplugin-arg-memshape-operator=cached -fplugin-arg-memshape-operator=widen
// HELD execute p.n=4096 p.n=4095
// HELD -DTUNED execute p.n=4096 --bounds 0..none --because unbounded_size
//
// Others may have changed a number in a member that is a structure, all of the structure, or whether a block is there.
//
// HELD work p.n=100
// HELD cached p.n=100 --bounds 0..400
// HELD widen p.n=100 --bounds 0..800
// HELD -DWIDENED work p.n=100 --bounds 0..none --because unbounded_size
// HELD -DCLEARED work p.n=100 --bounds 0..none --because unbounded_size
//
// RUN: %clang -std=c11 -O2 -DREUSED -fplugin=%plugin -fplugin-arg-memshape-operator=execute -I%include -c %s -o %t.o
// RUN: %predict --shape p.n=4095 --json | %says '"exact": false'

#include "../Inputs/twice.h"

typedef struct plan *plan_t;
struct plan {
  int n, used, factors[64];
  struct {
    int width;
  } inner;
  float *cache;
};

plan_t plan_new(int n, void *memory) {
  plan_t p = memory ? memory : malloc(sizeof *p);
  p->n = n;
  p->used = 0;
  p->inner.width = n;
  p->cache = 0;
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

#ifdef WIDENED
void plan_widen(plan_t p, int width) { p->inner.width = width; }
#endif

#ifdef CLEARED
void plan_clear(plan_t p) { memset(p, 0, sizeof *p); }
#endif

static void release(void *block) { free(block); }
void plan_free(plan_t p) { release(p); }

void work(plan_t p, const float *in, float *out) {
  float *part = malloc(p->inner.width * sizeof(float));
  part[p->inner.width / 2] = in[0];
  out[0] = part[p->inner.width - 1];
  free(part);
}

void cached(plan_t p, const float *in, float *out) {
  if (!p->cache)
    p->cache = malloc(p->n * sizeof(float));
  p->cache[p->n / 2] = in[0];
  out[0] = p->cache[p->n - 1];
}

void widen(plan_t p, const float *in) {
  p->cache = realloc(p->cache, 2 * p->n * sizeof(float));
  p->cache[2 * p->n - 1] = in[0];
}

void execute(plan_t p, const float *in, float *out) {
  for (int k = 0; k < p->used; ++k) {
    float *part = malloc(p->factors[k] * sizeof(float));
    for (int i = 0; i < p->factors[k]; ++i)
      part[i] = in[i] + out[k];
    out[k] = part[p->factors[k] / 2];
    free(part);
  }
}

TWICE_OF(execute, execute(plan_new((int)number(1), 0), data, more))
TWICE_OF(work, work(plan_new((int)number(1), 0), data, more))
TWICE_OF(cached, cached(plan_new((int)number(1), 0), data, more))
TWICE_OF(widen, widen(plan_new((int)number(1), 0), data))
