// Loops that allocate the same in each turn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A workspace for each pair, one inside for each row, none that stays: the turns are counted, not run. What a turn
// keeps, or takes from its number, is run turn by turn.
//
// RUN: %clang -std=c11 -O2 %operator
// RUN: %compare %t --shape pairs=30,rows=20,n=9 -- 30 20 9
// RUN: %compare %t --shape pairs=1,rows=1,n=5 -- 1 1 5
// RUN: %compare %t --shape pairs=0,rows=7,n=5 -- 0 7 5
// RUN: %compare %t --shape pairs=7,rows=0,n=5 -- 7 0 5
// RUN: env MEMSHAPE_CACHE=off %memshape predict %t.o --shape pairs=2000000000,rows=1000000,n=100 | FileCheck %s
// CHECK: exact
// CHECK: in 4,000,002,000,000,010 allocations

#include "../Inputs/twice.h"
#include <string.h>

static void *kept[16];

MEMSHAPE_OPERATOR
void turns(const float *in, int pairs, int rows, int n, float *out) {
  for (int p = 0; p < pairs; ++p) {
    float *work = malloc(n * sizeof(float));
    memcpy(work, in, n * sizeof(float));
    for (int r = 0; r < rows; ++r) {
      float *row = malloc(n * sizeof(float)), *other = malloc(2 * n * sizeof(float));
      memcpy(row, work, n * sizeof(float));
      memcpy(other, in, n * sizeof(float));
      out[r % 16] = row[n / 2] + other[n / 3];
      free(other);
      free(row);
    }
    free(work);
  }
  /* 10 turns that leave something, and differ. */
  for (int k = 0; k < 10; ++k) {
    kept[k] = malloc(k + 1);
    memcpy(kept[k], in, k + 1);
  }
  for (int k = 0; k < 10; ++k)
    free(kept[k]);
}

TWICE(turns(data, number(1), number(2), number(3), more))
