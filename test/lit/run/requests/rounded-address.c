// How far the next multiple of 64 is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The distance from a tensor or a block to its first aligned place is chance, and so is what is left behind that place.
// The length of an array that begins there is not.
//
// RUN: %held -std=c11 -O2
// HELD -DWAY=1 n=50 --bounds 0..none --because unbounded_size
// HELD -DWAY=2 n=50 --bounds 264..none --because unbounded_size
// HELD -DWAY=3 n=50 --bounds 264..none --because unbounded_size
// HELD -DWAY=4 n=50

#include "../Inputs/twice.h"
#include <stdint.h>

static void *volatile kept;

static float use(const float *in, long size) {
  float *work = malloc(sizeof(float) * (size_t)size);
  kept = work;
  work[0] = in[0];
  float result = work[0];
  free(work);
  return result;
}

MEMSHAPE_OPERATOR
float aligned(const float *in, int n) {
  float *raw = malloc(sizeof(float) * (size_t)n + 64), result = 0;
  kept = raw;
#if WAY == 1
  const float *from = (const float *)(((uintptr_t)in + 63) & ~(uintptr_t)63);
  result = use(in, 100 + (from - in));
#elif WAY == 2
  float *from = __builtin_align_up(raw, 64);
  for (int i = 0; i < n; ++i)
    from[i] = in[i];
  result = use(from, 100 + (from - raw));
#elif WAY == 3
  const float *end = in + n;
  for (const float *from = __builtin_align_up(in, 64); from < end; from += 16)
    result += use(from, from - in + 1);
#elif WAY == 4
  float *from = __builtin_align_up(raw, 64), *end = from + n;
  for (float *at = from; at < end; ++at)
    *at = in[at - from];
  result = use(from, end - from);
#endif
  free(raw);
  return result;
}

TWICE(sink = aligned(data + 1, number(1)))
