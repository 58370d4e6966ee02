// Functions that make a handle from more than numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a maker reads beside numbers is data; where it makes nothing of some data, there is no call. It may take what
// another maker makes: that one's numbers come before. An array that lies in one block behind a header leaves the
// numbers of that as they were made.
//
// RUN: %held -std=c11 -O2 -fplugin-arg-memshape-operator=detect -fplugin-arg-memshape-operator=filter \
// RUN:   -fplugin-arg-memshape-operator=transform -fplugin-arg-memshape-operator=delay
// HELD detect d.size=100 --bounds 100..800
// HELD filter f.taps=7,samples=100
// HELD transform t.wave.length=8,t.levels=3
// HELD delay l.taps=7,samples=100
//
// RUN: %memshape report %t --format json | FileCheck %s
// CHECK-DAG: "f.taps"
// CHECK-DAG: "t.wave.length"

#include "../Inputs/twice.h"

typedef struct detector *detector_t;
struct detector {
  int size, method;
};

detector_t detector_new(const float *weights, int size) {
  if (weights[0] > 2)
    return NULL;
  detector_t d = malloc(sizeof *d);
  d->size = size;
  d->method = weights[1] > 0 ? 1 : 8;
  return d;
}

float detect(detector_t d, const float *in) {
  char *work = malloc((size_t)d->size * (d->method == 1 ? 1 : 8));
  work[d->size / 2] = (char)in[0];
  const float found = work[0];
  free(work);
  return found;
}

typedef struct fir *fir_t;
struct fir {
  int taps;
  float *tap;
};

fir_t fir_new(const float *tap, int taps) {
  fir_t f = malloc(sizeof *f);
  f->taps = taps;
  f->tap = malloc((size_t)taps * sizeof(float));
  memcpy(f->tap, tap, (size_t)taps * sizeof(float));
  return f;
}

float filter(fir_t f, const float *in, int samples) {
  float *padded = calloc((size_t)(samples + f->taps), sizeof(float));
  for (int i = 0; i < samples; ++i)
    padded[i] = in[i] * f->tap[i % f->taps];
  const float last = padded[samples / 2];
  free(padded);
  return last;
}

typedef struct wave *wave_t;
struct wave {
  int length;
};
typedef struct tree *tree_t;
struct tree {
  wave_t wave;
  int levels;
};

wave_t wave_new(int length) {
  wave_t w = malloc(sizeof *w);
  w->length = length;
  return w;
}

tree_t tree_new(wave_t wave, int levels) {
  tree_t t = malloc(sizeof *t);
  t->wave = wave;
  t->levels = levels;
  return t;
}

float transform(tree_t t, const float *in) {
  float *work = malloc((size_t)(t->wave->length << t->levels) * sizeof(float));
  work[t->levels] = in[0];
  const float last = work[t->wave->length];
  free(work);
  return last;
}

typedef struct line *line_t;
struct line {
  int taps, at;
  float *past;
};

line_t line_new(int taps) {
  char *block = malloc(sizeof(struct line) + (size_t)taps * sizeof(float));
  line_t l = (line_t)block;
  l->taps = taps;
  l->at = 0;
  l->past = (float *)(block + sizeof(struct line));
  for (int i = 0; i < taps; ++i)
    l->past[i] = 0;
  return l;
}

float delay(line_t l, const float *in, int samples) {
  float *out = malloc((size_t)(samples + l->taps) * sizeof(float));
  for (int i = 0; i < samples; ++i)
    out[i] = in[i] + l->past[i % l->taps];
  l->past[l->at] = out[0];
  l->at = (l->at + 1) % l->taps;
  const float last = out[samples / 2];
  free(out);
  return last;
}

TWICE_OF(detect, sink = detect(detector_new(more, (int)number(1)), data))
TWICE_OF(filter, sink = filter(fir_new(data, (int)number(1)), more, (int)number(2)))
TWICE_OF(transform, sink = transform(tree_new(wave_new((int)number(1)), (int)number(2)), data))
TWICE_OF(delay, sink = delay(line_new((int)number(1)), data, (int)number(2)))
