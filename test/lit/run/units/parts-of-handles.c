// Handles whose parts another unit makes and reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part that is handed to functions of another unit may be changed there. With that unit it is known whether it is: the
// part is as it was made where these functions only read it, and what makes it keeps it nowhere.
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=forward -I%include -c %s -o %t.o
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -DOTHER_UNIT -I%include -c %s -o %t.other.o
// RUN: %clang %t.o %t.other.o -o %t
// RUN: %compare %t --operator forward --shape p.n=100,p.rows=3 -- forward 100 3
//
// One of them writes there, or behind a pointer that it finds or copies, or keeps it for later; or what makes it puts it
// into a list.
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -DOTHER_UNIT -DWRITTEN -I%include -c %s -o %t.other.o
// RUN: %memshape predict %t.o %t.other.o --shape p.n=100,p.rows=3 | %says "peak heap {{.*}} 0 bytes at least"
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -DOTHER_UNIT -DBEHIND -I%include -c %s -o %t.other.o
// RUN: %memshape predict %t.o %t.other.o --shape p.n=100,p.rows=3 | %says "peak heap {{.*}} 0 bytes at least"
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -DOTHER_UNIT -DCOPIED -I%include -c %s -o %t.other.o
// RUN: %memshape predict %t.o %t.other.o --shape p.n=100,p.rows=3 | %says "peak heap {{.*}} 0 bytes at least"
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -DOTHER_UNIT -DLINKED -I%include -c %s -o %t.other.o
// RUN: %memshape predict %t.o %t.other.o --shape p.n=100,p.rows=3 | %says "peak heap {{.*}} 0 bytes at least"
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -DOTHER_UNIT -DKEPT -I%include -c %s -o %t.other.o
// RUN: %memshape predict %t.o %t.other.o --shape p.n=100,p.rows=3 | %says "peak heap {{.*}} 0 bytes at least"
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -DOTHER_UNIT -DLISTED -I%include -c %s -o %t.other.o
// RUN: %memshape predict %t.o %t.other.o --shape p.n=100,p.rows=3 | %says "peak heap {{.*}} 0 bytes at least"
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -DOTHER_UNIT -DCHAINED -I%include -c %s -o %t.other.o
// RUN: %memshape predict %t.o %t.other.o --shape p.n=100,p.rows=3 | %says "peak heap {{.*}} 0 bytes at least"

#include "../Inputs/twice.h"

struct wave;
struct wave *wave_new(int n);
void transform(struct wave *w, const float *in, float *out);

#ifdef OTHER_UNIT
struct wave {
  int n;
  struct lengths {
    int *of;
  } lengths;
  float *factors;
  struct wave *next;
};
static struct lengths copied;
void wave_limit_copied(int n) { copied.of[0] = n; }

static struct wave first;
__attribute__((noinline)) static void limit(struct wave *w, int n) { w->n = n; }
void wave_limit_linked(int n) {
  limit(&first, n);
  limit(first.next, n);
}

static struct wave *newest;
void wave_limit_chained(int n) {
  for (struct wave *w = newest; w; w = w->next)
    w->n = n;
}

static struct wave *last;
static struct {
  int used;
  struct wave *all[8];
} list;

void wave_limit(int n) { last->n = n; }
void wave_limit_listed(int at, int n) { list.all[at]->n = n; }

struct wave *wave_new(int n) {
  struct wave *w = malloc(sizeof *w);
  w->n = n;
  w->lengths.of = malloc(sizeof(int));
  w->lengths.of[0] = n;
  w->factors = malloc((size_t)n * sizeof(float));
  for (int i = 0; i < n; ++i)
    w->factors[i] = 1.f / (float)(i + 1);
#ifdef LINKED
  if (!first.next)
    first.next = w;
#endif
#ifdef CHAINED
  w->next = newest;
  newest = w;
#endif
#ifdef LISTED
  list.all[list.used++ % 8] = w;
#endif
  return w;
}

static void recurse(const struct wave *w, const float *in, float *out, int from, int to) {
  if (to - from > 1) {
    recurse(w, in, out, from, (from + to) / 2);
    recurse(w, in, out, (from + to) / 2, to);
  } else if (to > from) {
    out[from] = in[from] * w->factors[from];
  }
}

void transform(struct wave *w, const float *in, float *out) {
  float *copy = malloc((size_t)(w->n + w->lengths.of[0]) * sizeof(float));
  recurse(w, in, copy, 0, w->n);
  memcpy(out, copy, (size_t)w->n * sizeof(float));
  free(copy);
#ifdef WRITTEN
  w->n = (int)in[0] + 7;
#endif
#ifdef BEHIND
  w->lengths.of[0] = (int)in[0] + 7;
#endif
#ifdef COPIED
  copied = w->lengths;
#endif
#ifdef KEPT
  last = w;
#endif
}
#else
typedef struct plan *plan_t;
struct plan {
  int n, rows;
  struct wave *forth, *back;
};

plan_t plan_new(int n, int rows) {
  plan_t p = malloc(sizeof *p);
  p->n = n;
  p->rows = rows;
  p->forth = wave_new(n);
  p->back = wave_new(n);
  return p;
}

void forward(plan_t p, const float *in, float *out) {
  for (int row = 0; row < p->rows; ++row)
    transform(p->forth, in + row * p->n, out + row * p->n);
}
void backward(plan_t p, const float *in, float *out) {
  for (int row = 0; row < p->rows; ++row)
    transform(p->back, in + row * p->n, out + row * p->n);
}

TWICE_OF(forward, forward(plan_new((int)number(1), (int)number(2)), data, more))
TWICE_EACH
#endif
