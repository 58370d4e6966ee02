// Sizes that follow from the order of blocks in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block may lie between two others, and one that is never written below one that is, or below a variable on the
// stack. In a second call the places of freed blocks are used again, in whatever order.
//
// RUN: %held -std=c11
// HELD -O0 -DKIND=1 order n=100 --bounds 0..3220
// HELD -O2 -DKIND=1 order n=100 --bounds 0..3180
// HELD -O2 -DKIND=2 order n=100 --bounds 0..3220
// HELD -O0 -DKIND=3 order n=100 --bounds 0..3220
// HELD -O2 -DKIND=3 order n=100 --bounds 0..3180
//
// One order of four blocks is one of 24. Of more blocks, not all orders are tried. An array's bounds are in one block.
//
// HELD -O2 -DMANY=4 sorted n=100 --bounds 0..660
// HELD -O2 -DMANY=6 sorted n=100 --bounds 0..740
// HELD -O2 within n=100
//
// Data decides whether blocks are compared:
//
// HELD -O0 -DKIND=4 order n=100 --bounds 0..3220
// HELD -O2 -DKIND=4 order n=100 --bounds 0..3180
//
// What bounds a size that comes from data may follow from the order, where the size itself does not.
//
// HELD -O2 bounded n=15,m=3 --bounds 0..1024
//
// Whether ranges of two blocks overlap does not depend on which block comes first.
//
// HELD -O2 -DMANY=6 apart n=100

#include "../Inputs/twice.h"
#include <stdint.h>

#ifndef KIND
#define KIND 1
#endif
#ifndef MANY
#define MANY 4
#endif

static __attribute__((noinline)) float touched(const void *p) { return *(const volatile char *)p; }

static char *kept;

MEMSHAPE_OPERATOR
float order(const float *in, int n) {
  char local[40];
  if (!kept)
    kept = malloc(40);
  char *one = malloc(40), *other = malloc(40), *third = malloc(n);
  one[0] = other[0] = third[0] = local[0] = in[0] > 0;
  const char *between = KIND == 1 ? third : KIND == 2 ? kept : local;
  int same = ((uintptr_t)one < (uintptr_t)between) == ((uintptr_t)other < (uintptr_t)between);
  if (KIND == 3)
    same = (uintptr_t)one < (uintptr_t)between;
  if (KIND == 4)
    same = !(in[1] > 3) || (uintptr_t)one < (uintptr_t)other;
  char *work = malloc(same ? 500 : 3000);
  float result = touched(work) + touched(one) + touched(other) + touched(third) + touched(local);
  free(work);
  free(one);
  free(other);
  free(third);
  return result;
}

MEMSHAPE_OPERATOR
float sorted(const float *in, int n) {
  enum { Third = 2, First = 0, Fourth = 3, Second = 1 };
  static const int orders[6] = {Third, First, Fourth, Second, 5, 4};
  char *blocks[MANY];
  for (int i = 0; i < MANY; ++i) {
    blocks[i] = malloc(40);
    blocks[i][0] = in[0] > 0;
  }
  int ascending = 1;
  for (int i = 0; i + 1 < MANY; ++i)
    ascending &= (uintptr_t)blocks[orders[i]] < (uintptr_t)blocks[orders[i + 1]];
  char *work = malloc(ascending ? 500 : 4 + n);
  float result = touched(work);
  free(work);
  for (int i = 0; i < MANY; ++i) {
    result += touched(blocks[i]);
    free(blocks[i]);
  }
  return result;
}

MEMSHAPE_OPERATOR
float within(const float *in, int n) {
  float *block = malloc(n * sizeof *block), *end = block + n;
  float sum = 0;
  for (float *at = block; at < end; at += 2) {
    *at = in[at - block];
    sum += *at;
  }
  free(block);
  return sum;
}

static unsigned most(const float *in, int n) {
  unsigned greatest = 0;
  for (int i = 0; i < n; ++i) {
    const unsigned each = (unsigned)(in[i & 15] * 9) & 63;
    greatest = each > greatest ? each : greatest;
  }
  return greatest;
}

MEMSHAPE_OPERATOR
float bounded(const float *in, int n, int m) {
  float sum = 0;
  if (m & 1) {
    double *means = calloc(n + 1, sizeof *means);
    means[0] = in[3];
    sum += (float)means[n / 2];
    free(means);
  }
  char *p = malloc(40), *q = malloc(40);
  p[0] = (char)in[0];
  q[0] = (char)in[1];
  unsigned long size = m * 2 + ((uintptr_t)p < (uintptr_t)q ? 5 : 30);
  sum += touched(p) + touched(q);
  free(p);
  free(q);
  if (n > 28)
    size = size * 2 + most(in, n);
  size = (size * 3 + 40 & 255) + 1;
  float *all = malloc(size * sizeof *all);
  for (unsigned long i = 0; i < size; ++i)
    all[i] = in[i & 15];
  sum += all[size / 2];
  free(all);
  return sum;
}

static __attribute__((noinline)) void copy(char *to, const char *from, long bytes) {
  if (to < from + bytes && from < to + bytes) {
    char *work = malloc(bytes);
    memcpy(work, from, bytes);
    memcpy(to, work, bytes);
    free(work);
  } else {
    memcpy(to, from, bytes);
  }
}

MEMSHAPE_OPERATOR
float apart(const float *in, int n) {
  char *blocks[MANY];
  for (int i = 0; i < MANY; ++i) {
    blocks[i] = malloc(n);
    blocks[i][0] = in[i] > 0;
    copy(blocks[i], blocks[i / 2], n);
  }
  float result = 0;
  for (int i = 0; i < MANY; ++i) {
    result += touched(blocks[i]);
    free(blocks[i]);
  }
  return result;
}

TWICE_OF(apart, apart(data, number(1)))
TWICE_OF(order, order(data, number(1)))
TWICE_OF(sorted, sorted(data, number(1)))
TWICE_OF(within, within(data, number(1)))
