// Sizes that follow from the order of blocks in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block may lie between two others, and one that is never written below one that is, or below a variable on the
// stack. In a second call the places of freed blocks are used again, in whatever order.
//
// RUN: %held -std=c11
// HELD -O0 -DKIND=1 n=100 --bounds 0..3220
// HELD -O2 -DKIND=1 n=100 --bounds 0..3180
// HELD -O2 -DKIND=2 n=100 --bounds 0..3220
// HELD -O0 -DKIND=3 n=100 --bounds 0..3220
// HELD -O2 -DKIND=3 n=100 --bounds 0..3180

#include "../Inputs/twice.h"
#include <stdint.h>

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
  char *work = malloc(same ? 500 : 3000);
  float result = touched(work) + touched(one) + touched(other) + touched(third) + touched(local);
  free(work);
  free(one);
  free(other);
  free(third);
  return result;
}

TWICE(sink = order(data, number(1)))
