// Operators on structures in C.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of a structure are shape symbols, floating-point numbers and enumerations settings, pointers to numbers
// tensors.
//
// RUN: %held -std=c11 -O2 -fplugin-arg-memshape-operator=gain
// HELD c.size.ni=5,c.size.nx=100,c.ne[0]=3,c.ne[1]=4 --set c.kept=1,c.scale=2
// RUN: not %memshape predict %t --shape c.size.ni=5 --set c.kept=1,c.scale=2 2>&1 | FileCheck %s
// CHECK: shape symbol missing for operator 'gain': c.size.nx, c.ne[0], c.ne[1] (

#include "../Inputs/twice.h"

struct extents {
  int ni, nx;
};

enum keeping { NOTHING, A_COPY };

struct cube {
  struct extents size;
  long ne[2];
  enum keeping kept;
  double scale;
  const float *samples;
};

void gain(const struct cube *c, float *out) {
  size_t count = (size_t)c->size.ni * c->size.nx;
  float *work = malloc(count * sizeof(float) + c->ne[0] * c->ne[1]);
  for (size_t i = 0; i < count; ++i)
    work[i] = c->samples[i] * (float)c->scale;
  memcpy(out, work, count * sizeof(float));
  if (c->kept == A_COPY) {
    free(work);
    work = malloc(2 * count * sizeof(float));
    memcpy(work, out, count * sizeof(float));
    out[0] = work[count - 1];
  }
  free(work);
}

static void apply(const float *from, float *to, int ni, int nx, int first, int second) {
  struct cube c = {{ni, nx}, {first, second}, A_COPY, 2, from};
  gain(&c, to);
}
