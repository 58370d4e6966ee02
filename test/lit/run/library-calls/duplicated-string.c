// A string duplicated by the C library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much is allocated follows from the text.
//
// RUN: %clang -std=c11 -O2 %operator
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=3 -- 3

#define _POSIX_C_SOURCE 200809L
#include "../Inputs/twice.h"
#include <string.h>

MEMSHAPE_OPERATOR
float named(const float *in, int n) {
  float *copy = malloc(n * sizeof(float));
  char *name = strdup("the name of this buffer");
  memcpy(copy, in, n * sizeof(float));
  float result = copy[n / 2] + name[n % 4];
  free(name);
  free(copy);
  return result;
}

TWICE(sink = named(data, number(1)))
