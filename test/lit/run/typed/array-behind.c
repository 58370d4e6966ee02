// Structures with an array without an extent at their end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A symbol says how many elements the array has; they are data.
//
// RUN: %held -std=c11 -O2 -fplugin-arg-memshape-operator=smooth -fplugin-arg-memshape-operator=score -fplugin-arg-memshape-operator=chosen
// HELD smooth s.count=50,s.values.size=50 -- 50
// HELD score r.path.count=1,r.path.length=30,r.path.steps.size=30 -- 30
// HELD chosen s.count=9 --bounds 0..255 -- 9
// RUN: %memshape predict %t --operator smooth --shape s.count=50,s.values.size=50 | %says "argument s {{.*}} 408 bytes"
// RUN: %memshape predict %t --operator score --shape r.path.count=0 | %says --not "r.id=" "peak heap {{.*}} 0 bytes exact"

#include "../Inputs/twice.h"

typedef struct {
  int count;
  double values[];
} series;

double smooth(const series *s) {
  double *means = malloc(s->count * sizeof *means), last = 0;
  for (int i = 0; i < s->count; ++i)
    means[i] = last = (last + s->values[i]) / 2;
  last += means[s->count / 2];
  free(means);
  return last;
}

typedef struct {
  int id;
  struct {
    int length;
    unsigned steps[];
  } *path;
} region;

unsigned score(const region *r) {
  unsigned sum = 0;
  if (!r->path)
    return 0;
  unsigned *sums = malloc(r->path->length * sizeof *sums);
  for (int i = 0; i < r->path->length; ++i)
    sums[i] = sum += r->path->steps[i] & 15;
  sum += sums[sum % 30];
  free(sums);
  return sum;
}

char chosen(const series *s) {
  char *text = malloc((unsigned char)s->values[0]);
  text[0] = 1;
  char first = text[s->count % 2];
  free(text);
  return first;
}

static series *made(int count) {
  series *s = (series *)data_storage;
  s->count = count;
  return s;
}

static region *found(int length) {
  static region one;
  one.path = (void *)data_storage;
  one.path->length = length;
  return &one;
}

TWICE_OF(smooth, sink = smooth(made((int)number(1))))
TWICE_OF(score, sink = score(found((int)number(1))))
TWICE_OF(chosen, sink = chosen(made((int)number(1))))
TWICE_EACH
