// Structures that lie side by side.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pointer to structures that is indexed, stepped on, or handed to a function that does so, points to as many as are
// asked for. What a function of another unit does with it is seen when the units are brought together.
//
// RUN: %clang -std=c11 -O2 -fplugin-arg-memshape-operator=mosaic %operator
// RUN: %compare %t --shape ims.count=4,ims.w=20,ims.h=7,n=4 -- 4 20 7
// RUN: %clang -std=c11 -O0 -fplugin-arg-memshape-operator=mosaic %operator
// RUN: %compare %t --shape ims.count=4,ims.w=20,ims.h=7,n=4 -- 4 20 7
//
// RUN: %clang -std=c11 -O2 -DCALLER -fplugin=%plugin -fplugin-arg-memshape-operator=outer -I%include -c %s -o %t.outer.o
// RUN: not %memshape predict %t.outer.o %t.o --operator outer --shape ims.w=20,ims.h=7,n=4 2>&1 | FileCheck %s
// RUN: %clang -std=c11 -O2 -DLATER -fplugin=%plugin -fplugin-arg-memshape-operator=mosaic -I%include -c %s -o %t.later.o
// RUN: not %memshape predict %t.outer.o %t.later.o --operator outer --shape ims.w=20,ims.h=7,n=4 2>&1 | FileCheck %s
// CHECK: one of several objects that lie side by side
//
// A pointer that is kept in memory is found again by its type.
// RUN: %clang -std=c11 -O2 -DKEPT -fplugin=%plugin -fplugin-arg-memshape-operator=mosaic -I%include -c %s -o %t.kept.o
// RUN: not %memshape predict %t.kept.o --shape ims.w=20,ims.h=7,n=4 2>&1 | FileCheck %s

#include "../Inputs/twice.h"

struct image {
  int w, h;
  const float *samples;
};

#ifdef CALLER
float *mosaic(const struct image *ims, int n);
float *outer(const struct image *ims, int n) { return mosaic(ims, n); }
#elif defined(KEPT)
struct job {
  const struct image *ims;
  int n;
};

static int width(const struct job *j) {
  int sum = 0;
  for (int i = 0; i < j->n; ++i)
    sum += j->ims[i].w;
  return sum;
}

float *mosaic(const struct image *ims, int n) {
  struct job *j = malloc(sizeof *j);
  *j = (struct job){ims, n};
  float *out = malloc((size_t)width(j) * sizeof(float));
  free(j);
  return out;
}
#elif defined(LATER)
float *mosaic(const struct image *ims, int n) {
  const struct image *chosen = n > 3 ? ims : ims + 1;
  return malloc((size_t)chosen->h * n);
}
#else
static int height(const struct image *from, const struct image *end) {
  int sum = 0;
  for (; from != end; ++from)
    sum += from->h;
  return sum;
}

float *mosaic(const struct image *ims, int n) {
  int w = 0;
  for (int i = 0; i < n; ++i)
    w = ims[i].w > w ? ims[i].w : w;
  float *out = malloc((size_t)w * height(ims, ims + n) * sizeof(float));
  out[0] = ims->samples[0];
  return out;
}

static float once(const float *from, int n, int w, int h) {
  struct image each[16];
  for (int i = 0; i < n; ++i)
    each[i] = (struct image){w, h, from};
  float *made = mosaic(each, n), first = made[0];
  free(made);
  return first;
}

TWICE(sink = once(data, (int)number(1), (int)number(2), (int)number(3)))
#endif
