// Sums that the compiler may rearrange.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With -ffast-math a loop may be summed up in another order than it says: what follows from the sum is not certain. A
// product by itself cannot be rearranged.
//
// RUN: %held -std=c11 -O2 -lm
// HELD -ffast-math -DSIZE=sum(n) n=777 --bounds 0..none --because unbounded_size
// HELD -DSIZE=sum(n) n=777
// HELD -ffast-math -DSIZE=(long)(n*0.5f) n=777

#include "../Inputs/twice.h"

static long sum(int n) {
  float total = 0;
  for (int at = 0; at < n; ++at)
    total += (at % 8) * 0.25f;
  return (long)total;
}

MEMSHAPE_OPERATOR
float summed(const float *in, int n) {
  float *work = malloc(sizeof(float) * (SIZE + 1));
  work[0] = in[0];
  float result = work[n / 8];
  free(work);
  return result;
}

TWICE(sink = summed(data, number(1)))
