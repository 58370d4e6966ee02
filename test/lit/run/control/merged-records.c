// Records that are copied and read as another type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The copy goes away with optimisation: both variables become one, whose accesses have types of both.
//
// RUN: %held -std=c11
// HELD -O1 n=34 --bounds 0..280
// HELD -O2 n=34 --bounds 0..280

#include "../Inputs/twice.h"

static void *volatile used;

MEMSHAPE_OPERATOR
int records(const float *in, int n) {
  struct {
    float value;
    int extent;
  } records[4];
  for (int i = 0; i < 4; ++i) {
    records[i].value = in[i];
    records[i].extent = n + i;
  }
  int words[8];
  memcpy(words, records, sizeof words);
  if (words[n & 7] & 1)
    return n;
  double *work = malloc(sizeof(double) * ((size_t)n + 1));
  used = work;
  work[0] = in[3];
  const int result = (int)work[0];
  free(work);
  return result;
}
