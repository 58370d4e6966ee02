// Numbers that are passed by address.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pointer to an integer of which nothing but the value is taken is an extent like one that is passed by value, as C
// programs pass what Fortran calls. The caller may have it lie in a tensor: once something is written there as an
// integer, the extent is data. One that is written, indexed or handed to another unit is a tensor, as before.
//
// RUN: %held -std=c11 -O2 -fplugin-arg-memshape-operator=*
// HELD part n=100,nn=3 -- 100 3
// HELD late n=100 --bounds 0..400
// HELD apart n=100
// HELD afterwards n=100
// RUN: %predict --operator part --shape n=100 --shape nn=3 | %says "formula 4*n + 8*nn"
// RUN: not %predict --operator counted --shape n=100 2>&1 | %says "no operator 'counted'"

#include "../Inputs/twice.h"

static void *volatile kept; // so that blocks are not optimised away

static int twice_as_much(const int *nn) { return 2 * *nn; }

int part(const int *n, int *nn, const int *from, int *to) {
  int *work = malloc((*n + twice_as_much(nn)) * sizeof(int));
  kept = work;
  to[0] = from[0];
  free(work);
  return *n;
}

int late(int *n, int *to) {
  to[0] = 5;
  int *work = malloc(*n * sizeof(int));
  kept = work;
  free(work);
  return to[1];
}

float apart(int *n, float *to) {
  to[0] = 5;
  float *work = malloc(*n * sizeof(float));
  for (int i = 0; i < *n; ++i)
    work[i] = to[i];
  const float last = work[*n - 1];
  free(work);
  return last;
}

int afterwards(int *n, int *to) {
  int *work = malloc(*n * sizeof(int));
  for (int i = 0; i < *n; ++i)
    work[i] = to[i];
  for (int i = 0; i < *n; ++i)
    to[i] = work[*n - 1];
  free(work);
  return 0;
}

int counted(int *n, int *to) { return to[(*n)++]; }

TWICE_OF(part,
         (*(int *)data = 100, *(int *)more = 3, sink = part((int *)data, (int *)more, (int *)data, (int *)more + 1)))
TWICE_OF(late, (*(int *)data = 100, sink = late((int *)data, (int *)data)))
TWICE_OF(apart, (*(int *)more = 100, sink = apart((int *)more, data)))
TWICE_OF(afterwards, (*(int *)more = 100, sink = afterwards((int *)more, (int *)data)))
TWICE_EACH
