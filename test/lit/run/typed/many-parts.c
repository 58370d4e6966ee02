// Members that are arrays of many pointers, or what a vector register holds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// More than eight objects in an array of a structure are all alike. Vectors of numbers are numbers.
//
// RUN: %held -std=c11 -O2 -fplugin-arg-memshape-operator=deepest -fplugin-arg-memshape-operator=profile
// HELD deepest w.depth=3,w.path[0].count=1,w.path[0].n=100 -- 3 100
// HELD profile q.length=100 -- 100

#include "../Inputs/twice.h"

struct node {
  int n;
  const float *values;
};
struct walk {
  int depth;
  const struct node *path[80];
};

float deepest(struct walk *w) {
  const struct node *at = w->path[w->depth];
  float *copy = malloc((size_t)at->n * sizeof(float));
  copy[at->n / 2] = w->path[0]->values[0];
  const float last = copy[at->n - 1];
  free(copy);
  return last;
}

typedef float four __attribute__((vector_size(16)));
struct query {
  int length;
  four first, *scores;
};

float profile(struct query *q) {
  four *sums = malloc((size_t)q->length * sizeof(four));
  for (int i = 0; i < q->length; ++i)
    sums[i] = q->scores[i] + q->first;
  const float last = sums[q->length / 2][1];
  free(sums);
  return last;
}

static struct walk *walk(void) {
  static struct node nodes[80];
  static struct walk all;
  all.depth = (int)number(1);
  for (int i = 0; i < 80; ++i) {
    nodes[i] = (struct node){(int)number(2), (float *)data_storage};
    all.path[i] = nodes + i;
  }
  return &all;
}
static struct query *query(void) {
  static struct query all;
  all.length = (int)number(1);
  all.scores = (four *)more_storage;
  return &all;
}
TWICE_OF(deepest, sink = deepest(walk()))
TWICE_OF(profile, sink = profile(query()))
