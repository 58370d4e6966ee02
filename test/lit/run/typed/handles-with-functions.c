// Structures behind handles that hold functions and arrays of structures.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What other functions of the unit change is data, functions and arrays of structures among it: a member holds one of the
// unit's functions then, as nobody else sees the structure. Where users hand functions to the unit, it may be any, and who
// calls it is told so. An operator that does not call it is answered.
//
// RUN: %held -std=c11 -O2 -fplugin-arg-memshape-operator=resize -fplugin-arg-memshape-operator=put \
// RUN:   -fplugin-arg-memshape-operator=apply -fplugin-arg-memshape-operator=copied
// HELD resize q.slots=100,slots=300
// HELD put q.slots=100,bytes=20 --bounds 0..20
// HELD apply q.slots=100
// HELD copied q.slots=100 --bounds 0..800
//
// RUN: %clang -std=c11 -O2 -DGIVEN -fplugin=%plugin -fplugin-arg-memshape-operator=apply -I%include -c %s -o %t.o
// RUN: %predict --shape q.slots=100 | %says "peak heap {{.*}} 0 bytes at most: if 'q.each' requests nothing"
// RUN: %clang -std=c11 -O2 -DBYTES -fplugin=%plugin -fplugin-arg-memshape-operator=apply -I%include -c %s -o %t.o
// RUN: %predict --shape q.slots=100 | %says "peak heap {{.*}} 0 bytes at most: if 'q.each' requests nothing"

#include "../Inputs/twice.h"

typedef struct queue *queue_t;
typedef float (*each_t)(float);
struct packet {
  char *data;
  int bytes;
};
struct queue {
  int slots;
  float *times;
  each_t each;
  float *(*copy)(int slots);
  struct packet packets[4];
};

static float same(float x) { return x; }
static float twice(float x) { return 2 * x; }

queue_t queue_new(int slots) {
  queue_t q = calloc(1, sizeof *q);
  q->slots = slots;
  q->times = malloc((size_t)slots * sizeof(float));
  q->each = same;
  return q;
}

void queue_double(queue_t q, int on) { q->each = on ? twice : same; }

void resize(queue_t q, int slots, float *out) {
  float *times = malloc((size_t)slots * sizeof(float));
  times[slots - 1] = q->times[0];
  out[0] = times[slots / 2];
  q->each = twice;
  free(times);
}

void put(queue_t q, const float *in, int bytes) {
  for (int i = 0; i < 4; ++i)
    if (!q->packets[i].data) {
      q->packets[i].data = malloc((size_t)bytes);
      q->packets[i].data[0] = (char)in[0];
      q->packets[i].bytes = bytes;
      return;
    }
}

float apply(queue_t q, const float *in) { return q->each != NULL ? q->each(in[0]) : 0; }

static float *same_copy(int slots) { return malloc((size_t)slots * sizeof(float)); }
static float *wide_copy(int slots) { return malloc((size_t)slots * sizeof(double)); }
void queue_copy(queue_t q, int wide) { q->copy = wide ? wide_copy : same_copy; }

float copied(queue_t q, const float *in) {
  if (!q->copy)
    return 0;
  float *copy = q->copy(q->slots);
  copy[q->slots - 1] = in[0];
  const float last = copy[q->slots / 2];
  free(copy);
  return last;
}

#ifdef BYTES
static void copy_bytes(void *to, const void *from) { memcpy(to, from, sizeof(each_t)); }
void queue_bytes(queue_t q, const void *each) { copy_bytes(&q->each, each); }
#endif

#ifdef GIVEN
void queue_each(queue_t q, each_t each) { q->each = each; }
#endif

TWICE_OF(resize, resize(queue_new((int)number(1)), (int)number(2), more))
TWICE_OF(put, put(queue_new((int)number(1)), data, (int)number(2)))
TWICE_OF(apply, sink = apply(queue_new((int)number(1)), data))
TWICE_OF(copied, sink = copied(queue_new((int)number(1)), data))
