// Arrays of pointers to objects.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the operator indexes them, there are as many pointers as the parameter says, or as a symbol does, and each leads
// to objects of its own, all alike.
//
// RUN: %held -std=c11 -O2 -fplugin-arg-memshape-operator=both -fplugin-arg-memshape-operator=mosaic \
// RUN:   -fplugin-arg-memshape-operator=pairs
// HELD both pair[0].count=1,pair[0].w=10,pair[0].h=20 -- 10 20
// HELD mosaic ims.count=3,ims[0].count=1,ims[0].w=10,ims[0].h=20,n=3 -- 10 20 3
// HELD pairs seqs[0].count=3,seqs[0].w=10,seqs[0].h=20,n=3 -- 10 20 3

#include "../Inputs/twice.h"

struct image {
  int w, h;
  const float *samples;
};

float both(struct image *pair[2]) {
  float *sums = malloc((size_t)(pair[0]->w * pair[1]->h) * sizeof(float));
  for (int i = 0; i < pair[0]->w; ++i)
    sums[i] = pair[1]->samples[i];
  const float last = sums[pair[0]->w / 2];
  free(sums);
  return last;
}

float mosaic(struct image **ims, int n) {
  long size = 0;
  for (int i = 0; i < n; ++i)
    size += (long)ims[i]->w * ims[i]->h;
  float *all = malloc((size_t)size * sizeof(float));
  all[n] = ims[n - 1]->samples[n];
  const float last = all[n];
  free(all);
  return last;
}

float pairs(struct image *seqs[2], int n) {
  long size = 0;
  for (int i = 0; i < n; ++i) {
    const struct image *a = seqs[0] + i, *b = seqs[1] + i;
    size += (long)a->w * b->h;
  }
  float *all = malloc((size_t)size * sizeof(float));
  all[n] = seqs[1][n - 1].samples[n];
  const float last = all[n];
  free(all);
  return last;
}

static struct image stored[6], *pointers[3];
static struct image **images(void) {
  for (int i = 0; i < 6; ++i)
    stored[i] = (struct image){(int)number(1), (int)number(2), (float *)data_storage};
  for (int i = 0; i < 3; ++i)
    pointers[i] = stored + i;
  return pointers;
}
TWICE_OF(both, sink = both(images()))
TWICE_OF(mosaic, sink = mosaic(images(), (int)number(3)))
TWICE_OF(pairs, sink = pairs(images(), (int)number(3)))
