// qsort merges in a block of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From 1024 bytes on. Elements above 32 bytes are sorted through pointers; names that are sorted go in any order.
//
// RUN: %clang -std=c11 -O2 %operator
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=255 -- 255
// RUN: %compare %t --shape n=257 -- 257
// RUN: %compare %t --shape n=3 -- 3
// RUN: %memshape predict %t --operator median --shape n=257 | FileCheck %s
// CHECK: peak heap {{.*}} 14,432 bytes exact
//
// How often two elements are compared depends on the data: where that allocates, nothing is said to be exact.
// RUN: %clang -std=c11 -O0 -DALLOCATES -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %memshape predict %t.o --shape n=100 --json | FileCheck %s --check-prefix=ALLOCATES
// ALLOCATES: "exact": false

#define _POSIX_C_SOURCE 200809L
#include "../Inputs/twice.h"
#include <stdio.h>
#include <string.h>

typedef struct {
  double at;
  float values[8];
} Event;

static int byValue(const void *one, const void *other) {
  float a = *(const float *)one, b = *(const float *)other;
#ifdef ALLOCATES
  float *both = malloc(2 * sizeof(float));
  both[0] = a;
  b += both[0] - a;
  free(both);
#endif
  return (a > b) - (a < b);
}

static int byTime(const void *one, const void *other) {
  double a = ((const Event *)one)->at, b = ((const Event *)other)->at;
  return (a > b) - (a < b);
}

static int byName(const void *one, const void *other) {
  return strcmp(*(char *const *)one, *(char *const *)other);
}

MEMSHAPE_OPERATOR
float median(const float *in, int n) {
  float *sorted = malloc(n * sizeof(float));
  memcpy(sorted, in, n * sizeof(float));
  qsort(sorted, n, sizeof(float), byValue);
  float result = sorted[n / 2];
  free(sorted);
  Event *events = calloc(n, sizeof(Event));
  for (int i = 0; i < n; ++i)
    events[i].at = in[i];
  qsort(events, n, sizeof(Event), byTime);
  result += (float)events[0].at;
  free(events);
  char *names[5], text[24];
  for (int i = 0; i < 5; ++i) {
    snprintf(text, sizeof text, "trace-%d", i * 7919 % 100);
    names[i] = strdup(text);
  }
  qsort(names, 5, sizeof names[0], byName);
  for (int i = 0; i < 5; ++i) {
    result += names[i][6];
    free(names[i]);
  }
  return result;
}

TWICE(sink = median(data, number(1)))
