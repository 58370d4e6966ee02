// Members that only decide what an argument takes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the operator requests is known without them. That is so, too, where another unit shows that a member decides
// nothing.
//
// RUN: %held -std=c11 -O2 -DHELPER -fplugin-arg-memshape-operator=blur -fplugin-arg-memshape-operator=label
// HELD blur p.width=20,p.height=7
// HELD label p.regions=3,p.region.count=3,p.region.pixels=11
// RUN: %memshape predict %t --operator blur --shape p.width=20,p.height=7 | FileCheck %s
// RUN: %memshape predict %t --operator blur --shape p.width=20,p.height=7,p.region.count=3 | FileCheck --check-prefix=GIVEN %s
// RUN: not %memshape predict %t --operator label --shape p.regions=3,p.region.pixels=11 2>&1 | %says "p.region.count"
// CHECK: peak heap {{.*}} 560 bytes exact
// CHECK-NOT: argument p {{.*}} bytes
// CHECK: - how many bytes 'p' takes is not counted without p.region.count
// GIVEN: peak heap {{.*}} 560 bytes exact
// GIVEN: argument p {{.*}} 24 bytes
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=blur -I%include -c %s -o %t.o
// RUN: %clang -std=c11 -O2 -DHELPER -DALONE -fplugin=%plugin -I%include -c %s -o %t.helper.o
// RUN: %predict %t.helper.o --operator blur --shape p.width=20,p.height=7 | FileCheck %s

#include "../Inputs/twice.h"

struct region {
  int pixels;
  float weight;
};

struct page {
  int width, height, regions;
  const float *cells;
  struct region *region;
};

float sum(const struct page *p, const float *cells);

#ifdef HELPER
float sum(const struct page *p, const float *cells) {
  float all = 0;
  for (int i = 0; i < p->width * p->height; ++i)
    all += cells[i];
  return all;
}
#endif

#ifndef ALONE
float blur(const struct page *p) {
  float *cells = malloc((size_t)p->width * (size_t)p->height * sizeof(float));
  for (int i = 0; i < p->width * p->height; ++i)
    cells[i] = p->cells[i];
  const float all = sum(p, cells);
  free(cells);
  return all;
}

int label(const struct page *p) {
  int found = 0;
  for (int r = 0; r < p->regions; ++r) {
    int *labels = malloc((size_t)p->region[r].pixels * sizeof(int));
    for (int i = 0; i < p->region[r].pixels; ++i)
      labels[i] = p->cells[i] > 1;
    found += labels[(int)p->cells[0]];
    free(labels);
  }
  return found;
}

#ifdef HELPER
static struct region regions[3] = {{11, 1}, {11, 1}, {11, 1}};
TWICE_OF(blur, sink = blur(&(struct page){(int)number(1), (int)number(2), 3, data, regions}))
TWICE_OF(label, sink = label(&(struct page){20, 7, (int)number(1), data, regions}))
TWICE_EACH
#endif
#endif
