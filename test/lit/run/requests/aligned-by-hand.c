// A size computed from an address.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much of a block is lost to its alignment is known when the block is, and no earlier.
//
// RUN: %clang -std=c11 -O2 %operator
// RUN: %compare %t --shape n=100 --bounds 0..912 -- 100
// RUN: %compare %t --shape n=1000 --bounds 0..4512 -- 1000

#include "../Inputs/twice.h"
#include <stdint.h>
#include <string.h>

static float *aligned(char *block) { return (float *)(block + ((256 - ((uintptr_t)block & 255)) & 255)); }

MEMSHAPE_OPERATOR
float slack(const float *in, int n) {
  char *block = malloc(n * sizeof(float) + 256);
  float *copy = aligned(block);
  memcpy(copy, in, n * sizeof(float));
  char *rest = malloc((char *)copy - block + 1);
  memcpy(rest, block, (char *)copy - block + 1);
  float result = copy[n / 2] + rest[n % 7 * ((char *)copy - block) / 7];
  free(rest);
  free(block);
  return result;
}

TWICE(sink = slack(data, number(1)))
