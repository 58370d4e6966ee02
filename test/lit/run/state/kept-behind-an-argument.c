// Who has the address of a static.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that nobody else can call stores the address of a variable behind its argument. With a tensor for that
// argument the caller can write the variable; with a variable of the operator nobody can.
//
// RUN: %held -std=c11 -O2
// HELD -DPLACE=table n=100 --bounds 0..none --because unbounded_size
// HELD -DPLACE=own n=100

#include "../Inputs/twice.h"

static int level = 4;

static __attribute__((noinline)) void keep(int **place, int *address) { place[1] = address; }
static __attribute__((noinline)) int levelOf(int **place) {
  keep(place, &level);
  return level;
}

MEMSHAPE_OPERATOR
float levelled(int **table, int n) {
  int *own[2] = {0, 0};
  (void)own;
  char *work = malloc((size_t)n * levelOf(PLACE));
  work[0] = 1;
  work[n - 1] = 1;
  float result = work[n / 2];
  free(work);
  return result;
}

static int *pointers[2];
TWICE(sink = levelled(pointers, number(1)); if (pointers[1])++ *pointers[1])
