// Structures that hold unions and marks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which member a union holds is not known: it is data, and what depends on it is a decision. A member that is no extent
// may be negative, and is then given as a setting.
//
// RUN: %held -std=c11 -O2 -fplugin-arg-memshape-operator=packed
// HELD c.n=100 --set c.mark=-1 -- 100 -1
// HELD c.n=100,c.mark=3
// RUN: not %memshape predict %t --shape c.n=100,c.mark=-1 2>&1 | FileCheck --check-prefix=SHAPE %s
// SHAPE: shape value c.mark=-1 is negative: give an extent of 0 or more; what is no extent is given as a setting: --set c.mark=-1
// RUN: not %memshape predict %t --shape c.n=100 --set c.mark=-x 2>&1 | FileCheck --check-prefix=WORD %s
// WORD: setting c.mark=-x is not an integer
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=chosen -I%include -c %s -o %t.o
// RUN: %memshape predict %t.o --shape c.n=100,c.mark=1 | FileCheck %s
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

static int once(int n, int mark) {
  struct codec c = {n, mark, {{5, 0}}};
  return packed(&c);
}

TWICE(sink = once((int)number(1), (int)number(2)))
