// A result whose address is kept.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The place of a structure that is returned is no argument: an array of structures of the same size, which the operator
// makes itself, does not begin there.
//
// RUN: %held -std=c11 -O2 -fplugin-arg-memshape-operator=longest
// HELD v.n=20,parts=3
// RUN: %predict --shape v.n=20,parts=3 | %says "88 bytes  exact"

#include "../Inputs/twice.h"

struct run {
  long n;
  float first;
  const float *samples;
};

struct search {
  struct run *found, *all;
};

__attribute__((noinline)) static void split(struct search *s, int parts) {
  for (int i = 0; i < parts; ++i)
    s->all[i] = (struct run){s->found->n / parts, (float)i, s->found->samples};
  s->found->n = s->all[parts - 1].n;
}

struct run longest(const struct run *v, int parts) {
  struct run found = {v->n, 0, v->samples};
  struct search *s = malloc(sizeof *s);
  s->found = &found;
  s->all = malloc((size_t)parts * sizeof *s->all);
  split(s, parts);
  free(s->all);
  free(s);
  return found;
}

static float once(const float *from, int n, int parts) {
  struct run v = {n, 0, from}, found = longest(&v, parts);
  return found.samples[0];
}
