// Functions for the end of the program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C library keeps them in blocks of 32, whoever registers them: the operator may come to the end of one.
//
// RUN: %clang -std=gnu11 -O2 %operator
// RUN: %compare %t --shape n=100 --bounds 100..1140 -- 100

#include "../Inputs/twice.h"
#include <stdio.h>

static void ends(void) { puts("the end"); }

MEMSHAPE_OPERATOR
float registered(const float *in, int n) {
  char *work = malloc(n);
  atexit(ends);
  work[0] = in[0] > 0;
  work[n - 1] = 1;
  float result = work[n / 2];
  free(work);
  return result;
}

TWICE(sink = registered(data, number(1)))
