// Requests that the C library refuses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An alignment that is no power of two, or less than a pointer's size, and a product that overflows or is more than a
// process can address: whatever memory there is, no block is made. Other functions round the alignment up, as far as a process has addresses, and pvalloc the size.
//
// RUN: %held -std=gnu11
// HELD -O2 -DKIND=1 n=24 n=64 n=4
// HELD -O2 -DKIND=2 n=2 n=1
// HELD -O2 -DKIND=3 n=100 n=48
// HELD -O2 -DKIND=4 n=2 n=1
// HELD -O0 -DKIND=5 n=7 n=70

#include "../Inputs/twice.h"
#include <malloc.h>
#include <stdint.h>

MEMSHAPE_OPERATOR
float refused(const float *in, int n) {
  void *one = 0, *other = 0;
  if (KIND == 1) {
    if (posix_memalign(&one, 4, n))
      one = malloc(2L * n);
    if (posix_memalign(&other, n, 100))
      other = malloc(300);
  } else if (KIND == 2) {
    size_t most = SIZE_MAX / 4 * n + 1;
    one = calloc(most, 2 + n);
    if (!one)
      one = malloc(700);
    other = reallocarray(NULL, most, 2 + n);
    if (!other)
      other = malloc(900);
  } else if (KIND == 4) { // a process has no such address
    one = aligned_alloc(((size_t)n << 46) + 1, 100);
    if (!one)
      one = malloc(500);
    other = malloc(1);
  } else if (KIND == 5) {
    one = calloc(SIZE_MAX / 20, n);
    if (!one)
      one = malloc(500);
    other = malloc(1);
  } else {
    one = memalign(n, 200);
    other = pvalloc(n);
    free(aligned_alloc(3 * 16, n));
    free(valloc(n));
  }
  ((char *)one)[0] = in[0] > 0;
  ((char *)other)[0] = in[1] > 0;
  float result = ((char *)one)[0] + ((char *)other)[0];
  free(one);
  free(other);
  return result;
}
