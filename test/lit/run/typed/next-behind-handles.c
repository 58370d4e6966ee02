// A handle that leads to another one of its kind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the maker leaves such a member null, and others set it, it is null: a setting has one more object there, made as
// the first is. So is a function that the maker sets to null by its name. The answer says both.
//
// RUN: %held -std=c11 -O2 -fplugin-arg-memshape-operator=smooth -fplugin-arg-memshape-operator=free_levels
// HELD smooth l.n=100
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=* -I%include -c %s -o %t.o
// RUN: %predict --operator smooth --shape l.n=100 --set l.coarse.present=1 | %says "peak heap {{.*}} 1,600 bytes exact"
// RUN: %predict --operator smooth --shape l.n=100 --set l.told.present=1 | %says "800 bytes at most: if 'l.told' requests nothing"
// RUN: %predict --operator free_levels --shape l.n=100 --set l.coarse.present=1 | %says "peak heap {{.*}} 0 bytes exact"
// RUN: %predict --operator smooth --shape l.n=100 | FileCheck %s
// CHECK: peak heap {{.*}} 800 bytes exact
// CHECK: - 'l.coarse' is taken to be null: --set l.coarse.present=1 predicts a call with it
// CHECK: - 'l.told' is taken to be null: --set l.told.present=1 predicts a call with it

#include "../Inputs/twice.h"

typedef struct level *level_t;
struct level {
  int n;
  level_t coarse;
  void (*told)(int), (*asked)(int);
};

level_t level_new(int n) {
  level_t l = malloc(sizeof *l);
  l->n = n;
  l->told = l->asked = NULL;
  l->coarse = NULL;
  return l;
}

void level_coarsen(level_t l, level_t coarse) { l->coarse = coarse; }
void level_tell(level_t l, void (*told)(int)) { l->told = told; }

void smooth(level_t l, const float *in) {
  double *sums = calloc((size_t)l->n, sizeof(double));
  if (l->coarse)
    smooth(l->coarse, in);
  sums[l->n / 2] += in[0];
  sink = sums[l->n / 3];
  if (l->told)
    l->told(l->n);
  free(sums);
}

void free_levels(level_t l) {
  if (l->coarse)
    free_levels(l->coarse);
  free(l);
}

TWICE_OF(smooth, smooth(level_new((int)number(1)), data))
