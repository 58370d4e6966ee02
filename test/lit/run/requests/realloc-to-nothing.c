// A block that is made as small as can be.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// glibc frees a block that realloc is to make 0 bytes large, and returns null; where there was none, it makes one.
//
// RUN: %clang -std=gnu11 -O2 %operator
// RUN: %compare %t --shape n=1 -- 1
// RUN: %compare %t --shape n=100 -- 100
// RUN: %clang -std=gnu11 -O0 %operator
// RUN: %compare %t --shape n=1 -- 1
// RUN: %compare %t --shape n=100 -- 100

#include "../Inputs/twice.h"

MEMSHAPE_OPERATOR
float shortened(const float *in, int n) {
  char *block = malloc(2), *none = realloc(NULL, n / 2), *rows = reallocarray(malloc(8), n / 2, 12);
  block[0] = in[0] > 0;
  block = realloc(block, n / 2);
  if (!block)
    block = malloc(32);
  if (!rows)
    rows = malloc(500);
  block[0] = in[1] > 0;
  float result = block[0] + rows[0];
  free(block);
  free(none);
  free(rows);
  return result;
}

TWICE(sink = shortened(data, number(1)))
