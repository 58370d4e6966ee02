// What realloc copies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For LLVM the new block aliases nothing, but data that was written to the old one is read there.
//
// RUN: %clang -std=c11 -O2 %operator
// RUN: %compare %t --shape n=50 --bounds 4001..5024 -- 50

#include "../Inputs/twice.h"

static void *volatile kept;

MEMSHAPE_OPERATOR
int moved(const int *in, int n) {
  int *all = malloc(400);
  kept = all;
  for (int i = 0; i < n; ++i)
    all[i] = in[i];
  all = realloc(all, 4000);
  kept = all;
  char *work = malloc((all[n / 2] & 1023) + 1);
  kept = work;
  work[0] = (char)in[0];
  int result = work[0];
  free(work);
  free(all);
  return result;
}

TWICE(sink = moved((int *)data, number(1)))
