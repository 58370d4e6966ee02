// Structures that point to structures.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a structure points to is built, too: as many elements as are asked for, all of them alike, as in an array. What
// leads back to the same type is null where nothing else is said. Of what is declared only, or is a function, nothing is
// known.
//
// RUN: %held -std=c11 -fplugin-arg-memshape-operator=interleaved
// HELD -O0 p.levels.rows=2,p.levels.cols=3,p.planes=3,p.plane.count=3,p.plane.width=20,p.plane.height=7 -- 3 20 7
// HELD -O2 p.levels.rows=2,p.levels.cols=3,p.planes=3,p.plane.count=3,p.plane.width=20,p.plane.height=7 -- 3 20 7
// RUN: %memshape predict %t --shape p.levels.rows=2,p.levels.cols=3,p.planes=3,p.plane.count=3,p.plane.width=20,p.plane.height=7 | FileCheck %s
// CHECK: peak heap {{.*}} 1,728 bytes exact
// CHECK: argument p {{.*}} bytes
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=chained -I%include -c %s -o %t.o
// RUN: %predict --shape p.levels.rows=2,p.levels.cols=3,p.planes=3,p.plane.count=3,p.plane.width=20,p.plane.height=7 | FileCheck --check-prefix=CHAIN %s
// CHAIN: peak heap {{.*}} 8 bytes exact
// CHAIN: - 'p.next' is taken to be null: --set p.next.present=1 predicts a call with it

#include "../Inputs/twice.h"

struct codec;

struct level {
  short rows, cols;
  const float *cells;
};

struct plane {
  int width, height;
  const float *samples;
};

struct picture {
  struct level levels[2];
  int planes;
  struct plane *plane;
  struct codec *codec;
  struct picture *next;
  void (*warn)(const char *);
};

double interleaved(const struct picture *p) {
  long total = 0;
  for (int i = 0; i < p->planes; ++i)
    total += (long)p->plane[i].width * p->plane[i].height;
  for (int i = 0; i < 2; ++i)
    total += p->levels[i].rows * p->levels[i].cols;
  float *all = malloc(total * sizeof(float));
  long at = 0;
  for (int i = 0; i < p->planes; ++i)
    for (long j = 0; j < (long)p->plane[i].width * p->plane[i].height; ++j)
      all[at++] = p->plane[i].samples[j];
  double last = all[at - 1];
  free(all);
  return last;
}

void *chained(const struct picture *p) {
  int count = 0;
  for (; p; p = p->next)
    ++count;
  return malloc(count * 8);
}

static double once(const float *from, int planes, int width, int height) {
  struct plane each[16];
  for (int i = 0; i < planes; ++i)
    each[i] = (struct plane){width, height, from};
  struct picture p = {{{2, 3, from}, {2, 3, from}}, planes, each, 0, 0, 0};
  return interleaved(&p);
}
