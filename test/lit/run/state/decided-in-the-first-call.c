// What a first call decides for others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second call, which is predicted, asks nothing of its data where the first one has kept a table; where it has not,
// the second asks again.
//
// RUN: %held -std=c11 -O2
// HELD n=100 --bounds 0..24400
// HELD -DOTHER n=100 --bounds 0..24400

#include "../Inputs/twice.h"

#ifdef OTHER
#define KEEPS(X) ((X) < 0)
#else
#define KEEPS(X) ((X) >= 0)
#endif

static float *table, *beside, *further;

MEMSHAPE_OPERATOR
float tabled(const float *in, int n) {
  float result = in[1];
  if (!table) {
    float *made = malloc(10 * n * sizeof(float));
    memcpy(made, in, n * sizeof(float));
    if (KEEPS(in[0])) {
      table = made;
      beside = malloc(20 * n * sizeof(float));
      further = malloc(30 * n * sizeof(float));
      memcpy(beside, in, n * sizeof(float));
      memcpy(further, in, n * sizeof(float));
    } else {
      result += made[n / 2];
      free(made);
    }
  }
  float *copy = malloc(n * sizeof(float));
  memcpy(copy, in, n * sizeof(float));
  result += copy[n / 3] + (table ? table[n / 4] + beside[n / 5] + further[n / 6] : 0);
  free(copy);
  return result;
}
