// What makes the structures behind pointers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of a structure that users see, its maker's numbers are symbols where they are members, too, and the others follow from
// them. A maker may take no number at all, and is given no function and no structure that it can do without; one that
// takes a text is not called. What it calls to make one changes none that is there, nor does a copy of one onto another;
// and who is given one without its length, where nobody else knows what it is, only frees it.
//
// RUN: %held -std=c11 -O2 -fplugin-arg-memshape-operator=forward -fplugin-arg-memshape-operator=same \
// RUN:   -fplugin-arg-memshape-operator=add -fplugin-arg-memshape-operator=clone -fplugin-arg-memshape-operator=filter
// HELD forward n.inputs=100,n.outputs=7
// HELD same n.inputs=100,n.outputs=7
// HELD add bytes=100
// HELD clone bytes=100
// HELD filter w.taps=100
//
// A function that the maker has left null and users may set is null, and the answer says so.
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=add -I%include -c %s -o %t.o
// RUN: %predict --shape bytes=100 | FileCheck %s
// RUN: %predict --shape bytes=100 --set p.moved.present=1 | %says "peak heap {{.*}} 100 bytes at most: if 'p.moved' requests nothing"
// CHECK: peak heap {{.*}} 100 bytes exact
// CHECK: 'p.moved' is taken to be null: --set p.moved.present=1 predicts a call with it
//
// A function of the unit, behind a pointer, knows how long it is.
//
// RUN: %clang -std=c11 -O2 -DWIPED -fplugin=%plugin -fplugin-arg-memshape-operator=add -I%include -c %s -o %t.o
// RUN: %predict --shape bytes=100 | FileCheck --check-prefix=WIPED %s
// WIPED-NOT: exact

#include "../Inputs/twice.h"
#include <stdatomic.h>

struct net {
  int inputs, outputs, weights;
  float (*squash)(float);
  float *weight;
};

static float identity(float x) { return x; }

struct net *net_new(int inputs, int outputs) {
  struct net *n = malloc(sizeof *n);
  n->inputs = inputs;
  n->outputs = outputs;
  n->weights = (inputs + 1) * outputs;
  n->squash = identity;
  n->weight = malloc((size_t)n->weights * sizeof(float));
  return n;
}

void forward(const struct net *n, const float *in, float *out) {
  float *sums = malloc((size_t)n->weights * sizeof(float));
  for (int i = 0; i < n->weights; ++i)
    sums[i] = n->squash(in[i % n->inputs] * n->weight[i]);
  out[0] = sums[n->weights / 2];
  free(sums);
}

struct net *same(const struct net *n) {
  struct net *other = malloc(sizeof *n);
  memcpy(other, n, sizeof *n);
  other->weight = malloc((size_t)other->weights * sizeof(float));
  return other;
}

typedef struct pool *pool_t;
struct pool {
  atomic_int used;
  union {
    long number;
    float reals[2];
  } last;
  void *(*request)(size_t);
  void (*release)(void *);
  void (*moved)(void *);
};

pool_t pool_with(void *(*request)(size_t), void (*release)(void *)) {
  request = request ? request : malloc;
  pool_t p = request(sizeof *p);
  memset(p, 0, sizeof *p);
  p->request = request;
  p->release = release ? release : free;
  return p;
}

pool_t pool_new(void) { return pool_with(NULL, NULL); }
pool_t pool_watched(void (*moved)(void *)) {
  pool_t p = pool_new();
  p->moved = moved;
  return p;
}
void pool_watch(pool_t p, void (*moved)(void *)) { p->moved = moved; }
void pool_free(pool_t p) { p->release(p); }

#ifdef WIPED
static void wipe(void *pool) { memset(pool, 0, sizeof(struct pool)); }
void (*pool_wipe)(void *) = wipe;
void pool_reset(pool_t p) { pool_wipe(p); }
#endif

void add(pool_t p, const float *in, int bytes) {
  char *block = p->request((size_t)bytes);
  block[0] = (char)in[0];
  p->used += 1;
  p->last.reals[0] = in[0];
  if (p->moved)
    p->moved(block);
  sink = block[bytes / 2];
  p->release(block);
}

pool_t clone(pool_t p, int bytes) {
  pool_t other = p->request(sizeof *p);
  memcpy(other, p, sizeof *p);
  other->last.number = bytes;
  return other;
}

typedef struct wave *wave_t;
struct wave {
  int taps;
  float *tap;
};

wave_t wave_named(const char *name) {
  wave_t w = malloc(sizeof *w);
  if (name != NULL) {
    w->taps = (int)strlen(name);
    w->tap = calloc((size_t)w->taps, sizeof(float));
  }
  return w;
}

float filter(wave_t w, const float *in) {
  float *sums = malloc((size_t)w->taps * sizeof(float));
  for (int i = 0; i < w->taps; ++i)
    sums[i] = w->tap[i] * in[i];
  const float last = sums[w->taps / 2];
  free(sums);
  return last;
}

TWICE_OF(forward, forward(net_new((int)number(1), (int)number(2)), data, more))
TWICE_OF(same, sink = same(net_new((int)number(1), (int)number(2)))->weights)
TWICE_OF(add, add(pool_new(), data, (int)number(1)))
TWICE_OF(clone, sink = clone(pool_new(), (int)number(1)) != NULL)
TWICE_OF(filter, {
  struct wave w;
  w.taps = (int)number(1);
  w.tap = more;
  sink = filter(&w, data);
})
