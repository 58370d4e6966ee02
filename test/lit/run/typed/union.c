// Structures that hold unions and marks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which member a union holds is not known: it is data, and what depends on it is a decision. A member that is no extent
// may be negative, and is then given as a setting.
//
// RUN: %held -std=c11 -O2 -fplugin-arg-memshape-operator=packed -fplugin-arg-memshape-operator=behind
// HELD packed c.n=100 --set c.mark=-1 -- 100 -1
// HELD packed c.n=100,c.mark=3
// HELD behind s.n=100
// RUN: not %memshape predict %t --operator packed --shape c.n=100,c.mark=-1 2>&1 | FileCheck --check-prefix=SHAPE %s
// SHAPE: shape value c.mark=-1 is negative: give an extent of 0 or more; what is no extent is given as a setting: --set c.mark=-1
// RUN: not %memshape predict %t --operator packed --shape c.n=100 --set c.mark=-x 2>&1 | %says "setting c.mark=-x is not an integer"
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=chosen -I%include -c %s -o %t.o
// RUN: %predict --shape c.n=100,c.mark=1 | FileCheck %s
// CHECK-NOT: exact

#include "../Inputs/twice.h"

struct codec {
  int n, mark;
  union {
    struct {
      int level;
      const float *rates;
    } fine;
    double coarse;
  } detail;
};

static char *volatile kept; // so that blocks are not optimised away

int packed(const struct codec *c) {
  char *work = malloc(c->mark < 0 ? 8 * c->n : c->mark);
  kept = work;
  kept[0] = (char)c->detail.fine.level;
  int first = work[0];
  free(work);
  return first;
}

int chosen(const struct codec *c) {
  char *work = malloc(c->n * (long)c->detail.fine.level);
  kept = work;
  int first = work[0];
  free(work);
  return first;
}

struct stream {
  int n;
  union {
    int words[4];
    char bytes[16];
  } *state;
};

int behind(struct stream *s) {
  char *work = malloc(s->n);
  kept = work;
  s->state->words[1] = work[0] + s->state->bytes[0];
  free(work);
  return s->state->words[1];
}

static int once(int n, int mark) {
  struct codec c = {n, mark, {{5, 0}}};
  return packed(&c);
}

TWICE_OF(packed, sink = once((int)number(1), (int)number(2)))
static int twice(int n, void *state) {
  struct stream s = {n, state};
  return behind(&s);
}

TWICE_OF(behind, sink = twice((int)number(1), data))
