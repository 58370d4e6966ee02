// Data written where a size lies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each writes data over a number that becomes a size: in a loop over all of the block (1), where data says (2), only if
// data says so (3), in the last turn of a loop that has read the number before (4), as part of a copy (5), by a loop
// that runs downwards (6), on the stack (7).
//
// RUN: %held -std=c11 -O2
// HELD -DWAY=1 n=31 --bounds 136..4228
// HELD -DWAY=2 n=31 --bounds 136..4228
// HELD -DWAY=3 n=31 --bounds 4..256
// HELD -DWAY=4 n=31 --bounds 384..4228
// HELD -DWAY=5 n=31 --bounds 268..4360
// HELD -DWAY=6 n=31 --bounds 136..4228
// HELD -DWAY=7 n=31 --bounds 4..4096

#include "../Inputs/twice.h"

static void *volatile kept;

static int use(const int *in, int size) {
  int *work = malloc(sizeof(int) * (size_t)(size & 1023) + 4);
  kept = work;
  work[0] = in[0];
  int result = work[0];
  free(work);
  return result;
}

struct vector {
  int length, capacity;
  int elements[];
};

MEMSHAPE_OPERATOR
int sum(const int *in, int n) {
  const size_t bytes = sizeof(struct vector) + sizeof(int) * (size_t)n;
  struct vector *all = malloc(bytes), *other = malloc(bytes);
  int *numbers = (int *)all, result = 0, few[64];
  memset(few, 0, sizeof few);
  few[n & 63] = n;
  all->length = other->capacity = n;
  all->capacity = 2 * n;
#if WAY == 1
  for (int i = 0; i < n; ++i)
    numbers[i] = (in[i] & 7) + 1;
#elif WAY == 2
  for (int i = 0; i < n; ++i)
    numbers[(in[i] & 15) % n] += 3;
#elif WAY == 3
  if (in[3] > 0)
    numbers[1] = in[2] & 63;
#elif WAY == 4
  for (int turn = 0; turn < 3; ++turn) {
    result += use(in, all->capacity);
    memcpy((char *)all + 8 - 4 * turn, in, sizeof(int) * (size_t)(n - 2));
  }
#elif WAY == 5
  memcpy(all->elements, in, sizeof(int) * (size_t)n);
  memmove(other, numbers + 1, sizeof(int) * (size_t)n);
#elif WAY == 6
  for (int i = n - 1; i > 0; i -= 29)
    numbers[i] = in[i] & 255;
#elif WAY == 7
  for (int i = 0; i < n; ++i)
    few[(i * 5) & 63] ^= in[i] & 31;
  all->capacity = few[n & 63];
#endif
  result += use(in, WAY == 5 ? other->capacity : all->capacity);
  free(other);
  free(all);
  return result;
}
