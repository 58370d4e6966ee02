// Rules of the zone are the C library's memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C library keeps the name of the zone in a block that it may make anew at each call.
//
// RUN: %clang -std=c11 -O2 %operator
// RUN: env -u TZ %compare %t --shape n=100 --bounds 0..none --because on_zeros -- 100
// RUN: env TZ=UTC %compare %t --shape n=100 --bounds 0..none --because on_zeros -- 100

#include "../Inputs/twice.h"
#include <time.h>

MEMSHAPE_OPERATOR
float dated(const float *in, int n) {
  struct tm day;
  memset(&day, 0, sizeof day);
  day.tm_year = 100;
  char *work = malloc(n);
  work[0] = mktime(&day) > 0;
  work[n - 1] = (char)in[0];
  float result = work[n / 2];
  free(work);
  return result;
}

TWICE(sink = dated(data, number(1)))
