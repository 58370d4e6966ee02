// Orders and distances of addresses that another unit asks for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of two places comes first, and how far they are apart, is data in the main file of any unit: that is the
// program's own code, whether its unit has operators and lines or not. A header asks as a library does.
//
// RUN: %clang -std=c11 -O0 -fplugin=%plugin -I%include -DOTHER -c %s -o %t.other.o
// RUN: %clang -std=c11 -O2 -g -fplugin=%plugin -I%include -DOTHER -c %s -o %t.lines.o
// RUN: %clang -std=c11 -O2 %operator %t.other.o
// RUN: %compare %t --shape n=100 --bounds 800..1200 -- 100
// RUN: %clang %t.o %t.lines.o -o %t
// RUN: %compare %t --shape n=100 --bounds 800..1200 -- 100
//
// RUN: %clang -std=c11 -O2 -DDISTANCE -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %predict %t.other.o --shape n=100 | %says "peak heap{{.*}} at" "at least{{.*}} 504 bytes"

#ifdef OTHER
int first(const void *a, const void *b) { return a < b; }
long apart(const char *a, const char *b) { return b - a; }
#else
#include "../Inputs/twice.h"

int first(const void *a, const void *b);
long apart(const char *a, const char *b);

#ifndef DISTANCE
MEMSHAPE_OPERATOR
float order(const float *in, int n, float *out) {
  float *work = malloc(sizeof(float) * n);
  work[n / 2] = in[0];
  float *more = malloc(sizeof(float) * n * (first(work, out) ? 1 : 2));
  more[n / 3] = in[1];
  float result = work[n / 4] + more[n / 5];
  free(more);
  free(work);
  return result;
}

TWICE(sink = order(data, number(1), data))

#else
MEMSHAPE_OPERATOR
float distance(const float *in, int n) {
  char *one = malloc(4 * n), *other = malloc(n);
  one[n / 2] = other[n / 3] = (char)in[0];
  float *work = malloc(sizeof(float) * ((apart(one, other) & 63) + 1));
  work[n & 1] = in[1];
  float result = work[n & 2] + one[n / 4] + other[n / 5];
  free(work);
  free(other);
  free(one);
  return result;
}
#endif
#endif
