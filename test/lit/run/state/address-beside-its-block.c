// Addresses that lie outside of the block that they lead to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call leaves is all that its variables lead to, and a number near to a block may lead to it: a count in such a
// block, as in an array that begins at 1, tells the eighth call. So a variable with such a number keeps what each block
// holds.
//
// RUN: %held -std=c11 -O2
// HELD -DKIND=added n=200 --bounds 0..816
// HELD -DKIND=subtracted n=200 --bounds 0..816
// HELD -DKIND=kept n=200

#include "../Inputs/twice.h"
#include <stdint.h>

static int *eighth(uintptr_t *number, uintptr_t far) {
  if (!*number)
    *number = (uintptr_t)calloc(4, sizeof(int)) + far;
  return (int *)(*number - far);
}

static int added(void) {
  static uintptr_t number;
  return ++*eighth(&number, 64) % 8 ? 1 : 4;
}

static int subtracted(void) {
  static uintptr_t number;
  return ++*eighth(&number, (uintptr_t)-4) % 8 ? 1 : 4;
}

static int kept(void) {
  static uintptr_t number;
  int *size = eighth(&number, 64);
  *size = 3;
  return *size;
}

MEMSHAPE_OPERATOR
float counted(const float *in, int n) {
  float *work = malloc(n * KIND());
  work[0] = in[0];
  work[n / 8] = 2;
  float result = work[n / 16];
  free(work);
  return result;
}

TWICE(sink = counted(data, number(1)))
