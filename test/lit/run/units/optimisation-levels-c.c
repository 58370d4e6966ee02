// Every level, in C.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The skeleton is cut from the optimised program: whatever the optimiser made of the operator, prediction and run
// agree.
//
// RUN: %held -std=c11
// HELD -O0 n=100,levels=4
// HELD -O0 -g n=100,levels=4
// HELD -O1 n=100,levels=4
// HELD -O1 -g n=100,levels=4
// HELD -O2 -g n=100,levels=4
// HELD -O3 n=100,levels=4
// HELD -O3 -g n=100,levels=4

#include "../Inputs/twice.h"
#include <string.h>

struct pyramid {
  int levels;
  float **level;
};

static struct pyramid *make(int n, int levels) {
  struct pyramid *p = malloc(sizeof *p);
  p->levels = levels;
  p->level = calloc(levels, sizeof *p->level);
  for (int l = 0; l < levels; ++l)
    p->level[l] = malloc((n >> l) * sizeof(float));
  return p;
}

static void destroy(struct pyramid *p) {
  for (int l = 0; l < p->levels; ++l)
    free(p->level[l]);
  free(p->level);
  free(p);
}

MEMSHAPE_OPERATOR
float pyramid(const float *in, int n, int levels) {
  struct pyramid *p = make(n, levels);
  memcpy(p->level[0], in, n * sizeof(float));
  for (int l = 1; l < levels; ++l)
    for (int i = 0; i < n >> l; ++i)
      p->level[l][i] = p->level[l - 1][2 * i];
  float top = p->level[levels - 1][0];
  destroy(p);
  return top;
}

TWICE(sink = pyramid(data, number(1), number(2)))
