// A kept block that a caller can write to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operator, or another function of its unit, hands out the address of a block that it keeps: the caller may change
// what the next call finds in it.
//
// RUN: %held -std=c11 -O2
// HELD -DGIVE=returned n=100 --bounds 0..none --because unbounded_size
// HELD -DGIVE=stored n=100 --bounds 0..none --because unbounded_size
// HELD -DGIVE=copied -D_FORTIFY_SOURCE=2 n=100 --bounds 0..none --because unbounded_size
// HELD -DGIVE=kept -DASKED n=100 --bounds 0..none --because unbounded_size
// HELD -DGIVE=kept n=100

#include "../Inputs/twice.h"

enum { returned, stored, copied, kept };

static int *factors;

#ifdef ASKED
int *settings(void) { return factors; }
#else
static int *settings(void) { return 0; }
#endif

MEMSHAPE_OPERATOR
int *scaled(const float *in, int n, float *out, int **where) {
  if (!factors) {
    factors = malloc(8);
    factors[0] = 1;
  }
  const long size = (long)n * factors[0];
  float *copy = malloc(size * sizeof(float));
  copy[size - 1] = in[0];
  out[0] = copy[size / 2];
  free(copy);
  if (GIVE == stored)
    *where = factors;
  if (GIVE == copied) {
    int *slot = factors;
    memcpy(where, &slot, sizeof slot);
  }
  return GIVE == returned ? factors : 0;
}

static void change(const float *in, int n, float *out) {
  int *given = 0, *also = scaled(in, n, out, &given);
  if (!given)
    given = also ? also : settings();
  if (given)
    given[0] = 3;
}
