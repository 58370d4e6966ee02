// Whether a call has the tensor of an earlier one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block is kept for as long as the same tensor comes, or the call has the same frame. Whether it does is the caller's
// secret, however that is remembered. A cursor that the call sets itself tells nothing of earlier calls.
//
// RUN: %held -std=c11
// HELD -O0 -DREMEMBERED=1 n=100 --bounds 0..804
// HELD -O2 -DREMEMBERED=1 n=100 --bounds 0..804
// HELD -O2 -DREMEMBERED=2 n=100 --bounds 0..804
// HELD -O2 -DREMEMBERED=3 n=100 --bounds 0..804
// HELD -O2 -DREMEMBERED=4 n=100 --bounds 0..804
// HELD -O2 -DREMEMBERED=5 n=100

#include "../Inputs/twice.h"
#include <stdint.h>

static float *kept;
static void *volatile used;

#if REMEMBERED == 1
static const float *before;
#define IS_NEW (before != in)
#define REMEMBER before = in
#elif REMEMBERED == 2
static uintptr_t before;
#define IS_NEW (before != (uintptr_t)in)
#define REMEMBER before = (uintptr_t)in
#elif REMEMBERED == 3
static struct plan {
  const float *of;
} *before;
#define IS_NEW (!before || before->of != in)
#define REMEMBER (before || (before = malloc(sizeof *before)), before->of = in)
#elif REMEMBERED == 4
static volatile char *before;
#define IS_NEW (before != &here)
#define REMEMBER before = &here
#else
static const float *cursor;
#define IS_NEW !kept
#define REMEMBER cursor = in
#endif

MEMSHAPE_OPERATOR
float sum(const float *in, int n) {
  volatile char here = 1;
  if (IS_NEW) {
    free(kept);
    kept = calloc((size_t)n + 1, sizeof(float));
    REMEMBER;
  }
  kept[0] += in[0] * here;
#if REMEMBERED == 5
  for (cursor = in; cursor != in + n; ++cursor)
    kept[1] += *cursor;
#endif
  float *work = malloc(sizeof(float) * (size_t)n);
  used = work;
  work[n / 2] = in[1];
  float result = kept[0] + work[n / 2];
  free(work);
  return result;
}

TWICE(sink = sum(call ? more : data, number(1)))
