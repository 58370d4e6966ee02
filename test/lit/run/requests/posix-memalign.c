// posix_memalign.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The block comes back through a pointer, the status as the result.
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -I%include -D_GNU_SOURCE -c %s -o %t.o
// RUN: %clang %t.o -o %t
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=7 -- 7

#include "../Inputs/twice.h"

MEMSHAPE_OPERATOR
int aligned(const float *in, int n) {
  void *block, *other;
  if (posix_memalign(&block, 64, n * sizeof(float)))
    return -1;
  if (posix_memalign(&other, 4096, 100)) {
    free(block);
    return -1;
  }
  ((float *)block)[0] = in[0];
  free(block);
  free(other);
  return 0;
}

TWICE(sink = aligned(data, number(1)))
